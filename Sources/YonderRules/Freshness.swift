/// When a position stops looking fresh.
public enum Freshness: Sendable {
    /// Seconds after which a position is stale at the earliest.
    public static let minimumSeconds = 30.0

    /// Whether a live position is too old to be shown as fresh.
    ///
    /// - Parameters:
    ///   - recordedAt: When it was measured.
    ///   - nextWithin: Seconds within which its sender meant to report again; `nil` = not said.
    ///   - now: The server's clock.
    /// - Returns: `true` after twice `nextWithin`, never before ``minimumSeconds``.
    public static func isStale(recordedAt: Timestamp, nextWithin: Double?, now: Timestamp) -> Bool {
        Double(now.milliseconds(since: recordedAt)) > seconds(expectedWithin: nextWithin) * 1000
    }

    /// Seconds that a position stays fresh: twice those within which the next one is due, never less than
    /// ``minimumSeconds``; `nil`: nobody knows when.
    public static func seconds(expectedWithin due: Double?) -> Double { max(minimumSeconds, 2 * (due ?? 0)) }
}
