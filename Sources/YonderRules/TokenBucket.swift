/// How often something may happen: a steady rate with room for bursts.
///
/// A bucket holds up to `burst` tokens and is filled at `perSecond`; whatever happens takes one.
public struct TokenBucket: Hashable, Sendable {
    /// Tokens added a second, > 0.
    public let perSecond: Double
    /// Most tokens that are kept, ≥ 1.
    public let burst: Double

    private var tokens: Double
    private var filledAt: Timestamp

    /// Creates a full bucket.
    public init(perSecond: Double, burst: Double, now: Timestamp) {
        self.perSecond = perSecond
        self.burst = burst
        tokens = burst
        filledAt = now
    }

    /// Takes a token.
    ///
    /// - Parameter now: The clock; one that goes back fills nothing.
    /// - Returns: `nil` where there was one, else whole seconds to wait for it, ≥ 1.
    public mutating func take(now: Timestamp) -> Int? {
        fill(now)
        if tokens >= 1 {
            tokens -= 1
            return nil
        }
        return max(1, Int(((1 - tokens) / perSecond).rounded(.up)))
    }

    /// Whether it is as good as new.
    public mutating func isFull(now: Timestamp) -> Bool {
        fill(now)
        return tokens >= burst
    }

    private mutating func fill(_ now: Timestamp) {
        let elapsed = Double(max(0, now.milliseconds(since: filledAt))) / 1000
        tokens = min(burst, tokens + elapsed * perSecond)
        filledAt = now
    }
}
