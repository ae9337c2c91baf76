/// What a fix did, share by share: the answer to a fix.
public struct FixOutcome: Hashable, Sendable, Codable {
    /// Why a share did not move.
    public enum Reason: String, Hashable, Sendable, Codable {
        case older, ended, duplicate
        case beforeStart = "before_start"
        case notFound = "not_found"
    }

    /// A share that did not move.
    public struct Skipped: Hashable, Sendable, Codable {
        public var messageId: MessageId
        public var reason: Reason

        enum CodingKeys: String, CodingKey {
            case messageId = "message_id"
            case reason
        }

        /// Creates an entry.
        public init(messageId: MessageId, reason: Reason) {
            self.messageId = messageId
            self.reason = reason
        }
    }

    /// The shares that moved.
    public var applied: [MessageId]
    /// The others.
    public var skipped: [Skipped]

    /// Creates an outcome.
    public init(applied: [MessageId] = [], skipped: [Skipped] = []) {
        self.applied = applied
        self.skipped = skipped
    }
}

extension FixOutcome {
    /// The outcome as JSON, written byte by byte as all of the hot path's JSON.
    package func json() -> [UInt8] { json(after: "{") }

    /// The event `ack` that carries the outcome; without `id` where the command had no number.
    package func ackJSON(id: Int?) -> [UInt8] {
        json(after: id.map { "{\"event\":\"ack\",\"id\":\($0)," } ?? "{\"event\":\"ack\",")
    }

    /// Ids and reasons need no escaping: their alphabets hold nothing that JSON escapes.
    private func json(after start: String) -> [UInt8] {
        let applied = applied.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
        let skipped = skipped.map {
            "{\"message_id\":\"\($0.messageId.rawValue)\",\"reason\":\"\($0.reason.rawValue)\"}"
        }
        return Array("\(start)\"applied\":[\(applied)],\"skipped\":[\(skipped.joined(separator: ","))]}".utf8)
    }
}
