public import Foundation

/// Why a live share is over; the raw value is the wire's word.
public enum EndedReason: String, Hashable, Sendable, Codable {
    case stopped, expired, replaced, deleted, left, disabled
}

/// How finely a share tells where somebody is; the raw value is the wire's word.
public enum SharePrecision: String, Hashable, Sendable, Codable {
    case exact, approximate
}

/// A location shared in a message: static, or live until its end.
public struct SharedLocation: Hashable, Sendable {
    /// The message that carries it.
    public var messageId: MessageId
    /// The channel it lives in.
    public var channelId: ChannelId
    /// Who shares.
    public var userId: UserId
    /// The device that created it; optional for a static location.
    public var createdByDeviceId: DeviceId?
    /// The one device whose fixes move it; `nil` for a static location.
    public var fedByDeviceId: DeviceId?
    /// The last position applied; `nil` once it is erased.
    public var position: Position?
    /// How finely it is shared.
    public var precision: SharePrecision
    /// Whether its path is kept after its end.
    public var keepsTrail = false
    /// Why it is over; `nil` while it is not, and for a static location.
    public var endedReason: EndedReason?
    /// Whether it is live and not over, by the server's clock when this was made.
    public var isLiveSharingActive: Bool

    package var recordedTime: Timestamp
    package var createdTime: Timestamp
    package var updatedTime: Timestamp
    package var endTime: Timestamp?
    package var endedTime: Timestamp?

    /// The last place applied, WGS 84; `nil` once it is erased.
    public var coordinate: Coordinate? { position?.coordinate }
    /// Degrees, in -90...90; not a number once the position is erased, so that nothing is drawn.
    public var latitude: Double { position?.coordinate.latitude ?? .nan }
    /// Degrees, in -180...180; not a number once the position is erased.
    public var longitude: Double { position?.coordinate.longitude ?? .nan }
    /// Metres, > 0; `nil` = unknown.
    public var accuracy: Double? { position?.accuracy }
    /// Metres above mean sea level; `nil` = unknown.
    public var altitude: Double? { position?.altitude }
    /// Metres, > 0; `nil` = unknown.
    public var altitudeAccuracy: Double? { position?.altitudeAccuracy }
    /// Degrees in 0..<360; `nil` = unknown.
    public var heading: Double? { position?.heading }
    /// Metres a second; `nil` = unknown.
    public var speed: Double? { position?.speed }
    /// In 0...1; `nil` = unknown.
    public var battery: Double? { position?.battery }
    /// Seconds within which its sender means to report again; `nil` = not said.
    public var nextWithin: Double? { position?.nextWithin }
    /// Whether the position is no longer kept.
    public var isErased: Bool { position == nil }
    /// When the device measured the position.
    public var recordedAt: Date { recordedTime.date }
    /// When the share was created, server time.
    public var createdAt: Date { createdTime.date }
    /// When it last changed, server time.
    public var updatedAt: Date { updatedTime.date }
    /// When it ends by itself; `nil` for a static location.
    public var endAt: Date? { endTime?.date }
    /// When it was over; `nil` while it is not.
    public var endedAt: Date? { endedTime?.date }
    /// Whether it has an end time, that is: is or was live.
    public var isLive: Bool { endTime != nil }

    package init(
        messageId: MessageId, channelId: ChannelId, userId: UserId, createdByDeviceId: DeviceId?,
        fedByDeviceId: DeviceId?, position: Position?, recordedTime: Timestamp,
        createdTime: Timestamp, updatedTime: Timestamp, endTime: Timestamp?
    ) {
        self.messageId = messageId
        self.channelId = channelId
        self.userId = userId
        self.createdByDeviceId = createdByDeviceId
        self.fedByDeviceId = fedByDeviceId
        self.position = position
        self.recordedTime = recordedTime
        self.createdTime = createdTime
        self.updatedTime = updatedTime
        self.endTime = endTime
        precision = .exact
        isLiveSharingActive = endTime != nil
    }

    /// Whether a live position is too old to be shown as fresh: after twice `nextWithin`, never before 30 s.
    ///
    /// - Parameter now: The server's clock, see `ChatClient.serverTime`.
    /// - Returns: `false` also for a static location.
    public func isStale(at now: Date) -> Bool {
        isLive && Freshness.isStale(recordedAt: recordedTime, nextWithin: nextWithin, now: Timestamp(now))
    }

    /// Its lifetime; `nil` for a static location.
    package var lifetime: ShareLifetime? {
        endTime.map { ShareLifetime(startedAt: createdTime, endAt: $0, endedAt: endedTime) }
    }

    /// Whether it was live and is over at a moment; a static location never is.
    package func isOver(at now: Timestamp) -> Bool { lifetime.map { !$0.isActive(at: now) } ?? false }

    /// The same with `isLiveSharingActive` as it is at a moment.
    package func asSeen(at now: Timestamp) -> SharedLocation {
        var copy = self
        copy.isLiveSharingActive = lifetime?.isActive(at: now) ?? false
        return copy
    }
}

extension SharedLocation: Codable {
    private enum Key: String, CodingKey {
        case precision, active, erased
        case messageId = "message_id"
        case channelId = "channel_id"
        case userId = "user_id"
        case deviceId = "device_id"
        case fedBy = "fed_by"
        case recordedAt = "recorded_at"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case endAt = "end_at"
        case endedAt = "ended_at"
        case endedReason = "ended_reason"
        case keepTrail = "keep_trail"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            messageId: try container.decode(MessageId.self, forKey: .messageId),
            channelId: try container.decode(ChannelId.self, forKey: .channelId),
            userId: try container.decode(UserId.self, forKey: .userId),
            createdByDeviceId: try container.decodeIfPresent(DeviceId.self, forKey: .deviceId),
            fedByDeviceId: try container.decodeIfPresent(DeviceId.self, forKey: .fedBy),
            position: try container.decodeIfPresent(Bool.self, forKey: .erased) == true
                ? nil : try Position(from: decoder),
            recordedTime: try container.decode(Timestamp.self, forKey: .recordedAt),
            createdTime: try container.decode(Timestamp.self, forKey: .createdAt),
            updatedTime: try container.decode(Timestamp.self, forKey: .updatedAt),
            endTime: try container.decodeIfPresent(Timestamp.self, forKey: .endAt))
        endedTime = try container.decodeIfPresent(Timestamp.self, forKey: .endedAt)
        endedReason = try container.decodeIfPresent(EndedReason.self, forKey: .endedReason)
        precision = try container.decodeIfPresent(SharePrecision.self, forKey: .precision) ?? .exact
        keepsTrail = try container.decodeIfPresent(Bool.self, forKey: .keepTrail) ?? false
        isLiveSharingActive = try container.decode(Bool.self, forKey: .active)
    }

    public func encode(to encoder: any Encoder) throws {
        try position?.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        if position == nil { try container.encode(true, forKey: .erased) }
        try container.encode(messageId, forKey: .messageId)
        try container.encode(channelId, forKey: .channelId)
        try container.encode(userId, forKey: .userId)
        try container.encodeIfPresent(createdByDeviceId, forKey: .deviceId)
        try container.encodeIfPresent(fedByDeviceId, forKey: .fedBy)
        try container.encode(recordedTime, forKey: .recordedAt)
        try container.encode(createdTime, forKey: .createdAt)
        try container.encode(updatedTime, forKey: .updatedAt)
        try container.encodeIfPresent(endTime, forKey: .endAt)
        try container.encodeIfPresent(endedTime, forKey: .endedAt)
        try container.encodeIfPresent(endedReason, forKey: .endedReason)
        try container.encode(precision, forKey: .precision)
        if keepsTrail { try container.encode(true, forKey: .keepTrail) }
        try container.encode(isLiveSharingActive, forKey: .active)
    }
}
