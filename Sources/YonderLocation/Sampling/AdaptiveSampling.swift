import Foundation
import YonderGeo
public import YonderModel

/// How often a position is worth sending: a promise to who watches, and what the battery pays for it.
public struct SamplingPlan: Hashable, Sendable {
    /// Seconds after which the next position is sent wherever it is.
    public var interval: Double
    /// Metres after which it is sent earlier; `nil` = never.
    public var distance: Double?
    /// Seconds within which the next one is promised: `next_within`.
    public var nextWithin: Double
}

/// Decides how often positions are sent by how somebody moves and whether anybody watches.
///
/// | | every | or after | promised within |
/// |---|---|---|---|
/// | nobody watches, standing | 300 s | | 360 s |
/// | nobody watches, moving | 60 s | | 90 s |
/// | standing, under 0.5 m/s | 60 s | 25 m | 90 s |
/// | walking, under 3 m/s, or the speed is not known | 20 s | 10 m | 30 s |
/// | faster | 2 s | | 10 s |
public enum AdaptiveSampling: Sendable {
    /// The plan for a way of moving.
    ///
    /// - Parameters:
    ///   - speed: Metres a second; `nil` = unknown.
    ///   - watchers: How many watch; `nil` = unknown, which counts as some.
    /// - Returns: How often to send.
    public static func plan(speed: Double?, watchers: Int?) -> SamplingPlan {
        let isStanding = speed.map { $0 < 0.5 } ?? false
        if watchers == 0 {
            return isStanding
                ? SamplingPlan(interval: 300, distance: nil, nextWithin: 360)
                : SamplingPlan(interval: 60, distance: nil, nextWithin: 90)
        }
        if isStanding { return SamplingPlan(interval: 60, distance: 25, nextWithin: 90) }
        guard let speed, speed >= 3 else { return SamplingPlan(interval: 20, distance: 10, nextWithin: 30) }
        return SamplingPlan(interval: 2, distance: nil, nextWithin: 10)
    }
}

/// Picks the fixes that are worth sending, by ``AdaptiveSampling``.
///
/// A change of plan sends at once, so that nobody goes by a promise that is not kept any more; so does the first who
/// comes to watch.
public struct AdaptiveSampler: Sendable {
    /// How many watch; `nil` = unknown.
    public var watchers: Int?

    private var last: (fix: Fix, plan: SamplingPlan)?

    /// Creates one that has sent nothing yet.
    public init() {}

    /// Judges a fix.
    ///
    /// - Parameter fix: The next one, newer than all before.
    /// - Returns: The position to be sent, with what it promises; `nil` = not this one.
    public mutating func offer(_ fix: Fix) -> LocationInfo? {
        let plan = AdaptiveSampling.plan(speed: fix.speed, watchers: watchers)
        if let last, last.plan == plan {
            let seconds = fix.timestamp.timeIntervalSince(last.fix.timestamp)
            let isFar = plan.distance.map { last.fix.coordinate.distance(to: fix.coordinate) >= $0 } ?? false
            // Half a second early is better than one fix late.
            guard seconds >= plan.interval - 0.5 || isFar else { return nil }
        }
        last = (fix, plan)
        var location = LocationInfo(fix)
        location.nextWithin = plan.nextWithin
        return location
    }
}
