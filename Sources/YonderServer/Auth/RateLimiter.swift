import Synchronization
import YonderModel
import YonderRules

/// How often everybody may write.
final class RateLimiter: Sendable {
    /// Who does what.
    enum Key: Hashable, Sendable {
        /// A user's fixes: 4 a second, 40 at once.
        case locations(UserId)
        /// A user's other writes: 10 a second, 60 at once.
        case writes(UserId)
        /// A user's readings of trails: one a second, 20 at once.
        case trails(UserId)
        /// A user's exports: one in ten seconds, 3 at once.
        case exports(UserId)
        /// What a link's guests ask over their connections, all together: 100 a second, 1,000 at once.
        case guests(LinkId)
        /// Channels that a user begins to watch: 100 a second, 1,000 at once.
        case subscriptions(UserId)
        /// Writes without a valid token from an address: 20 a minute.
        case strangers(String)
        /// What comes from an address for phone apps without a valid ingest key: 20 a minute. Beside the former, as
        /// an app that was forgotten tries on and on, and people at its address want to come in.
        case strangeApps(String)
    }

    /// Buckets kept; when there are more, the full ones go.
    private static let maxBuckets = 50_000

    private let isOn: Bool
    private let clock: @Sendable () -> Timestamp
    private let buckets = Mutex<[Key: TokenBucket]>([:])

    init(isOn: Bool, clock: @escaping @Sendable () -> Timestamp) {
        self.isOn = isOn
        self.clock = clock
    }

    /// Counts a write, or several at once.
    ///
    /// - Throws: `WireError` `.rateLimited` saying how long to wait.
    func count(_ key: Key, times: Int = 1) throws(WireError) {
        guard isOn else { return }
        let now = clock()
        let wait = buckets.withLock { buckets -> Int? in
            if buckets.count >= Self.maxBuckets {
                buckets = buckets.filter { entry in
                    var bucket = entry.value
                    return !bucket.isFull(now: now)
                }
            }
            return buckets[key, default: Self.bucket(for: key, now: now)].take(times, now: now)
        }
        if let wait {
            throw WireError(.rateLimited, "too many requests: wait \(wait) s", retryAfter: wait)
        }
    }

    private static func bucket(for key: Key, now: Timestamp) -> TokenBucket {
        switch key {
        case .locations: TokenBucket(perSecond: 4, burst: 40, now: now)
        case .writes: TokenBucket(perSecond: 10, burst: 60, now: now)
        case .trails: TokenBucket(perSecond: 1, burst: 20, now: now)
        case .exports: TokenBucket(perSecond: 0.1, burst: 3, now: now)
        case .subscriptions, .guests: TokenBucket(perSecond: 100, burst: 1_000, now: now)
        case .strangers, .strangeApps: TokenBucket(perSecond: 20.0 / 60, burst: 20, now: now)
        }
    }
}
