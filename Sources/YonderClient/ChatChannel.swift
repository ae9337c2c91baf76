public import YonderModel

/// A channel as an app shows it.
public struct ChatChannel: Hashable, Sendable, Identifiable {
    public var cid: ChannelId
    /// `nil` = unnamed.
    public var name: String?
    public var memberCount: Int
    public var config: ChannelConfig
    /// What the current user may do.
    public var capabilities: [Capability]
    /// The live shares that are on, newest first.
    public var activeLiveLocations: [SharedLocation]
    /// The newest messages that are known, oldest first, without those in threads; at most 25.
    public var latestMessages: [ChatMessage]

    /// The same as ``cid``.
    public var id: ChannelId { cid }

    /// How many of the newest messages it shows.
    static let maxLatestMessages = 25

    init(_ channel: Channel, activeLiveLocations: [SharedLocation], latestMessages: [ChatMessage]) {
        cid = channel.cid
        name = channel.name
        memberCount = channel.memberCount
        config = channel.config
        capabilities = channel.capabilities
        self.activeLiveLocations = activeLiveLocations
        self.latestMessages = latestMessages
    }
}
