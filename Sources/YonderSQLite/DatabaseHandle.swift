import CSQLite

/// Owns a `sqlite3`.
final class DatabaseHandle {
    let pointer: OpaquePointer

    init(path: String, flags: Int32) throws(SQLiteError) {
        var opened: OpaquePointer?
        let status = sqlite3_open_v2(path, &opened, flags, nil)
        guard status == SQLITE_OK, let opened else {
            // A handle that failed to open still has to be closed, after its error was read.
            let error = SQLiteError(status, of: opened)
            sqlite3_close_v2(opened)
            throw error
        }
        pointer = opened
        sqlite3_extended_result_codes(opened, 1)
    }

    deinit { sqlite3_close_v2(pointer) }

    func check(_ status: Int32) throws(SQLiteError) {
        guard status == SQLITE_OK else { throw SQLiteError(status, of: pointer) }
    }
}
