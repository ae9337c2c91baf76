import Foundation
import YonderRules

@testable import YonderModel

/// A fix and the head of a command: what the hot path reads by itself is what Foundation reads.
func fuzzFix(_ input: [UInt8]) throws(BrokenPromise) {
    let fix: FixReport?
    let code: ErrorCode?
    do {
        (fix, code) = (try FixReport(json: input), nil)
    } catch {
        (fix, code) = (nil, error.code)
        try check(error.code == .invalidJSON || error.field != nil, "a wrong fix names its field")
    }
    guard String(validating: input, as: UTF8.self) != nil else {
        return try check(code == .invalidJSON, "a fix is UTF-8")
    }
    try checkIsJSON(input, taken: code != .invalidJSON)
    try checkBatch(of: input, fix, isJSON: code != .invalidJSON)
    // Of a key that stands twice Foundation takes the first.
    guard !hasKeyTwice(input) else { return }
    try checkHead(CommandHead(json: input), of: input, isJSON: code != .invalidJSON)
    if code != .invalidJSON { try checkMirror(of: fix, input) }
}

private func checkMirror(of fix: FixReport?, _ input: [UInt8]) throws(BrokenPromise) {
    var mirror: FixReport?
    do {
        mirror = try JSONDecoder().decode(FixMirror.self, from: Data(input)).fix
    } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
        return  // it cannot read `0e4`, nor a number that no Double holds
    } catch {}
    try check(fix == mirror, "a fix is what Foundation reads")
}

/// A batch takes the fixes that are right by themselves, and rejects the others, each by itself.
private func checkBatch(of input: [UInt8], _ fix: FixReport?, isJSON: Bool) throws(BrokenPromise) {
    _ = try? FixBatch(json: input)
    let good = #"{"latitude":1,"longitude":2}"#
    let bytes = Array("{\"fixes\":[\(good),".utf8) + input + Array(",\(good)]}".utf8)
    guard isJSON, let batch = try? FixBatch(json: bytes) else { return }
    try check(batch.fixes.count + batch.rejected.count == 3, "a batch tells of each of its fixes")
    try check(
        batch.fixes.map(\.index) == (fix == nil ? [0, 2] : [0, 1, 2]),
        "a batch takes what is a fix by itself")
    if let fix { try check(batch.fixes[1].report == fix, "a fix in a batch is the same fix") }
}

private func checkHead(_ head: CommandHead, of input: [UInt8], isJSON: Bool) throws(BrokenPromise) {
    try check(isJSON == (head.problem?.code != .invalidJSON), "a head and a fix agree on what is JSON")
    // To Foundation 1e-400 is a whole number, and 9223373026854775.807, too.
    guard !holdsUnfitNumber(input), head.id.map({ $0.magnitude < 1 << 53 }) ?? true else { return }
    let mirror = try? WireJSON.decode(HeadMirror.self, from: input)
    try check(head.op == mirror?.op, "the op is what Foundation reads")
    if mirror != nil { try check(head.id == mirror?.id, "the number is what Foundation reads") }
}

private func hasKeyTwice(_ input: [UInt8]) -> Bool {
    var keys: [String] = []
    _ = try? ByteReader.readObject(input) { key, reader throws(ByteReader.Malformed) in
        keys.append(key)
        try reader.skip()
    }
    return Set(keys).count < keys.count
}

/// A fix, read by Foundation.
private struct FixMirror: Decodable {
    var position: RawPosition
    var recordedAt: Timestamp?
    var sentAt: Timestamp?
    var deviceId: DeviceId?
    var messageIds: [MessageId]?

    private enum Key: String, CodingKey {
        case recordedAt = "recorded_at"
        case sentAt = "sent_at"
        case deviceId = "device_id"
        case messageIds = "message_ids"
    }

    init(from decoder: any Decoder) throws {
        position = try RawPosition(from: decoder)
        let container = try decoder.container(keyedBy: Key.self)
        recordedAt = try container.decodeIfPresent(Timestamp.self, forKey: .recordedAt)
        sentAt = try container.decodeIfPresent(Timestamp.self, forKey: .sentAt)
        deviceId = try container.decodeIfPresent(DeviceId.self, forKey: .deviceId)
        messageIds = try container.decodeIfPresent([MessageId].self, forKey: .messageIds)
    }

    var fix: FixReport? {
        guard let position = try? Position(position, at: ""),
            messageIds?.count ?? 0 <= FixReport.maxMessageIds
        else { return nil }
        var fix = FixReport(position: position)
        fix.recordedAt = recordedAt
        fix.sentAt = sentAt
        fix.deviceId = deviceId
        fix.messageIds = messageIds
        return fix
    }
}

/// The head of a command, read by Foundation.
private struct HeadMirror: Decodable {
    var op: String
    var id: Int?
}
