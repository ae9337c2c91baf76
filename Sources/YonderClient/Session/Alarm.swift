import Synchronization

/// A wait that can be cut short; for one who waits.
final class Alarm: Sendable {
    private struct State {
        var isRung = false
        var sleeper: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// Ends the wait; one that has not begun yet ends as it begins.
    func ring() {
        state.withLock { state in
            if let sleeper = state.sleeper { sleeper.cancel() } else { state.isRung = true }
        }
    }

    /// Waits until it is rung, until a moment, or until the task is cancelled.
    func wait(until moment: ContinuousClock.Instant?) async {
        let sleeper = Task {
            // Without a moment: again and again, as a sleep has a longest.
            repeat {
                try? await Task.sleep(until: moment ?? .now + .seconds(86_400), clock: .continuous)
            } while moment == nil && !Task.isCancelled
        }
        let isRung = state.withLock { state in
            defer { state.isRung = false }
            if !state.isRung { state.sleeper = sleeper }
            return state.isRung
        }
        if isRung { sleeper.cancel() }
        await withTaskCancellationHandler {
            await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
        state.withLock { $0.sleeper = nil }
    }
}
