import Foundation
import YonderModel
import YonderRules

/// The body of `PUT /v1/live-locations`, and one fix of a batch.
struct FixBody: Encodable {
    var location: LocationInfo
    var deviceId: DeviceId?
    /// The shares that it moves; `nil` = all that the device feeds.
    var messageIds: [MessageId]?
    /// `nil` in a batch, which says it once.
    var sentAt: Timestamp?

    /// Most shares that the server lets one fix name.
    private static let maxMessageIds = 100

    init(location: LocationInfo, deviceId: DeviceId?, messageIds: [MessageId], sentAt: Timestamp? = nil) {
        self.location = location
        self.deviceId = deviceId
        self.messageIds = messageIds.count <= Self.maxMessageIds ? messageIds : nil
        self.sentAt = sentAt
    }

    private enum Key: String, CodingKey {
        case deviceId = "device_id"
        case messageIds = "message_ids"
        case sentAt = "sent_at"
    }

    func encode(to encoder: any Encoder) throws {
        try location.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(deviceId, forKey: .deviceId)
        try container.encodeIfPresent(messageIds, forKey: .messageIds)
        try container.encodeIfPresent(sentAt, forKey: .sentAt)
    }
}

/// The body of `POST /v1/live-locations/batch`.
struct FixBatchBody: Encodable {
    var fixes: [FixBody]
    var sentAt: Timestamp

    private enum CodingKeys: String, CodingKey {
        case fixes
        case sentAt = "sent_at"
    }
}

/// The body of `POST /v1/channels/{cid}/messages`.
struct MessageBody: Encodable {
    var id: MessageId
    var text: String?
    var parentId: MessageId?
    var quotedId: MessageId?
    var location: SharedLocationBody?
    var sentAt: Timestamp

    private enum CodingKeys: String, CodingKey {
        case id, text
        case parentId = "parent_id"
        case quotedId = "quoted_message_id"
        case location = "shared_location"
        case sentAt = "sent_at"
    }
}

/// A location to share in a message; live where it has an end.
struct SharedLocationBody: Codable, Hashable, Sendable {
    var location: LocationInfo
    var deviceId: DeviceId?
    var fedBy: DeviceId?
    var endAt: Timestamp?
    /// `nil` = exact.
    var precision: SharePrecision?
    /// `nil` = it is not kept.
    var keepTrail: Bool?

    private enum Key: String, CodingKey {
        case precision
        case deviceId = "device_id"
        case fedBy = "fed_by"
        case endAt = "end_at"
        case keepTrail = "keep_trail"
    }

    init(_ location: LocationInfo, _ options: LocationSharingOptions) {
        self.location = location
        precision = options.precision == .exact ? nil : options.precision
        keepTrail = options.keepTrail ? true : nil
    }

    init(from decoder: any Decoder) throws {
        location = try LocationInfo(from: decoder)
        let container = try decoder.container(keyedBy: Key.self)
        deviceId = try container.decodeIfPresent(DeviceId.self, forKey: .deviceId)
        fedBy = try container.decodeIfPresent(DeviceId.self, forKey: .fedBy)
        endAt = try container.decodeIfPresent(Timestamp.self, forKey: .endAt)
        precision = try container.decodeIfPresent(SharePrecision.self, forKey: .precision)
        keepTrail = try container.decodeIfPresent(Bool.self, forKey: .keepTrail)
    }

    func encode(to encoder: any Encoder) throws {
        try location.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(deviceId, forKey: .deviceId)
        try container.encodeIfPresent(fedBy, forKey: .fedBy)
        try container.encodeIfPresent(endAt, forKey: .endAt)
        try container.encodeIfPresent(precision, forKey: .precision)
        try container.encodeIfPresent(keepTrail, forKey: .keepTrail)
    }
}

/// The body of `POST /v1/devices`.
struct DeviceBody: Encodable {
    var id: DeviceId
    var name: String?
    var platform: Platform?
}

/// The answer of `GET /v1/live-locations`.
struct ActiveShareList: Decodable {
    var shares: [SharedLocation]

    private enum CodingKeys: String, CodingKey {
        case shares = "active_live_locations"
    }
}

/// The answer of `GET /v1/channels/{cid}/messages`.
struct MessageList: Decodable {
    var messages: [Message]
}

/// The answer of `GET /v1/channels/{cid}/members`.
struct MemberList: Decodable {
    var members: [Member]
}

/// The answer of `GET /v1/channels`.
struct ChannelList: Decodable {
    var channels: [Channel]
}

/// The answer of `GET /v1/devices`.
struct DeviceList: Decodable {
    var devices: [Device]
}

/// The body of `POST /v1/channels`.
struct ChannelBody: Encodable {
    var id: String
    var type: String
    var name: String?
    var members: [UserId]
}

/// The body of `PATCH /v1/messages/{id}`.
struct EditBody: Encodable {
    var text: String
}

/// The body of `PATCH /v1/messages/{id}/live-location`.
struct ShareChangeBody: Encodable {
    var endAt: Timestamp?
    var fedBy: DeviceId?
    var sentAt: Timestamp

    private enum CodingKeys: String, CodingKey {
        case endAt = "end_at"
        case fedBy = "fed_by"
        case sentAt = "sent_at"
    }
}

/// The body of `POST /v1/messages/{id}/links`.
struct LinkBody: Encodable {
    var expiresAt: Timestamp?
    var precision: SharePrecision?

    private enum CodingKeys: String, CodingKey {
        case precision
        case expiresAt = "expires_at"
    }
}

/// A view link in an answer.
struct LinkAnswer: Decodable {
    var id: LinkId
    /// Only when it was just made.
    var url: String?
    /// Only in lists.
    var precision: SharePrecision?
    var expiresAt: Timestamp

    private enum CodingKeys: String, CodingKey {
        case id, url, precision
        case expiresAt = "expires_at"
    }
}

/// The answer of `GET /v1/messages/{id}/links`.
struct LinkList: Decodable {
    var links: [LinkAnswer]
}

/// The answer of `GET /v1/messages/{id}/audience`.
struct AudienceAnswer: Decodable {
    var members: [User]
    var links: [LinkAnswer]
    var count: Int
}

/// The WebSocket's `subscribe`.
struct SubscribeCommand: Encodable {
    var op = "subscribe"
    var id: Int
    var channels: [ChannelId]
    var since: [String: Int64]

    init(id: Int, channels: [ChannelId], since: [ChannelId: Int64]) {
        self.id = id
        self.channels = channels
        self.since = Dictionary(uniqueKeysWithValues: since.map { ($0.key.rawValue, $0.value) })
    }
}
