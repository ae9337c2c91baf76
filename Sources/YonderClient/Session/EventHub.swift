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
    private struct State {
        var status = ConnectionStatus.initialized
        var problem: ClientError?
    }

    /// An observer that is 10,000 events behind loses the oldest.
    private let eventReaders = Broadcast<ReceivedEvent>(maxWaiting: 10_000)
    private let statusReaders = Broadcast<ConnectionStatus>(maxWaiting: 100)
    private let state = Mutex(State())

    var status: ConnectionStatus { state.withLock { $0.status } }

    /// Why there is no connection now; `nil` where there is one, or none is wished for.
    var problem: ClientError? { state.withLock { $0.problem } }

    func publish(_ event: ReceivedEvent) { eventReaders.send(event) }

    func publish(_ status: ConnectionStatus, because problem: ClientError? = nil) {
        // Told under the lock: in the order in which it changes.
        state.withLock { state in
            state.problem = problem
            guard state.status != status else { return }
            state.status = status
            statusReaders.send(status)
        }
    }

    /// Events from now on.
    func events() -> AsyncStream<ReceivedEvent> { eventReaders.stream() }

    /// Changes of the status from now on.
    func statuses() -> AsyncStream<ConnectionStatus> { statusReaders.stream() }
}
