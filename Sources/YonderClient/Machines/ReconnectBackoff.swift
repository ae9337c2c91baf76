/// How long to wait before the next attempt: exponential, with jitter, so that a thousand clients of a
/// server that was restarted do not come back in one moment.
struct ReconnectBackoff: Hashable {
    /// The longest wait.
    static let cap = Duration.seconds(30)

    private(set) var attempts = 0

    /// An attempt failed.
    ///
    /// - Parameter jitter: A random number in 0...1.
    /// - Returns: Between half and all of 1, 2, 4, 8, 16, 30, 30, … s.
    mutating func failed(jitter: Double) -> Duration {
        let whole = min(Self.cap, .seconds(1 << min(attempts, 5)))
        attempts += 1
        return whole * (0.5 + 0.5 * min(1, max(0, jitter)))
    }

    /// An attempt went well: the next wait is short again.
    mutating func succeeded() { attempts = 0 }
}
