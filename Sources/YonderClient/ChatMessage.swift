public import Foundation
public import YonderModel

/// A message as an app shows it.
public struct ChatMessage: Hashable, Sendable {
    public var id: MessageId
    public var cid: ChannelId
    /// Empty where only a location was sent.
    public var text: String
    public var author: User
    /// Server time.
    public var createdAt: Date
    /// The location that it carries; `nil` = none.
    public var sharedLocation: SharedLocation?
    public var isSentByCurrentUser: Bool

    init(_ message: Message, currentUserId: UserId?) {
        id = message.id
        cid = message.channelId
        text = message.text
        author = message.user
        createdAt = message.createdAt
        sharedLocation = message.sharedLocation
        isSentByCurrentUser = message.user.id == currentUserId
    }
}

/// A channel as an app shows it.
public struct ChatChannel: Hashable, Sendable {
    public var cid: ChannelId
    /// `nil` = unnamed.
    public var name: String?
    public var config: ChannelConfig
    /// What the current user may do.
    public var capabilities: [Capability]
    /// The live shares that are on, newest first.
    public var activeLiveLocations: [SharedLocation]

    init(_ channel: Channel) {
        cid = channel.cid
        name = channel.name
        config = channel.config
        capabilities = channel.capabilities
        activeLiveLocations = channel.activeLiveLocations
    }
}
