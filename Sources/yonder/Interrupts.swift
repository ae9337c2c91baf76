import Foundation
import Synchronization

/// SIGINT and SIGTERM: the first is a request to come to an end, a later one ends the process at once.
final class Interrupts: Sendable {
    private struct State {
        var counter = InterruptCounter()
        var nextId = 0
        var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())
    private let farewell: String?

    init(farewell: String? = nil) { self.farewell = farewell }

    /// Listens from now on, to the end of the process.
    ///
    /// - Parameter farewell: Said on standard error when the process is left at once; `nil` = nothing.
    /// - Returns: What to wait on.
    static func listen(farewell: String? = nil) -> Interrupts {
        let interrupts = Interrupts(farewell: farewell)
        StopSignals.listen { interrupts.received($0, at: .now) }
        return interrupts
    }

    /// Waits for the first, which may have been before; returns also when the task is cancelled.
    func wait() async {
        let (requests, request) = AsyncStream<Void>.makeStream()
        let id = state.withLock { state in
            state.nextId += 1
            if state.counter.isStopping { request.finish() } else { state.waiters[state.nextId] = request }
            return state.nextId
        }
        for await _ in requests {}
        state.withLock { _ = $0.waiters.removeValue(forKey: id) }
    }

    /// Waits for a task, after an interruption only so long.
    ///
    /// - Parameters:
    ///   - task: Not cancelled by this.
    ///   - grace: How long it may still take after an interruption.
    /// - Returns: Its value; `nil` where it took longer.
    func value<Value: Sendable>(of task: Task<Value, Never>, grace: Duration) async -> Value? {
        let (values, value) = AsyncStream<Value?>.makeStream()
        let limit = Task {
            await wait()
            try await Task.sleep(for: grace)
            value.yield(nil)
        }
        defer { limit.cancel() }
        Task { value.yield(await task.value) }
        for await first in values { return first }
        return nil
    }

    /// A signal came.
    func received(_ number: Int32, at now: ContinuousClock.Instant) {
        let (action, waiters) = state.withLock { state in
            let action = state.counter.received(at: now)
            defer { if action == .stop { state.waiters = [:] } }
            return (action, state.waiters.values)
        }
        switch action {
        case .stop: for waiter in waiters { waiter.finish() }
        case .ignore: break
        case .leave:
            if let farewell { Output.problem(farewell, as: nil) }
            _exit(128 + number)
        }
    }
}
