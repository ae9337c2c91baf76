import CMicroHTTPD
import Synchronization

/// A connection of MHD's, for the time it is suspended.
///
/// Sendable although it is a pointer: a suspended connection is touched by nobody but the one caller
/// whom `HTTPExchange.finish` or `markSuspended` told to resume it, `MHD_resume_connection` may be
/// called from any thread, and MHD frees no suspended connection.
struct HTTPConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    func resume() { MHD_resume_connection(pointer) }
}

/// The requests whose connections are suspended, so that a stopping server can answer them itself.
final class HTTPWaiting: Sendable {
    private struct Entry {
        let exchange: HTTPExchange
        let connection: HTTPConnectionHandle
        let task: Task<Void, Never>
    }

    private struct State {
        var isRefusing = false
        var entries: [ObjectIdentifier: Entry] = [:]
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.entries.count } }
    var isRefusing: Bool { state.withLock { $0.isRefusing } }

    /// Call before the connection is suspended.
    ///
    /// - Returns: False when the server no longer waits for anybody.
    func add(_ exchange: HTTPExchange, _ connection: HTTPConnectionHandle, _ task: Task<Void, Never>) -> Bool
    {
        state.withLock { state in
            guard !state.isRefusing else { return false }
            state.entries[ObjectIdentifier(exchange)] = Entry(
                exchange: exchange, connection: connection, task: task)
            return true
        }
    }

    /// Call after the connection was resumed: nobody suspended is left when `count` is 0.
    func remove(_ exchange: HTTPExchange) {
        state.withLock { _ = $0.entries.removeValue(forKey: ObjectIdentifier(exchange)) }
    }

    /// Cancels every handler and answers in its place; from now on nobody may wait.
    func refuseAll(with reply: (HTTPRequestHead) -> HTTPReply) {
        let entries = state.withLock { state in
            state.isRefusing = true
            return Array(state.entries.values)
        }
        for entry in entries {
            entry.task.cancel()
            if entry.exchange.finish(reply(entry.exchange.head)) {
                entry.connection.resume()
                remove(entry.exchange)
            }
        }
    }
}
