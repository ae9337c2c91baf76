public import Foundation

/// A message in a channel: text, a location, or both; or the tombstone of one that was deleted.
public struct Message: Hashable, Sendable {
    public var id: MessageId
    public var channelId: ChannelId
    /// Who sent it.
    public var user: User
    /// At most 20,000 Unicode scalars; empty where only a location was sent.
    public var text: String
    /// The message that this one answers in a thread; `nil` = none.
    public var parentId: MessageId?
    /// How many messages answer this one in its thread.
    public var replyCount: Int
    public var sharedLocation: SharedLocation?
    package var createdTime: Timestamp
    package var updatedTime: Timestamp
    package var deletedTime: Timestamp?
    /// At most one: a list, because a value cannot hold itself.
    private var quotes: [Message] = []

    /// When it was sent, server time.
    public var createdAt: Date { createdTime.date }
    /// When its text was last changed, server time. A moving pin does not count.
    public var updatedAt: Date { updatedTime.date }
    /// When it was deleted, server time; `nil` = it is there.
    public var deletedAt: Date? { deletedTime?.date }

    /// The message that this one quotes, one level deep; `nil` = none.
    public var quotedMessage: Message? {
        get { quotes.first }
        set { quotes = newValue.map { [$0] } ?? [] }
    }

    package init(
        id: MessageId, channelId: ChannelId, user: User, text: String, createdTime: Timestamp,
        updatedTime: Timestamp, sharedLocation: SharedLocation?
    ) {
        self.id = id
        self.channelId = channelId
        self.user = user
        self.text = text
        self.createdTime = createdTime
        self.updatedTime = updatedTime
        self.sharedLocation = sharedLocation
        replyCount = 0
    }

    /// The same as it is told to others at a moment: its shares' activity by that moment's clock, and of a
    /// deleted one nothing but that it was there.
    package func asSeen(at now: Timestamp) -> Message {
        var copy = self
        copy.sharedLocation = sharedLocation?.asSeen(at: now)
        copy.quotedMessage = quotedMessage?.asSeen(at: now)
        if deletedTime != nil {
            copy.text = ""
            copy.sharedLocation = nil
            copy.quotedMessage = nil
        }
        return copy
    }
}

extension Message: Codable {
    private enum Key: String, CodingKey {
        case id, user, text
        case channelId = "channel_id"
        case parentId = "parent_id"
        case replyCount = "reply_count"
        case quotedMessage = "quoted_message"
        case sharedLocation = "shared_location"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case deletedAt = "deleted_at"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            id: try container.decode(MessageId.self, forKey: .id),
            channelId: try container.decode(ChannelId.self, forKey: .channelId),
            user: try container.decode(User.self, forKey: .user),
            text: try container.decode(String.self, forKey: .text),
            createdTime: try container.decode(Timestamp.self, forKey: .createdAt),
            updatedTime: try container.decode(Timestamp.self, forKey: .updatedAt),
            sharedLocation: try container.decodeIfPresent(SharedLocation.self, forKey: .sharedLocation))
        parentId = try container.decodeIfPresent(MessageId.self, forKey: .parentId)
        replyCount = try container.decode(Int.self, forKey: .replyCount)
        deletedTime = try container.decodeIfPresent(Timestamp.self, forKey: .deletedAt)
        quotedMessage = try container.decodeIfPresent(Message.self, forKey: .quotedMessage)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(channelId, forKey: .channelId)
        try container.encode(user, forKey: .user)
        try container.encode(text, forKey: .text)
        try container.encodeIfPresent(parentId, forKey: .parentId)
        try container.encode(replyCount, forKey: .replyCount)
        try container.encodeIfPresent(quotedMessage, forKey: .quotedMessage)
        try container.encodeIfPresent(sharedLocation, forKey: .sharedLocation)
        try container.encode(createdTime, forKey: .createdAt)
        try container.encode(updatedTime, forKey: .updatedAt)
        try container.encodeIfPresent(deletedTime, forKey: .deletedAt)
    }
}
