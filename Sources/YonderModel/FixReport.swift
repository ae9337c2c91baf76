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
