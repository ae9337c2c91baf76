import YonderRules

/// The server's clock as this device knows it: from what the server said and the time since, never from
/// the device's own clock, which may be wrong or be set.
struct ServerClock: Hashable {
    typealias Instant = ContinuousClock.Instant

    private static let start = ContinuousClock.now

    private var time = ServerTime()

    /// The server said its time.
    mutating func heard(_ time: Timestamp, at instant: Instant) {
        self.time.heard(time, at: Self.milliseconds(instant))
    }

    /// The server's time at a moment; `nil` before it has said any.
    func now(at instant: Instant) -> Timestamp? { time.now(at: Self.milliseconds(instant)) }

    private static func milliseconds(_ instant: Instant) -> Int64 {
        let (seconds, attoseconds) = (instant - start).components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
