import YonderModel
import YonderRules

/// The body of a send, as it came.
struct MessageBody: Decodable {
    var id: MessageId?
    var text: String?
    var parentId: MessageId?
    var quotedMessageId: MessageId?
    var sharedLocation: SharedLocationBody?
    var sentAt: Timestamp?

    enum CodingKeys: String, CodingKey {
        case id, text
        case parentId = "parent_id"
        case quotedMessageId = "quoted_message_id"
        case sharedLocation = "shared_location"
        case sentAt = "sent_at"
    }
}

/// The location in a send, as it came.
struct SharedLocationBody: Decodable {
    var position: RawPosition
    var recordedAt: Timestamp?
    var endAt: Timestamp?
    var deviceId: DeviceId?
    var fedBy: DeviceId?
    var precision: SharePrecision?
    var keepTrail: Bool?

    enum CodingKeys: String, CodingKey {
        case precision
        case keepTrail = "keep_trail"
        case recordedAt = "recorded_at"
        case endAt = "end_at"
        case deviceId = "device_id"
        case fedBy = "fed_by"
    }

    init(from decoder: any Decoder) throws {
        position = try RawPosition(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        recordedAt = try container.decodeIfPresent(Timestamp.self, forKey: .recordedAt)
        endAt = try container.decodeIfPresent(Timestamp.self, forKey: .endAt)
        deviceId = try container.decodeIfPresent(DeviceId.self, forKey: .deviceId)
        fedBy = try container.decodeIfPresent(DeviceId.self, forKey: .fedBy)
        precision = try container.decodeIfPresent(SharePrecision.self, forKey: .precision)
        keepTrail = try container.decodeIfPresent(Bool.self, forKey: .keepTrail)
    }
}

/// A message to be sent, checked as far as that goes without the store.
struct MessageDraft: Sendable {
    /// The location part of a draft.
    struct Location: Sendable {
        /// As finely as it is to be told: nothing finer goes on from here.
        var position: Position
        var precision: SharePrecision
        var keepsTrail: Bool
        var recordedAt: Timestamp?
        var endAt: Timestamp?
        var deviceId: DeviceId?
        var fedBy: DeviceId?
    }

    static let maxTextScalars = 20_000

    var id: MessageId?
    var text: String
    var parentId: MessageId?
    var quotedId: MessageId?
    var location: Location?
    var correction: ClockCorrection

    /// Checks a body.
    ///
    /// - Throws: `WireError` naming the first field that is wrong.
    init(_ body: MessageBody, now: Timestamp) throws(WireError) {
        id = body.id
        text = body.text ?? ""
        correction = ClockCorrection(sentAt: body.sentAt, now: now)
        (parentId, quotedId) = (body.parentId, body.quotedMessageId)
        try Self.checkLength(of: text)
        guard parentId == nil || body.sharedLocation == nil else {
            throw WireError(
                .locationInThread, "a location cannot be sent in a thread", field: "/shared_location")
        }
        guard !text.isEmpty || body.sharedLocation != nil else {
            throw WireError(.invalidArgument, "a text or a location is required", field: "/text")
        }
        location = try body.sharedLocation.map { (raw) throws(WireError) in try Self.location(raw) }
    }

    /// Refuses a text that is too long.
    static func checkLength(of text: String) throws(WireError) {
        guard text.unicodeScalars.count <= maxTextScalars else {
            throw WireError(.invalidArgument, "at most 20,000 characters", field: "/text")
        }
    }

    private static func location(_ body: SharedLocationBody) throws(WireError) -> Location {
        var position = try Position(body.position, at: "/shared_location")
        let precision = body.precision ?? .exact
        if precision == .approximate { position = position.approximated() }
        if body.endAt == nil, body.fedBy != nil {
            throw WireError(
                .invalidArgument, "only a live location is fed by a device", field: "/shared_location/fed_by")
        }
        if body.endAt != nil, body.deviceId == nil {
            throw WireError(
                .deviceRequired, "a live location needs the device it is made from",
                field: "/shared_location/device_id")
        }
        return Location(
            position: position, precision: precision, keepsTrail: body.keepTrail == true && body.endAt != nil,
            recordedAt: body.recordedAt, endAt: body.endAt, deviceId: body.deviceId,
            fedBy: body.fedBy)
    }
}

/// What two sends of the same message have in common: by it a retry is told from another message.
struct MessageIdentity: Encodable {
    var author: UserId
    var channel: ChannelId
    var text: String
    var parentId: MessageId?
    var quotedId: MessageId?
    var position: Position?
    /// `nil` = exact.
    var precision: SharePrecision?
    /// `nil` = no.
    var keepsTrail: Bool?
    var recordedAt: Timestamp?
    var endAt: Timestamp?
    var deviceId: DeviceId?
    var fedBy: DeviceId?

    init(_ draft: MessageDraft, author: UserId, channel: ChannelId) {
        self.author = author
        self.channel = channel
        text = draft.text
        parentId = draft.parentId
        quotedId = draft.quotedId
        position = draft.location?.position
        precision = draft.location?.precision == .approximate ? .approximate : nil
        keepsTrail = draft.location?.keepsTrail == true ? true : nil
        recordedAt = draft.location?.recordedAt
        endAt = draft.location?.endAt
        deviceId = draft.location?.deviceId
        fedBy = draft.location?.fedBy
    }
}

extension SharedLocationBody {
    /// A live location that the server itself starts.
    init(position: RawPosition, endAt: Timestamp, deviceId: DeviceId) {
        self.position = position
        self.endAt = endAt
        self.deviceId = deviceId
    }
}
