import Synchronization
package import YonderModel

/// One event as it was received and as it is understood.
package struct ReceivedEvent: Sendable, Hashable {
    /// The frame's JSON, byte for byte.
    package let json: [UInt8]
    package let event: ServerEvent
}

/// Hands events and the connection's status to everybody who observes them.
final class EventHub: Sendable {
    /// Events that may wait for an observer; one that reads slower loses the oldest.
    static let maxWaiting = 10_000

    private struct State {
        var nextId = 0
        var events: [Int: AsyncStream<ReceivedEvent>.Continuation] = [:]
        var statuses: [Int: AsyncStream<ConnectionStatus>.Continuation] = [:]
        var status = ConnectionStatus.initialized
        var problem: ClientError?
    }

    private let state = Mutex(State())

    deinit {
        state.withLock { state in
            for observer in state.events.values { observer.finish() }
            for observer in state.statuses.values { observer.finish() }
        }
    }

    var status: ConnectionStatus { state.withLock { $0.status } }

    func publish(_ event: ReceivedEvent) {
        for observer in state.withLock({ Array($0.events.values) }) { observer.yield(event) }
    }

    /// Why there is no connection now; `nil` where there is one, or none is wished for.
    var problem: ClientError? { state.withLock { $0.problem } }

    func publish(_ status: ConnectionStatus, because problem: ClientError? = nil) {
        let observers = state.withLock { state in
            state.problem = problem
            guard state.status != status else { return [AsyncStream<ConnectionStatus>.Continuation]() }
            state.status = status
            return Array(state.statuses.values)
        }
        for observer in observers { observer.yield(status) }
    }

    /// Events from now on.
    func events() -> AsyncStream<ReceivedEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ReceivedEvent.self, bufferingPolicy: .bufferingNewest(Self.maxWaiting))
        let id = state.withLock { state in
            state.nextId += 1
            state.events[state.nextId] = continuation
            return state.nextId
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.events.removeValue(forKey: id) }
        }
        return stream
    }

    /// Changes of the status from now on.
    func statuses() -> AsyncStream<ConnectionStatus> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ConnectionStatus.self, bufferingPolicy: .bufferingNewest(100))
        let id = state.withLock { state in
            state.nextId += 1
            state.statuses[state.nextId] = continuation
            return state.nextId
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.statuses.removeValue(forKey: id) }
        }
        return stream
    }
}
