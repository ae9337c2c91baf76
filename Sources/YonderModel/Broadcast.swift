import Synchronization

/// Tells values to whoever reads them: all of them in one order.
package final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var nextId = 0
        var readers: [Int: AsyncStream<Element>.Continuation] = [:]
    }

    private let maxWaiting: Int
    private let state = Mutex(State())

    /// Creates one that nobody reads yet.
    ///
    /// - Parameter maxWaiting: Values that may wait for a reader; one that is slower loses the oldest.
    package init(maxWaiting: Int) { self.maxWaiting = maxWaiting }

    deinit {
        state.withLock { state in
            for reader in state.readers.values { reader.finish() }
        }
    }

    /// Tells all readers.
    package func send(_ element: Element) {
        // Under the lock, so that all read the same order.
        state.withLock { state in
            for reader in state.readers.values { reader.yield(element) }
        }
    }

    /// What is told from now on, for one reader; it ends with the broadcast.
    package func stream() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(maxWaiting))
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
