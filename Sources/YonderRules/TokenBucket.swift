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

    /// Takes tokens.
    ///
    /// - Parameters:
    ///   - count: How many; more than `burst` are never there at once. Default 1.
    ///   - now: The clock; one that goes back fills nothing.
    /// - Returns: `nil` where there were so many, else whole seconds to wait for them, ≥ 1.
    public mutating func take(_ count: Int = 1, now: Timestamp) -> Int? {
        fill(now)
        let wanted = Double(count)
        if tokens >= wanted {
            tokens -= wanted
            return nil
        }
        return max(1, Int(((wanted - tokens) / perSecond).rounded(.up)))
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
