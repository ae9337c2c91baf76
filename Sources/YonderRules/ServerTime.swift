/// The server's clock as another clock sees it: how far the two are apart.
///
/// What the server says of its time is old by the time it took to arrive. So of the last few readings the one
/// counts that says the latest time; a server whose clock was set back is believed when it has said so
/// ``memory`` times. The other clock may be any that goes on steadily; where it jumps, ``restart()``.
public struct ServerTime: Hashable, Sendable {
    /// How many readings count.
    public static let memory = 5

    /// Milliseconds to add to the other clock, the oldest reading first.
    private var offsets: [Int64] = []

    /// Knows nothing yet.
    public init() {}

    /// The server said its time.
    ///
    /// - Parameters:
    ///   - time: What it said.
    ///   - clock: Milliseconds on the other clock when that arrived.
    public mutating func heard(_ time: Timestamp, at clock: Int64) {
        if offsets.count == Self.memory { offsets.removeFirst() }
        offsets.append(time.milliseconds(since: Timestamp(milliseconds: clock)))
    }

    /// Forgets what it knew: the next reading counts alone.
    public mutating func restart() { offsets = [] }

    /// Milliseconds to add to the other clock; `nil` before the server has said anything.
    public var offset: Int64? { offsets.max() }

    /// The server's time at a moment of the other clock, in milliseconds; `nil` before it has said any.
    public func now(at clock: Int64) -> Timestamp? {
        offset.map { Timestamp(milliseconds: clock).advanced(byMilliseconds: $0) }
    }
}
