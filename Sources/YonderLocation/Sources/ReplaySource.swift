import Foundation
import Synchronization
import YonderModel
import YonderRules

/// Replays a track as if somebody went along it now: the "simulate location" of a desktop.
///
/// Fixes are stamped from the moment of `start` on, are marked as simulated and end with the track's last point, unless
/// the replay loops. Each start begins at the track's beginning.
///
/// ```swift
/// let source = ReplaySource(track, speed: 10)
/// let fixes = source.fixes
/// source.start()
/// for await fix in fixes { me.updateLiveLocation(LocationInfo(fix), completion: nil) }
/// ```
public final class ReplaySource: LocationSource {
    /// What is replayed, once a lap.
    public let schedule: ReplaySchedule
    public let authorization = AuthorizationStatus.authorizedAlways

    private let broadcast = LocationEventBroadcast()
    private let loops: Bool
    private let work = Mutex<Task<Void, Never>?>(nil)

    /// Prepares a replay.
    ///
    /// - Parameters:
    ///   - track: What to replay; without a point there is nothing but the end.
    ///   - speed: How many times faster than the original pace, > 0. Default 1.
    ///   - loops: Whether to begin again after the last point. Default `false`.
    /// - Precondition: `speed` is finite and greater than 0.
    public init(_ track: Track, speed: Double = 1, loops: Bool = false) {
        schedule = ReplaySchedule(track, speed: speed)
        self.loops = loops
    }

    deinit { stop() }

    public var events: AsyncStream<LocationSourceEvent> { broadcast.events() }

    public func start(_ options: LocationOptions) {
        work.withLock { work in
            guard work == nil else { return }
            let (schedule, loops, broadcast) = (schedule, loops, broadcast)
            work = Task { await Self.run(schedule, loops: loops, into: broadcast) }
        }
    }

    public func stop() {
        let running = work.withLock { work in
            defer { work = nil }
            return work
        }
        running?.cancel()
        if running != nil { broadcast.send(.ended) }
    }

    private static func run(
        _ schedule: ReplaySchedule, loops: Bool, into broadcast: LocationEventBroadcast
    ) async {
        let clock = ContinuousClock()
        while true {
            // Whole milliseconds, so that rounding on the wire never makes two fixes one.
            let stamp = Timestamp.now.date
            let start = clock.now
            for index in schedule.entries.indices {
                let due = start + .milliseconds(schedule.entries[index].milliseconds)
                guard (try? await clock.sleep(until: due)) != nil else { return }
                broadcast.send(.fix(schedule.fix(at: index, startedAt: stamp)))
            }
            guard loops, !schedule.entries.isEmpty else { break }
            // The first point of a lap is not the last one's moment; a place that does not move is said once a second.
            let pause = Duration.milliseconds(schedule.entries.count > 1 ? 1 : 1_000)
            guard (try? await clock.sleep(for: pause)) != nil else { return }
        }
        broadcast.send(.ended)
    }
}
