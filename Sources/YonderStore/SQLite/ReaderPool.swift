import Synchronization
import YonderSQLite

/// Read-only connections, lent to one read at a time.
///
/// A read never waits for another: if all are lent, one more is opened, and of
/// those that come back a few are kept.
final class ReaderPool: Sendable {
    /// Connections kept when nobody reads.
    static let maxIdle = 4

    private struct State {
        var idle: [Connection] = []
        var isClosed = false
    }

    private let path: String
    private let state = Mutex(State())

    init(path: String) { self.path = path }

    /// Runs a body in a read transaction of its own.
    func read<Value>(_ body: (any StoreReader) throws -> Value) throws -> Value {
        let connection = try take()
        let session = SQLiteSession(connection)
        defer { session.end() }
        do {
            try connection.run("BEGIN")
        } catch {
            throw StoreError(error)
        }
        defer {
            // One that cannot end its transaction is not lent again.
            if (try? connection.run("ROLLBACK")) != nil { giveBack(connection) }
        }
        return try body(session)
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.idle = []
        }
    }

    private func take() throws(StoreError) -> Connection {
        let (idle, isClosed) = state.withLock { ($0.idle.popLast(), $0.isClosed) }
        guard !isClosed else { throw StoreError(.closed, "the store has been closed") }
        if let idle { return idle }
        do {
            return try Connection(path: path, access: .readOnly, busyMilliseconds: 5000)
        } catch {
            throw StoreError(error)
        }
    }

    private func giveBack(_ connection: Connection) {
        state.withLock { state in
            if !state.isClosed, state.idle.count < Self.maxIdle { state.idle.append(connection) }
        }
    }
}
