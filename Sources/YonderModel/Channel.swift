public import Foundation

/// What a channel allows.
public struct ChannelConfig: Hashable, Sendable, Codable {
    /// Whether locations may be shared. Default `true`.
    public var sharedLocationsEnabled: Bool
    /// Longest live share in seconds, 60...604,800. Default 28,800.
    public var maxLiveSeconds: Int
    /// Whether messages may be replied to in threads. Default `true`.
    public var replies: Bool

    enum CodingKeys: String, CodingKey {
        case replies
        case sharedLocationsEnabled = "shared_locations"
        case maxLiveSeconds = "max_live_seconds"
    }

    /// Creates a configuration.
    public init(
        sharedLocationsEnabled: Bool = true, maxLiveSeconds: Int = 28_800, replies: Bool = true
    ) {
        self.sharedLocationsEnabled = sharedLocationsEnabled
        self.maxLiveSeconds = maxLiveSeconds
        self.replies = replies
    }
}

/// What the caller may do in a channel.
public struct Capability: RawRepresentable, Hashable, Sendable, Codable {
    /// The wire's word.
    public let rawValue: String

    /// Creates a capability from the wire's word; words of a newer server are kept.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// May send messages.
    public static let sendMessage = Capability(rawValue: "send-message")
    /// May share a location, static or live.
    public static let shareLocation = Capability(rawValue: "share-location")
    /// May change the channel's name and configuration.
    public static let updateChannel = Capability(rawValue: "update-channel")
    /// May delete messages, stop shares and remove members.
    public static let moderate = Capability(rawValue: "moderate")
}

/// A channel as its caller sees it.
public struct Channel: Hashable, Sendable, Codable {
    public var cid: ChannelId
    public var type: String
    /// 1 to 200 Unicode scalars; `nil` = unnamed.
    public var name: String?
    public var createdBy: UserId
    public var memberCount: Int
    public var config: ChannelConfig
    public var capabilities: [Capability]
    /// The live shares that are on, newest first.
    public var activeLiveLocations: [SharedLocation]
    /// Number of the last durable event; 0 when created.
    public var seq: Int64
    package var createdTime: Timestamp
    package var updatedTime: Timestamp

    /// When the channel was made, server time.
    public var createdAt: Date { createdTime.date }
    /// When something was last written in it, server time.
    public var updatedAt: Date { updatedTime.date }

    enum CodingKeys: String, CodingKey {
        case type, name, config, capabilities, seq
        case cid = "id"
        case createdBy = "created_by"
        case memberCount = "member_count"
        case activeLiveLocations = "active_live_locations"
        case createdTime = "created_at"
        case updatedTime = "updated_at"
    }

    package init(
        cid: ChannelId, name: String?, createdBy: UserId, memberCount: Int, config: ChannelConfig,
        seq: Int64, createdTime: Timestamp, updatedTime: Timestamp
    ) {
        self.cid = cid
        type = cid.type
        self.name = name
        self.createdBy = createdBy
        self.memberCount = memberCount
        self.config = config
        self.seq = seq
        self.createdTime = createdTime
        self.updatedTime = updatedTime
        capabilities = []
        activeLiveLocations = []
    }
}
