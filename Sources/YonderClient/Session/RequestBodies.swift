import Foundation
import YonderModel
import YonderRules

/// The body of `PUT /v1/live-locations`.
struct FixBody: Encodable {
    var location: LocationInfo
    var deviceId: DeviceId?
    var sentAt: Timestamp

    private enum Key: String, CodingKey {
        case deviceId = "device_id"
        case sentAt = "sent_at"
    }

    func encode(to encoder: any Encoder) throws {
        try location.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(deviceId, forKey: .deviceId)
        try container.encode(sentAt, forKey: .sentAt)
    }
}

/// The body of `POST /v1/channels/{cid}/messages`.
struct MessageBody: Encodable {
    var id: MessageId
    var text: String?
    var location: SharedLocationBody?
    var sentAt: Timestamp

    private enum CodingKeys: String, CodingKey {
        case id, text
        case location = "shared_location"
        case sentAt = "sent_at"
    }
}

/// A location to share in a message; live where it has an end.
struct SharedLocationBody: Encodable {
    var location: LocationInfo
    var deviceId: DeviceId?
    var fedBy: DeviceId?
    var endAt: Timestamp?

    private enum Key: String, CodingKey {
        case deviceId = "device_id"
        case fedBy = "fed_by"
        case endAt = "end_at"
    }

    func encode(to encoder: any Encoder) throws {
        try location.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(deviceId, forKey: .deviceId)
        try container.encodeIfPresent(fedBy, forKey: .fedBy)
        try container.encodeIfPresent(endAt, forKey: .endAt)
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
