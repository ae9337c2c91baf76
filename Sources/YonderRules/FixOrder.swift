/// What a fix does to one share: fixes are ordered by when they were measured,
/// never by when they arrived.
public enum FixVerdict: Hashable, Sendable {
    /// It is the newest: the pin moves.
    case apply
    /// A newer one was there already: the pin stays.
    case older
    /// One measured at the same millisecond is in place already.
    case duplicate
    /// It was measured more than 5 s before the share began.
    case beforeStart
    /// The share is over.
    case ended

    /// Milliseconds before a share's start in which a fix may have been measured.
    public static let startTolerance: Int64 = 5_000

    /// Whether a position takes another one's place: it was measured later.
    public static func isNewer(_ measuredAt: Timestamp, than lastMeasuredAt: Timestamp) -> Bool {
        measuredAt > lastMeasuredAt
    }

    /// Judges a fix for a share.
    ///
    /// - Parameters:
    ///   - measuredAt: When it was measured, on the server's clock.
    ///   - lastMeasuredAt: The same of the position in place.
    ///   - lifetime: The share's.
    ///   - now: The server's clock.
    public init(
        measuredAt: Timestamp, lastMeasuredAt: Timestamp, lifetime: ShareLifetime, now: Timestamp
    ) {
        if !lifetime.isActive(at: now) {
            self = .ended
        } else if measuredAt < lifetime.startedAt.advanced(byMilliseconds: -Self.startTolerance) {
            self = .beforeStart
        } else if measuredAt == lastMeasuredAt {
            self = .duplicate
        } else {
            self = Self.isNewer(measuredAt, than: lastMeasuredAt) ? .apply : .older
        }
    }
}
