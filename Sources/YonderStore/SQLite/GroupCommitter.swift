import YonderSQLite

/// Commits changes in groups: one transaction a group, one savepoint a change.
///
/// Lives on the writer's thread.
struct GroupCommitter {
    private let connection: Connection
    private let session: SQLiteSession

    init(_ connection: Connection) {
        self.connection = connection
        session = SQLiteSession(connection)
    }

    /// Runs every change once and settles it: finished after the commit, or failed.
    func commit(_ changes: [any PendingChange]) {
        var rest = changes[...]
        while !rest.isEmpty { commitGroup(&rest) }
    }

    /// Commits the changes up to the end, or up to one that made SQLite give the
    /// transaction up, and drops them from `changes`.
    private func commitGroup(_ changes: inout ArraySlice<any PendingChange>) {
        let start = changes.startIndex
        var end = start
        do {
            try begin()
            while end < changes.endIndex {
                let change = changes[end]
                end += 1
                try run(change)
            }
            try connection.run("COMMIT")
        } catch {
            if connection.isInTransaction { try? connection.run("ROLLBACK") }
            // Without a transaction to run in, nobody's turn comes.
            if end == start { end = changes.endIndex }
            let failure = Self.groupFailure(error)
            for change in changes[start..<end] { change.fail(failure) }
            changes = changes[end...]
            return
        }
        wipeLog()
        for change in changes { change.finish() }
        changes = []
    }

    /// An erasure is acknowledged once the write-ahead log has forgotten, too. Where a reader keeps the log
    /// for too long, the next group tries again.
    private func wipeLog() {
        guard session.hasErased else { return }
        let isBusy = try? connection.query("PRAGMA wal_checkpoint(TRUNCATE)") { statement in
            try statement.step() ? statement.value(0) as Int : 1
        }
        session.hasErased = isBusy != 0
    }

    /// What the whole group is told: no neighbour's `.conflict` or `.notFound`.
    private static func groupFailure(_ error: any Error) -> StoreError {
        let error = StoreError(wrapping: error)
        return error.code == .corrupt ? error : StoreError(.unavailable, "no commit: \(error.message)")
    }

    private func begin() throws {
        // A rollback that failed, too, left the last transaction open.
        if connection.isInTransaction { try connection.run("ROLLBACK") }
        try connection.run("BEGIN IMMEDIATE")
    }

    /// Runs one change; throws if the whole group is lost.
    private func run(_ change: any PendingChange) throws {
        try connection.run("SAVEPOINT change")
        let succeeded = change.run(in: session)
        // After some failures SQLite has rolled everything back, whatever the change made of it.
        guard connection.isInTransaction else {
            throw StoreError(.unavailable, "the transaction was lost to a failing disk")
        }
        if !succeeded { try connection.run("ROLLBACK TO change") }
        try connection.run("RELEASE change")
    }
}
