/// A moment: whole milliseconds since 1970-01-01T00:00:00Z.
///
/// The one time type of the rules and of the server. 64 bits wide everywhere,
/// also where `Int` has 32.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since the epoch; may be negative.
    public let milliseconds: Int64

    /// Creates a moment from milliseconds since the epoch.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

    /// This moment moved by a number of milliseconds; saturates at the ends of the scale.
    public func advanced(byMilliseconds delta: Int64) -> Timestamp {
        let (sum, overflow) = milliseconds.addingReportingOverflow(delta)
        if overflow { return Timestamp(milliseconds: delta > 0 ? .max : .min) }
        return Timestamp(milliseconds: sum)
    }

    /// This moment moved by a number of seconds; saturates at the ends of the scale.
    public func advanced(bySeconds seconds: Int64) -> Timestamp {
        let (delta, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return Timestamp(milliseconds: seconds > 0 ? .max : .min) }
        return advanced(byMilliseconds: delta)
    }

    /// Milliseconds from another moment to this one; saturates.
    public func milliseconds(since other: Timestamp) -> Int64 {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(other.milliseconds)
        if overflow { return milliseconds > other.milliseconds ? .max : .min }
        return difference
    }
}
