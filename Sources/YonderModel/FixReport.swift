/// One fix as a device reports it: the body of `PUT /v1/live-locations` and of the op `fix`.
package struct FixReport: Hashable, Sendable {
    /// Most shares that one fix may name.
    package static let maxMessageIds = 100

    package var position: Position
    /// The device's time of measurement; `nil` = at arrival.
    package var recordedAt: Timestamp?
    /// The device's clock at this attempt.
    package var sentAt: Timestamp?
    /// Which device measured it; `nil` = all of the user's shares take it.
    package var deviceId: DeviceId?
    /// Only these shares; `nil` = all that the device feeds.
    package var messageIds: [MessageId]?

    package init(position: Position) { self.position = position }
}

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
