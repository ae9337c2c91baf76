import Dispatch
import Synchronization

/// The changes that wait for the writer's thread.
final class ChangeQueue: Sendable {
    /// Changes that may wait before the next one is refused.
    static let maxWaiting = 10_000

    private struct State {
        enum Phase {
            case open
            case closing([CheckedContinuation<Void, Never>])
            case closed
        }

        var waiting: [any PendingChange] = []
        var pace = GatheringPace(now: .now)
        var phase = Phase.open
    }

    private let state = Mutex(State())
    /// Rung once for every time that `waiting` stops being empty, and once for the end.
    private let bell = DispatchSemaphore(value: 0)
    /// Rung when those that wait begin to be in a hurry.
    private let hurry = DispatchSemaphore(value: 0)

    /// Appends a change.
    ///
    /// - Returns: Why it was refused; `nil` if it was not.
    func add(_ change: any PendingChange) -> StoreError? {
        var wasEmpty = false
        var beginsToHurry = false
        let refusal = state.withLock { state -> StoreError? in
            guard case .open = state.phase else {
                return StoreError(.closed, "the store has been closed")
            }
            guard state.waiting.count < Self.maxWaiting else {
                return StoreError(.busy, "\(Self.maxWaiting) changes are waiting already")
            }
            wasEmpty = state.waiting.isEmpty
            state.waiting.append(change)
            beginsToHurry = state.pace.came(change.urgency, at: .now)
            return nil
        }
        if wasEmpty { bell.signal() }
        if beginsToHurry { hurry.signal() }
        return refusal
    }

    /// Waits until there is something to do and takes all of it.
    ///
    /// - Parameter batch: An empty array, whose memory is reused.
    /// - Returns: `false` once the queue is closing and drained.
    func next(into batch: inout [any PendingChange]) -> Bool {
        bell.wait()
        // A ring for hurry may be from one that is over: only the state counts.
        while let end = state.withLock({ $0.pace.end }) {
            let rest = ContinuousClock.now.duration(to: end)
            guard rest > .zero else { break }
            _ = hurry.wait(timeout: .now() + .nanoseconds(Int(rest / .nanoseconds(1))))
        }
        state.withLock { state in
            swap(&state.waiting, &batch)
            state.pace.taken(at: .now)
        }
        return !batch.isEmpty
    }

    /// Refuses further changes; those that wait are still done.
    func beginClosing() {
        let first = state.withLock { state in
            guard case .open = state.phase else { return false }
            state.phase = .closing([])
            state.pace.hurry()
            return true
        }
        guard first else { return }
        bell.signal()
        hurry.signal()
    }

    /// Returns when the writer has finished.
    func waitUntilClosed() async {
        await withCheckedContinuation { continuation in
            let isClosed = state.withLock { state in
                guard case .closing(var waiters) = state.phase else { return true }
                waiters.append(continuation)
                state.phase = .closing(waiters)
                return false
            }
            if isClosed { continuation.resume() }
        }
    }

    /// Told by the writer when everything is done and let go.
    func didClose() {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            defer { state.phase = .closed }
            guard case .closing(let waiters) = state.phase else { return [] }
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
