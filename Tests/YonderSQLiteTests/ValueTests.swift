import Testing
import YonderSQLite

/// Values go into a real table on disk and come back from another connection.
struct ValueTests {
    private let database = TemporaryDatabase()

    /// Stores values in a STRICT column and reads them back through a second connection.
    private func roundTrip<Value: SQLiteValue>(_ values: [Value], as type: String) throws -> [Value] {
        let writer = try database.open()
        try writer.execute("CREATE TABLE kept (number INTEGER PRIMARY KEY, value \(type)) STRICT")
        for value in values { try writer.run("INSERT INTO kept (value) VALUES (?)", value) }
        return try database.open(.readOnly).query("SELECT value FROM kept ORDER BY number") { statement in
            var read: [Value] = []
            while try statement.step() { read.append(try statement.value(0)) }
            return read
        }
    }

    @Test(arguments: ["ANY", "REAL"])
    func `doubles come back bit for bit, but a REAL column drops the sign of -0`(type: String) throws {
        let values: [Double] = [
            0, -0.0, 1, -1, 60.1699, 0.1 + 0.2, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
            .leastNormalMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, .pi.nextUp,
            9_007_199_254_740_992, 1e300, -180,
        ]
        let expected = type == "ANY" ? values : values.map { $0 == 0 ? 0 : $0 }
        #expect(try roundTrip(values, as: type).map(\.bitPattern) == expected.map(\.bitPattern))
    }

    @Test func `whole numbers come back from both ends of their range`() throws {
        let values: [Int64] = [.min, .min + 1, -1, 0, 1, 255, 1 << 31, 1 << 53 + 1, .max]
        #expect(try roundTrip(values, as: "INTEGER") == values)
        #expect(try roundTripInts([.min, 0, .max]) == [.min, 0, .max])
    }

    private func roundTripInts(_ values: [Int]) throws -> [Int] {
        let connection = try database.open()
        return try values.map { value in
            try connection.query("SELECT ?") { statement in
                try statement.bind(value)
                _ = try statement.step()
                return try statement.value(0)
            }
        }
    }

    @Test func `text comes back with NUL, emoji and combining marks, and empty`() throws {
        let values = [
            "", "a", "\0", "before\0after", "👩‍👩‍👧‍👦", "e\u{301}", "é", "'; DROP TABLE kept; --",
            String(repeating: "ж", count: 70_000),
        ]
        let read = try roundTrip(values, as: "TEXT")
        #expect(read.map { Array($0.utf8) } == values.map { Array($0.utf8) })
    }

    @Test func `blobs come back, and an empty one is not NULL`() throws {
        let values: [[UInt8]] = [[], [0], Array(0...255), Array(repeating: 0xFF, count: 200_000)]
        #expect(try roundTrip(values, as: "BLOB") == values)
    }

    @Test func `nil is NULL and nothing else is`() throws {
        #expect(try roundTrip([nil, "", "x"] as [String?], as: "TEXT") == [nil, "", "x"])
    }

    @Test func `truth values are 0 and 1`() throws {
        #expect(try roundTrip([true, false], as: "INTEGER") == [true, false])
    }

    @Test func `a column of another type is a mismatch, not a guess`() throws {
        let connection = try database.open()
        func read<Value: SQLiteValue>(_ sql: StaticString, as type: Value.Type) -> SQLiteError.Code? {
            do {
                _ = try connection.query(sql) { statement -> Value in
                    _ = try statement.step()
                    return try statement.value(0)
                }
                return nil
            } catch {
                return (error as? SQLiteError)?.code
            }
        }
        #expect(read("SELECT 1", as: Int64.self) == nil)
        #expect(read("SELECT 1.5", as: Int64.self) == .mismatch)
        #expect(read("SELECT 1", as: Double.self) == .mismatch)
        #expect(read("SELECT '1'", as: Int64.self) == .mismatch)
        #expect(read("SELECT x'31'", as: String.self) == .mismatch)
        #expect(read("SELECT 'a'", as: [UInt8].self) == .mismatch)
        #expect(read("SELECT NULL", as: String.self) == .mismatch)
        #expect(read("SELECT NULL", as: String?.self) == nil)
    }
}
