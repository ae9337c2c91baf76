import CSQLite

/// Owns a `sqlite3_stmt`, and keeps its database open.
final class StatementHandle {
    let pointer: OpaquePointer
    let database: DatabaseHandle
    /// Whether somebody is stepping through it.
    var isLent = false

    init(_ sql: StaticString, in database: DatabaseHandle) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let status = sql.withUTF8Buffer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { text in
                sqlite3_prepare_v3(
                    database.pointer, text.baseAddress, Int32(text.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
            }
        }
        guard status == SQLITE_OK else { throw SQLiteError(status, of: database.pointer) }
        guard let prepared else { preconditionFailure("an SQL text without a statement") }
        pointer = prepared
        self.database = database
    }

    deinit { sqlite3_finalize(pointer) }

    /// Ends the read it may hold open and forgets what was bound.
    func rewind() {
        // Repeats the error of the last step, which has been thrown already.
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
    }
}
