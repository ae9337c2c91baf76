import Synchronization

/// Tells events to whoever reads them: what every source tells its readers by.
public final class LocationEventBroadcast: Sendable {
    /// Events that may wait for a reader; one that is slower loses the oldest.
    static let maxWaiting = 1_024

    private struct State {
        var nextId = 0
        var readers: [Int: AsyncStream<LocationSourceEvent>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// Creates one that nobody reads yet.
    public init() {}

    deinit {
        state.withLock { state in
            for reader in state.readers.values { reader.finish() }
        }
    }

    /// Tells all readers.
    public func send(_ event: LocationSourceEvent) {
        // Under the lock, so that all read the same order.
        state.withLock { state in
            for reader in state.readers.values { reader.yield(event) }
        }
    }

    /// What is told from now on, for one reader.
    public func events() -> AsyncStream<LocationSourceEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: LocationSourceEvent.self, bufferingPolicy: .bufferingNewest(Self.maxWaiting))
        let id = state.withLock { state in
            state.nextId += 1
            state.readers[state.nextId] = continuation
            return state.nextId
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.readers.removeValue(forKey: id) }
        }
        return stream
    }
}
