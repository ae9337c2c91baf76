import Foundation
import Synchronization
import YonderSQLite

/// The thread that writes: it owns the one connection that may, and the folder's lock.
final class Writer: Sendable {
    private struct Belongings {
        let connection: Connection
        let lock: FolderLock
    }

    let queue = ChangeQueue()
    private let belongings: Mutex<Belongings?>

    private init(_ belongings: Belongings) { self.belongings = Mutex(belongings) }

    /// Starts a writer over an open, migrated database.
    static func start(connection: Connection, lock: FolderLock) -> Writer {
        let writer = Writer(Belongings(connection: connection, lock: lock))
        let thread = Thread { writer.run() }
        thread.name = "yonder-store"
        thread.start()
        return writer
    }

    private func run() {
        writeUntilClosed()
        queue.didClose()
    }

    /// Connection and lock are closed when it returns.
    private func writeUntilClosed() {
        guard let belongings = belongings.withLock({ $0.take() }) else { return }
        let committer = GroupCommitter(belongings.connection)
        var batch: [any PendingChange] = []
        while queue.next(into: &batch) {
            committer.commit(batch)
            batch.removeAll(keepingCapacity: true)
        }
        // Recovery does the same at the next start if this fails.
        try? belongings.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        withExtendedLifetime(belongings.lock) {}
    }
}
