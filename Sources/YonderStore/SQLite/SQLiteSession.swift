import YonderModel
import YonderSQLite

/// What a closure sees of a connection, during one transaction.
final class SQLiteSession {
    private var connection: Connection?
    /// Whether something was erased that the write-ahead log may still hold.
    var hasErased = false

    init(_ connection: Connection) { self.connection = connection }

    /// Makes every further use trap: the connection goes to somebody else.
    func end() { connection = nil }

    private var open: Connection {
        guard let connection else {
            preconditionFailure("a reader of the store was used after its read had ended")
        }
        return connection
    }

    func first<Value, each Parameter: SQLiteValue>(
        _ sql: StaticString, _ parameters: repeat each Parameter,
        row: (borrowing Statement) throws -> Value
    ) throws -> Value? {
        try translating {
            try open.query(sql) { statement in
                try statement.bind(repeat each parameters)
                return try statement.step() ? row(statement) : nil
            }
        }
    }

    func all<Value, each Parameter: SQLiteValue>(
        _ sql: StaticString, _ parameters: repeat each Parameter,
        row: (borrowing Statement) throws -> Value
    ) throws -> [Value] {
        try translating {
            try open.query(sql) { statement in
                try statement.bind(repeat each parameters)
                var values: [Value] = []
                while try statement.step() { values.append(try row(statement)) }
                return values
            }
        }
    }

    /// Runs a write.
    ///
    /// - Returns: How many rows it changed.
    @discardableResult
    func write<each Parameter: SQLiteValue>(
        _ sql: StaticString, _ parameters: repeat each Parameter
    ) throws -> Int {
        let open = open
        do {
            try open.run(sql, repeat each parameters)
        } catch {
            throw StoreError(error)
        }
        return open.changedRows
    }

    /// Number of the row that the last INSERT wrote.
    var lastRow: Int64 { open.lastRow }

    private func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw StoreError(error)
        }
    }
}
