import CSQLite

/// A prepared statement while it is lent: cannot be copied, so not kept either.
///
/// Parameters count from 1, columns from 0, as in SQLite.
package struct Statement: ~Copyable {
    private let handle: StatementHandle

    init(_ handle: StatementHandle) { self.handle = handle }

    /// Binds all parameters, from the first on.
    package func bind<each Value: SQLiteValue>(_ values: repeat each Value) throws(SQLiteError) {
        var index: Int32 = 0
        for value in repeat each values {
            index += 1
            try value.bind(to: self, at: index)
        }
    }

    /// Moves to the next row.
    ///
    /// - Returns: `false` when there is none, and the statement is done.
    package func step() throws(SQLiteError) -> Bool {
        let status = sqlite3_step(handle.pointer)
        switch status {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw SQLiteError(status, of: handle.database.pointer)
        }
    }

    /// Reads a column of the current row.
    ///
    /// - Throws: `SQLiteError` with code `.mismatch` if it holds another type, or NULL where
    ///   `Value` is not optional.
    package func value<Value: SQLiteValue>(_ column: Int32) throws(SQLiteError) -> Value {
        try Value(from: self, at: column)
    }
}

extension Statement {
    /// `SQLITE_TRANSIENT`: SQLite copies what is bound. The macro casts -1 to a
    /// function pointer, which Swift cannot import.
    private static var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    func bindNull(at index: Int32) throws(SQLiteError) {
        try handle.database.check(sqlite3_bind_null(handle.pointer, index))
    }

    func bind(integer: Int64, at index: Int32) throws(SQLiteError) {
        try handle.database.check(sqlite3_bind_int64(handle.pointer, index, integer))
    }

    func bind(real: Double, at index: Int32) throws(SQLiteError) {
        try handle.database.check(sqlite3_bind_double(handle.pointer, index, real))
    }

    func bind(text: String, at index: Int32) throws(SQLiteError) {
        var text = text
        let status = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // An empty buffer may have no address, and SQLite takes that for NULL.
                guard let address = characters.baseAddress else {
                    return sqlite3_bind_text(handle.pointer, index, "", 0, Self.transient)
                }
                return sqlite3_bind_text64(
                    handle.pointer, index, address, UInt64(characters.count), Self.transient,
                    UInt8(SQLITE_UTF8))
            }
        }
        try handle.database.check(status)
    }

    func bind(blob: [UInt8], at index: Int32) throws(SQLiteError) {
        let status = blob.withUnsafeBytes { bytes in
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(handle.pointer, index, 0)
                : sqlite3_bind_blob64(
                    handle.pointer, index, bytes.baseAddress, UInt64(bytes.count), Self.transient)
        }
        try handle.database.check(status)
    }

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle.pointer, column) == SQLITE_NULL
    }

    func integer(_ column: Int32) throws(SQLiteError) -> Int64 {
        try expect(SQLITE_INTEGER, column)
        return sqlite3_column_int64(handle.pointer, column)
    }

    func real(_ column: Int32) throws(SQLiteError) -> Double {
        try expect(SQLITE_FLOAT, column)
        return sqlite3_column_double(handle.pointer, column)
    }

    func text(_ column: Int32) throws(SQLiteError) -> String {
        try expect(SQLITE_TEXT, column)
        // The text first, then its length: the order that SQLite's manual asks for.
        guard let address = sqlite3_column_text(handle.pointer, column) else { throw noMemory() }
        let count = Int(sqlite3_column_bytes(handle.pointer, column))
        return String(decoding: UnsafeBufferPointer(start: address, count: count), as: UTF8.self)
    }

    func blob(_ column: Int32) throws(SQLiteError) -> [UInt8] {
        try expect(SQLITE_BLOB, column)
        let address = sqlite3_column_blob(handle.pointer, column)
        let count = Int(sqlite3_column_bytes(handle.pointer, column))
        guard count > 0 else { return [] }
        guard let address else { throw noMemory() }
        return [UInt8](UnsafeRawBufferPointer(start: address, count: count))
    }

    private func expect(_ type: Int32, _ column: Int32) throws(SQLiteError) {
        guard sqlite3_column_type(handle.pointer, column) == type else {
            throw SQLiteError(.mismatch, "column \(column) holds another type than was asked for")
        }
    }

    private func noMemory() -> SQLiteError { SQLiteError(.noMemory, "out of memory") }
}
