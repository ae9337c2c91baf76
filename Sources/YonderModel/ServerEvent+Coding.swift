extension ServerEvent: Decodable {
    private enum Key: String, CodingKey {
        case event, id, channels, code, detail
        case channelId = "channel_id"
        case serverTime = "server_time"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let name = try container.decode(String.self, forKey: .event)
        switch EventName(rawValue: name) {
        case .hello: self = .hello(try Hello(from: decoder))
        case .ack:
            self = .ack(
                id: try container.decode(Int.self, forKey: .id),
                channels: try container.decodeIfPresent([String: String].self, forKey: .channels) ?? [:])
        case .error:
            self = .error(
                id: try container.decodeIfPresent(Int.self, forKey: .id),
                code: ErrorCode(wire: try container.decode(String.self, forKey: .code)),
                detail: try container.decode(String.self, forKey: .detail))
        case .channelState: self = .channelState(try ChannelState(from: decoder))
        case .messageNew: self = .messageNew(try MessageEvent(from: decoder))
        case .messageUpdated: self = .messageUpdated(try MessageEvent(from: decoder))
        case .messageDeleted: self = .messageDeleted(try MessageEvent(from: decoder))
        case .locationStarted: self = .locationStarted(try LocationEvent(from: decoder))
        case .locationChanged: self = .locationChanged(try LocationEvent(from: decoder))
        case .locationEnded: self = .locationEnded(try LocationEvent(from: decoder))
        case .locationUpdated: self = .locationUpdated(try LocationUpdate(from: decoder))
        case .memberAdded: self = .memberAdded(try MemberEvent(from: decoder))
        case .memberUpdated: self = .memberUpdated(try MemberEvent(from: decoder))
        case .memberRemoved: self = .memberRemoved(try MemberEvent(from: decoder))
        case .channelUpdated: self = .channelUpdated(try ChannelEvent(from: decoder))
        case .channelDeleted: self = .channelDeleted(try ChannelDeletion(from: decoder))
        case .shareState: self = .shareState(try ShareState(from: decoder))
        case .locationWatchers: self = .locationWatchers(try LocationWatchers(from: decoder))
        case .resync: self = .resync(try container.decode(ChannelId.self, forKey: .channelId))
        case .heartbeat:
            self = .heartbeat(serverTime: try container.decode(Timestamp.self, forKey: .serverTime))
        case nil: self = .unknown(name)
        }
    }
}

/// The events' names on the wire.
package enum EventName: String, Sendable, Codable {
    case hello, ack, error, resync, heartbeat
    case channelState = "channel.state"
    case messageNew = "message.new"
    case messageUpdated = "message.updated"
    case messageDeleted = "message.deleted"
    case locationStarted = "location.started"
    case locationChanged = "location.changed"
    case locationEnded = "location.ended"
    case locationUpdated = "location.updated"
    case memberAdded = "member.added"
    case memberUpdated = "member.updated"
    case memberRemoved = "member.removed"
    case channelUpdated = "channel.updated"
    case channelDeleted = "channel.deleted"
    case locationWatchers = "location.watchers"
    case shareState = "share.state"
}

/// An event on its way out: its name beside its fields.
package struct OutgoingEvent<Fields: Encodable>: Encodable {
    private enum Key: String, CodingKey {
        case event
    }

    private let name: EventName
    private let fields: Fields

    package init(_ name: EventName, _ fields: Fields) {
        self.name = name
        self.fields = fields
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .event)
        try fields.encode(to: encoder)
    }
}

extension LocationUpdate: Decodable {
    private enum Key: String, CodingKey {
        case channelId = "channel_id"
        case messageId = "message_id"
        case userId = "user_id"
        case recordedAt = "recorded_at"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            channelId: try container.decode(ChannelId.self, forKey: .channelId),
            messageId: try container.decode(MessageId.self, forKey: .messageId),
            userId: try container.decode(UserId.self, forKey: .userId),
            position: try Position(from: decoder),
            recordedTime: try container.decode(Timestamp.self, forKey: .recordedAt))
    }

    /// The event `location.updated` as JSON, written byte by byte: the hot path's way out.
    ///
    /// Ids need no escaping: their alphabet holds nothing that JSON escapes.
    package func eventJSON() -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(320)
        func text(_ key: StaticString, _ value: String) {
            append(key)
            out.append(UInt8(ascii: "\""))
            out.append(contentsOf: value.utf8)
            out.append(UInt8(ascii: "\""))
        }
        func append(_ key: StaticString) { key.withUTF8Buffer { out.append(contentsOf: $0) } }
        func number(_ key: StaticString, _ value: Double?) {
            guard let value else { return }
            append(key)
            out.append(contentsOf: value.description.utf8)
        }
        append("{\"event\":\"location.updated\"")
        text(",\"channel_id\":", channelId.rawValue)
        text(",\"message_id\":", messageId.rawValue)
        text(",\"user_id\":", userId.rawValue)
        number(",\"latitude\":", position.coordinate.latitude)
        number(",\"longitude\":", position.coordinate.longitude)
        number(",\"accuracy\":", position.accuracy)
        number(",\"heading\":", position.heading)
        number(",\"speed\":", position.speed)
        number(",\"altitude\":", position.altitude)
        number(",\"altitude_accuracy\":", position.altitudeAccuracy)
        number(",\"battery\":", position.battery)
        number(",\"next_within\":", position.nextWithin)
        append(",\"recorded_at\":\"")
        recordedTime.appendRFC3339(to: &out)
        append("\"}")
        return out
    }
}
