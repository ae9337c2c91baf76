import CSQLite

/// One connection to a SQLite database, with its prepared statements.
///
/// Whoever opened it owns it, and uses it on one thread at a time; it closes
/// when the last reference goes.
///
/// `@unchecked Sendable`: the handle is opened in serialized mode
/// (`SQLITE_OPEN_FULLMUTEX`), so SQLite itself tolerates a change of thread and
/// even simultaneous calls. What is left are the cache and the error text that
/// belongs to the last call. They are safe because a connection is handed over,
/// not shared: YonderStore gives one to its writer's thread for good and lends
/// the others out of a `Mutex`-guarded pool to one call at a time; the sessions
/// that closures get to see are closed before the connection goes back.
package final class Connection: @unchecked Sendable {
    private let database: DatabaseHandle
    private var prepared: [UnsafePointer<UInt8>: StatementHandle] = [:]

    /// How to open a database.
    package enum Access: Sendable {
        case readOnly
        /// Creates the file if there is none.
        case readWrite
    }

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: Path of the file.
    ///   - access: Whether to write.
    ///   - busyMilliseconds: How long to wait for another connection's lock, ≥ 0.
    /// - Throws: `SQLiteError`; a file that is no database shows at its first use.
    package init(path: String, access: Access, busyMilliseconds: Int32) throws(SQLiteError) {
        let flags =
            switch access {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        database = try DatabaseHandle(path: path, flags: flags | SQLITE_OPEN_FULLMUTEX)
        try database.check(sqlite3_busy_timeout(database.pointer, busyMilliseconds))
    }

    /// Whether a transaction is open. SQLite ends one by itself after some failures.
    package var isInTransaction: Bool { sqlite3_get_autocommit(database.pointer) == 0 }

    /// Rows that the last INSERT, UPDATE or DELETE wrote.
    package var changedRows: Int { Int(sqlite3_changes64(database.pointer)) }

    /// Number of the row that the last INSERT into a table with such numbers wrote.
    package var lastRow: Int64 { sqlite3_last_insert_rowid(database.pointer) }

    /// Runs SQL statements that return nothing, one after the other, without caching them.
    package func execute(_ script: String) throws(SQLiteError) {
        try database.check(sqlite3_exec(database.pointer, script, nil, nil, nil))
    }

    /// Runs one statement that returns nothing.
    package func run<each Value: SQLiteValue>(
        _ sql: StaticString, _ values: repeat each Value
    ) throws(SQLiteError) {
        let handle = try lend(sql)
        defer { takeBack(handle) }
        let statement = Statement(handle)
        try statement.bind(repeat each values)
        while try statement.step() {}
    }

    /// Lends a statement, prepared once per connection and SQL text.
    ///
    /// Nothing is bound when `body` gets it, and it is reset when `body` returns.
    /// Nested use of the same SQL is allowed.
    package func query<Result>(
        _ sql: StaticString, _ body: (borrowing Statement) throws -> Result
    ) throws -> Result {
        let handle = try lend(sql)
        defer { takeBack(handle) }
        return try body(Statement(handle))
    }

    private func lend(_ sql: StaticString) throws(SQLiteError) -> StatementHandle {
        // A literal's address is its name: no text is hashed on the hot path.
        if let known = prepared[sql.utf8Start], !known.isLent {
            known.isLent = true
            return known
        }
        let handle = try StatementHandle(sql, in: database)
        handle.isLent = true
        if prepared[sql.utf8Start] == nil { prepared[sql.utf8Start] = handle }
        return handle
    }

    private func takeBack(_ handle: StatementHandle) {
        handle.rewind()
        handle.isLent = false
    }
}
