import YonderRules

/// The server's clock as this device knows it: from what the server said and the time since, never from
/// the device's own clock, which may be wrong or be set.
struct ServerClock: Hashable {
    typealias Instant = ContinuousClock.Instant

    private struct Reading: Hashable {
        var time: Timestamp
        var at: Instant
    }

    private var told: Reading?

    /// The server said its time.
    ///
    /// What it says is old by the time it took to arrive, so the latest reading is the best one. One that
    /// lies more than 2 s back means that the server's clock was set.
    mutating func heard(_ time: Timestamp, at instant: Instant) {
        if let known = now(at: instant), time <= known, known.milliseconds(since: time) <= 2_000 { return }
        told = Reading(time: time, at: instant)
    }

    /// The server's time at a moment; `nil` before it has said any.
    func now(at instant: Instant) -> Timestamp? {
        guard let told else { return nil }
        let (seconds, attoseconds) = (instant - told.at).components
        return told.time.advanced(byMilliseconds: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

}
