public import Foundation

/// A message in a channel: text, a location, or both.
public struct Message: Hashable, Sendable, Codable {
    public var id: MessageId
    public var channelId: ChannelId
    /// Who sent it.
    public var user: User
    /// At most 20,000 Unicode scalars; empty where only a location was sent.
    public var text: String
    public var replyCount: Int
    public var sharedLocation: SharedLocation?
    package var createdTime: Timestamp
    package var updatedTime: Timestamp

    /// When it was sent, server time.
    public var createdAt: Date { createdTime.date }
    /// When its text was last changed, server time. A moving pin does not count.
    public var updatedAt: Date { updatedTime.date }

    enum CodingKeys: String, CodingKey {
        case id, user, text
        case channelId = "channel_id"
        case replyCount = "reply_count"
        case sharedLocation = "shared_location"
        case createdTime = "created_at"
        case updatedTime = "updated_at"
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

    /// The same with its share's activity as it is at a moment.
    package func asSeen(at now: Timestamp) -> Message {
        var copy = self
        copy.sharedLocation = sharedLocation?.asSeen(at: now)
        return copy
    }
}
