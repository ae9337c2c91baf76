/// When a live share is on: from its start to its end, by the server's clock alone.
public struct ShareLifetime: Hashable, Sendable {
    /// When the share was created.
    public let startedAt: Timestamp
    /// When it ends by itself.
    public var endAt: Timestamp
    /// When it was over; `nil` while nothing has ended it.
    public var endedAt: Timestamp?

    /// Creates a lifetime; `endedAt` is `nil` for one that nothing has ended yet.
    public init(startedAt: Timestamp, endAt: Timestamp, endedAt: Timestamp? = nil) {
        self.startedAt = startedAt
        self.endAt = endAt
        self.endedAt = endedAt
    }

    /// Whether the share is on: nothing ended it, and its end is still to come.
    public func isActive(at now: Timestamp) -> Bool { endedAt == nil && now < endAt }

    /// Whether its end has passed without anybody having said so yet.
    public func isDue(at now: Timestamp) -> Bool { endedAt == nil && now >= endAt }
}

/// How long a live share may last.
public struct ShareLimits: Hashable, Sendable {
    /// Shortest share in seconds. Default 60.
    public let minimumSeconds: Int64
    /// Longest share in seconds: the channel's `max_live_seconds`. Default 28,800 (8 h).
    public let maximumSeconds: Int64

    /// Milliseconds forgiven at both ends, for the clocks of clients.
    public static let grace: Int64 = 2_000

    /// Creates limits in seconds.
    public init(minimumSeconds: Int64 = 60, maximumSeconds: Int64 = 28_800) {
        self.minimumSeconds = minimumSeconds
        self.maximumSeconds = maximumSeconds
    }

    /// Whether a share that starts now may end then.
    public func allows(endAt: Timestamp, startingAt now: Timestamp) -> Bool {
        let length = endAt.milliseconds(since: now)
        return length >= minimumSeconds * 1000 - Self.grace
            && length <= maximumSeconds * 1000 + Self.grace
    }
}
