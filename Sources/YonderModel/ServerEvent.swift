public import Foundation

/// One event that the server sends over `/v1/events`, as a client reads it.
public enum ServerEvent: Sendable, Hashable {
    /// The first frame of a connection.
    case hello(Hello)
    /// The answer to a command that was carried out; `channels` says `ok` or `not_found` of each.
    case ack(id: Int, channels: [String: String])
    /// The answer to a command that was not.
    case error(id: Int?, code: ErrorCode, detail: String)
    /// What a channel's live shares are now; sent after subscribing.
    case channelState(ChannelState)
    case messageNew(MessageEvent)
    case messageUpdated(MessageEvent)
    case messageDeleted(MessageEvent)
    case locationStarted(LocationEvent)
    case locationChanged(LocationEvent)
    case locationEnded(LocationEvent)
    /// A pin moved; only the latest is promised.
    case locationUpdated(LocationUpdate)
    case memberAdded(MemberEvent)
    case memberUpdated(MemberEvent)
    case memberRemoved(MemberEvent)
    case channelUpdated(ChannelEvent)
    case channelDeleted(ChannelDeletion)
    /// What a view link's share is now; sent to its guest after subscribing.
    case shareState(ShareState)
    /// How many connections watch one of the user's own shares now.
    case locationWatchers(LocationWatchers)
    /// The channel has to be read again.
    case resync(ChannelId)
    case heartbeat(serverTime: Timestamp)
    /// An event of a newer server, by its name.
    case unknown(String)
}

extension ServerEvent {
    /// Where a durable event stands in its channel's order; `nil` for the others.
    package var place: (channel: ChannelId, seq: Int64)? {
        switch self {
        case .messageNew(let event), .messageUpdated(let event), .messageDeleted(let event):
            (event.channelId, event.seq)
        case .locationStarted(let event), .locationChanged(let event), .locationEnded(let event):
            (event.channelId, event.seq)
        case .memberAdded(let event), .memberUpdated(let event), .memberRemoved(let event):
            (event.channelId, event.seq)
        case .channelUpdated(let event): (event.channelId, event.seq)
        case .channelDeleted(let event): (event.channelId, event.seq)
        case .hello, .ack, .error, .channelState, .locationUpdated, .shareState, .locationWatchers, .resync,
            .heartbeat, .unknown:
            nil
        }
    }
}

/// What a connection begins with.
public struct Hello: Sendable, Hashable, Codable {
    public var connectionId: String
    /// Whose connection it is; `nil` for a view link's guest.
    public var user: User?
    package var serverTimestamp: Timestamp
    /// Seconds of silence after which the server sends a heartbeat.
    public var heartbeatSeconds: Int

    /// The server's clock when it was sent.
    public var serverTime: Date { serverTimestamp.date }

    enum CodingKeys: String, CodingKey {
        case user
        case connectionId = "connection_id"
        case serverTimestamp = "server_time"
        case heartbeatSeconds = "heartbeat_seconds"
    }

    package init(connectionId: String, user: User?, serverTimestamp: Timestamp, heartbeatSeconds: Int) {
        self.connectionId = connectionId
        self.user = user
        self.serverTimestamp = serverTimestamp
        self.heartbeatSeconds = heartbeatSeconds
    }
}

/// A channel's live shares at one point of its event order.
public struct ChannelState: Sendable, Hashable, Codable {
    public var channelId: ChannelId
    /// Number of the last durable event that it includes.
    public var seq: Int64
    /// The shares that are on, newest first.
    public var activeLiveLocations: [SharedLocation]

    enum CodingKeys: String, CodingKey {
        case seq
        case channelId = "channel_id"
        case activeLiveLocations = "active_live_locations"
    }

    package init(channelId: ChannelId, seq: Int64, activeLiveLocations: [SharedLocation]) {
        self.channelId = channelId
        self.seq = seq
        self.activeLiveLocations = activeLiveLocations
    }
}

/// The share that a view link shows, as it shows it.
public struct ShareState: Sendable, Hashable, Codable {
    public var location: SharedLocation

    package init(location: SharedLocation) { self.location = location }
}

/// Something happened to a message.
public struct MessageEvent: Sendable, Hashable, Codable {
    public var channelId: ChannelId
    /// The event's number in its channel.
    public var seq: Int64
    public var message: Message

    enum CodingKeys: String, CodingKey {
        case seq, message
        case channelId = "channel_id"
    }

    package init(channelId: ChannelId, seq: Int64, message: Message) {
        self.channelId = channelId
        self.seq = seq
        self.message = message
    }
}

/// A live share began, changed or ended.
public struct LocationEvent: Sendable, Hashable, Codable {
    public var channelId: ChannelId
    /// The event's number in its channel.
    public var seq: Int64
    public var messageId: MessageId
    public var location: SharedLocation

    enum CodingKeys: String, CodingKey {
        case seq, location
        case channelId = "channel_id"
        case messageId = "message_id"
    }

    package init(channelId: ChannelId, seq: Int64, messageId: MessageId, location: SharedLocation) {
        self.channelId = channelId
        self.seq = seq
        self.messageId = messageId
        self.location = location
    }
}

/// Somebody came into a channel, left it, or has another role.
public struct MemberEvent: Sendable, Hashable, Codable {
    public var channelId: ChannelId
    /// The event's number in its channel.
    public var seq: Int64
    public var member: Member

    enum CodingKeys: String, CodingKey {
        case seq, member
        case channelId = "channel_id"
    }

    package init(channelId: ChannelId, seq: Int64, member: Member) {
        self.channelId = channelId
        self.seq = seq
        self.member = member
    }
}

/// A channel has another name or configuration.
public struct ChannelEvent: Sendable, Hashable, Codable {
    public var channelId: ChannelId
    /// The event's number in its channel.
    public var seq: Int64
    /// The channel, without what depends on who looks: capabilities and live shares are empty.
    public var channel: Channel

    enum CodingKeys: String, CodingKey {
        case seq, channel
        case channelId = "channel_id"
    }

    package init(channelId: ChannelId, seq: Int64, channel: Channel) {
        self.channelId = channelId
        self.seq = seq
        self.channel = channel
    }
}

/// A channel is gone.
public struct ChannelDeletion: Sendable, Hashable, Codable {
    public var channelId: ChannelId
    /// The event's number in its channel: its last.
    public var seq: Int64

    enum CodingKeys: String, CodingKey {
        case seq
        case channelId = "channel_id"
    }

    package init(channelId: ChannelId, seq: Int64) {
        self.channelId = channelId
        self.seq = seq
    }
}

/// How many connections watch a share; told to its owner alone.
public struct LocationWatchers: Sendable, Hashable, Codable {
    public var messageId: MessageId
    public var count: Int

    enum CodingKeys: String, CodingKey {
        case count
        case messageId = "message_id"
    }

    package init(messageId: MessageId, count: Int) {
        self.messageId = messageId
        self.count = count
    }
}

/// A live share's newest position.
public struct LocationUpdate: Sendable, Hashable {
    public var channelId: ChannelId
    public var messageId: MessageId
    public var userId: UserId
    public var position: Position
    package var recordedTime: Timestamp

    /// When the device measured it.
    public var recordedAt: Date { recordedTime.date }

    package init(
        channelId: ChannelId, messageId: MessageId, userId: UserId, position: Position,
        recordedTime: Timestamp
    ) {
        self.channelId = channelId
        self.messageId = messageId
        self.userId = userId
        self.position = position
        self.recordedTime = recordedTime
    }
}
