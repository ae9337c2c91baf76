/// What a column or a parameter can hold.
///
/// Conform a type of your own by way of the ones here.
package protocol SQLiteValue {
    /// Binds the value to a parameter.
    func bind(to statement: borrowing Statement, at index: Int32) throws(SQLiteError)
    /// Reads the value from a column of the current row.
    init(from statement: borrowing Statement, at column: Int32) throws(SQLiteError)
}

/// INTEGER
extension Int64: SQLiteValue {
    package func bind(to statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(integer: self, at: index)
    }

    package init(from statement: borrowing Statement, at column: Int32) throws(SQLiteError) {
        self = try statement.integer(column)
    }
}

/// INTEGER
extension Int: SQLiteValue {
    package func bind(to statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(integer: Int64(self), at: index)
    }

    package init(from statement: borrowing Statement, at column: Int32) throws(SQLiteError) {
        guard let value = Int(exactly: try statement.integer(column)) else {
            throw SQLiteError(.mismatch, "column \(column) is wider than a machine word")
        }
        self = value
    }
}

/// INTEGER, 0 or 1
extension Bool: SQLiteValue {
    package func bind(to statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(integer: self ? 1 : 0, at: index)
    }

    package init(from statement: borrowing Statement, at column: Int32) throws(SQLiteError) {
        self = try statement.integer(column) != 0
    }
}

/// REAL; SQLite makes NULL of a NaN, and 0 of a -0 where the column is declared REAL
extension Double: SQLiteValue {
    package func bind(to statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(real: self, at: index)
    }

    package init(from statement: borrowing Statement, at column: Int32) throws(SQLiteError) {
        self = try statement.real(column)
    }
}

/// TEXT
extension String: SQLiteValue {
    package func bind(to statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(text: self, at: index)
    }

    package init(from statement: borrowing Statement, at column: Int32) throws(SQLiteError) {
        self = try statement.text(column)
    }
}

/// BLOB
extension [UInt8]: SQLiteValue {
    package func bind(to statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(blob: self, at: index)
    }

    package init(from statement: borrowing Statement, at column: Int32) throws(SQLiteError) {
        self = try statement.blob(column)
    }
}

/// `nil` is NULL
extension Optional: SQLiteValue where Wrapped: SQLiteValue {
    package func bind(to statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        switch self {
        case .some(let value): try value.bind(to: statement, at: index)
        case .none: try statement.bindNull(at: index)
        }
    }

    package init(from statement: borrowing Statement, at column: Int32) throws(SQLiteError) {
        self = statement.isNull(column) ? nil : try Wrapped(from: statement, at: column)
    }
}
