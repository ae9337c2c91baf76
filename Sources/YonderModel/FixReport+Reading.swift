extension FixReport {
    /// Reads a fix from JSON without Foundation: this body is the hot path.
    ///
    /// Unknown keys are skipped; of a key that stands twice the last counts.
    ///
    /// - Throws: `WireError`: `.invalidJSON` where the bytes are no UTF-8 JSON,
    ///   `.invalidArgument` naming the first wrong field otherwise.
    package init(json bytes: [UInt8]) throws(WireError) {
        guard bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil else {
            throw WireError(.invalidJSON, "the body is not valid UTF-8")
        }
        var scan = FixScan()
        do {
            try scan.read(bytes)
        } catch {
            throw WireError(.invalidJSON, "the body is not valid JSON")
        }
        if let problem = scan.problem { throw problem }
        self.init(position: try Position(scan.raw, at: ""))
        recordedAt = scan.recordedAt
        sentAt = scan.sentAt
        deviceId = scan.deviceId
        messageIds = scan.messageIds
    }
}

/// One pass over a fix's bytes: what it says, and the first thing that is wrong.
///
/// The pass always goes to the end, so that broken JSON is called that wherever it breaks.
private struct FixScan {
    var raw = RawPosition()
    var recordedAt: Timestamp?
    var sentAt: Timestamp?
    var deviceId: DeviceId?
    var messageIds: [MessageId]?
    var problem: WireError?

    mutating func read(_ bytes: [UInt8]) throws(ByteReader.Malformed) {
        let isObject = try ByteReader.readObject(bytes) { key, reader throws(ByteReader.Malformed) in
            try value(of: key, from: &reader)
        }
        if !isObject { report("", "expected an object") }
    }

    private mutating func value(
        of key: String, from reader: inout ByteReader
    ) throws(ByteReader.Malformed) {
        if try reader.null() { return }
        if let known = PositionKey(rawValue: key) {
            raw[keyPath: known.path] = try number(key, from: &reader)
            return
        }
        switch key {
        case "recorded_at": recordedAt = try time(key, from: &reader)
        case "sent_at": sentAt = try time(key, from: &reader)
        case "device_id":
            deviceId = try text(key, from: &reader).flatMap(DeviceId.init)
            if deviceId == nil { report("/\(key)", "not a well-formed device id") }
        case "message_ids": messageIds = try ids(from: &reader)
        default: try reader.skip()
        }
    }

    private mutating func number(
        _ key: String, from reader: inout ByteReader
    ) throws(ByteReader.Malformed) -> Double? {
        let next = reader.peek()
        guard next == UInt8(ascii: "-") || next &- 48 < 10 else {
            try reader.skip()
            report("/\(key)", "expected a number")
            return nil
        }
        let value = try reader.number()
        if !value.isFinite { report("/\(key)", "the number is out of range") }
        return value
    }

    private mutating func text(
        _ key: String, from reader: inout ByteReader
    ) throws(ByteReader.Malformed) -> String? {
        guard reader.peek() == UInt8(ascii: "\"") else {
            try reader.skip()
            report("/\(key)", "expected a string")
            return nil
        }
        return try reader.string()
    }

    private mutating func time(
        _ key: String, from reader: inout ByteReader
    ) throws(ByteReader.Malformed) -> Timestamp? {
        guard let text = try text(key, from: &reader) else { return nil }
        let time = Timestamp(rfc3339: text)
        if time == nil {
            report("/\(key)", "not an RFC 3339 time with a zone, as 2026-11-30T12:00:00Z")
        }
        return time
    }

    private mutating func ids(
        from reader: inout ByteReader
    ) throws(ByteReader.Malformed) -> [MessageId]? {
        guard reader.eat("[") else {
            try reader.skip()
            report("/message_ids", "expected a list of message ids")
            return nil
        }
        var ids: [MessageId] = []
        var position = 0
        defer {
            if position > FixReport.maxMessageIds {
                report("/message_ids", "at most \(FixReport.maxMessageIds) ids")
            }
        }
        if reader.eat("]") { return ids }
        repeat {
            let text = try text("message_ids/\(position)", from: &reader)
            if let id = text.flatMap(MessageId.init) {
                ids.append(id)
            } else {
                report("/message_ids/\(position)", "not a well-formed message id")
            }
            position += 1
        } while reader.eat(",")
        try reader.expect("]")
        return ids
    }

    private mutating func report(_ field: String, _ detail: String) {
        if problem == nil { problem = WireError(.invalidArgument, detail, field: field) }
    }
}
