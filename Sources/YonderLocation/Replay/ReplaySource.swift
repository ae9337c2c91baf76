import Foundation
import Synchronization
public import YonderModel
import YonderRules

/// Replays a track as if somebody went along it now: the "simulate location" of a desktop.
///
/// Fixes are stamped from the moment of ``start()`` on, are marked as simulated and end with the track's
/// last point, unless the replay loops. It can be started once.
///
/// ```swift
/// let source = ReplaySource(track, speed: 10)
/// source.start()
/// for await fix in source.fixes { me.updateLiveLocation(LocationInfo(fix)) }
/// ```
public final class ReplaySource: LocationSource {
    private enum State {
        case ready
        case running(Task<Void, Never>)
        case stopped
    }

    /// What is replayed, once a lap.
    public let schedule: ReplaySchedule
    /// The fixes, each when its time comes; a slow reader loses all but the newest 1,024.
    public let fixes: AsyncStream<Fix>

    private let continuation: AsyncStream<Fix>.Continuation
    private let loops: Bool
    private let state = Mutex(State.ready)

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
        (fixes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_024))
    }

    deinit { stop() }

    public func start() {
        state.withLock { state in
            guard case .ready = state else { return }
            let (schedule, loops, continuation) = (schedule, loops, continuation)
            state = .running(Task { await Self.run(schedule, loops: loops, into: continuation) })
        }
    }

    public func stop() {
        state.withLock { state in
            if case .running(let task) = state { task.cancel() }
            state = .stopped
        }
        continuation.finish()
    }

    private static func run(
        _ schedule: ReplaySchedule, loops: Bool, into continuation: AsyncStream<Fix>.Continuation
    ) async {
        defer { continuation.finish() }
        let clock = ContinuousClock()
        repeat {
            // Whole milliseconds, so that rounding on the wire never makes two fixes one.
            let stamp = Timestamp.now.date
            let start = clock.now
            for index in schedule.entries.indices {
                let due = start + .milliseconds(schedule.entries[index].milliseconds)
                guard (try? await clock.sleep(until: due)) != nil else { return }
                if case .terminated = continuation.yield(schedule.fix(at: index, startedAt: stamp)) {
                    return
                }
            }
            // A lap of one point would begin again in the same millisecond.
            guard (try? await clock.sleep(for: .milliseconds(1))) != nil else { return }
        } while loops && !schedule.entries.isEmpty
    }
}
