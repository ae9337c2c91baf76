import Foundation
import Testing
import YonderSQLite

struct ConnectionTests {
    private let database = TemporaryDatabase()

    private func code(_ body: () throws -> Void) -> SQLiteError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? SQLiteError)?.code
        }
    }

    private func table() throws -> Connection {
        let connection = try database.open()
        try connection.execute(
            """
            PRAGMA foreign_keys = ON;
            CREATE TABLE parent (id TEXT PRIMARY KEY, other INTEGER UNIQUE) STRICT, WITHOUT ROWID;
            CREATE TABLE child (parent TEXT NOT NULL REFERENCES parent) STRICT
            """)
        try connection.run("INSERT INTO parent VALUES (?, ?)", "a", 1)
        return connection
    }

    @Test func `refused writes say which rule refused them`() throws {
        let connection = try table()
        #expect(code { try connection.run("INSERT INTO parent VALUES (?, ?)", "a", 2) } == .primaryKey)
        #expect(code { try connection.run("INSERT INTO parent VALUES (?, ?)", "b", 1) } == .unique)
        #expect(code { try connection.run("INSERT INTO child VALUES (?)", "x") } == .foreignKey)
        #expect(code { try connection.run("SELECT nonsense FROM nowhere") } == .error)
        #expect(code { try connection.run("INSERT INTO child VALUES (?)", "a", "b") } == .range)
        #expect(code { try database.open(.readOnly).run("DELETE FROM child") } == .readOnly)
    }

    @Test func `a family of codes matches its members, and a member only itself`() throws {
        let connection = try table()
        let refused = try #require(code { try connection.run("INSERT INTO child VALUES (?)", "x") })
        #expect(SQLiteError.Code.constraint ~= refused)
        #expect(SQLiteError.Code.foreignKey ~= refused)
        #expect(!(SQLiteError.Code.unique ~= refused))
        #expect(refused.primary == .constraint)
    }

    @Test func `an error holds no data`() throws {
        let connection = try table()
        let error = #expect(throws: SQLiteError.self) {
            try connection.run("INSERT INTO parent VALUES (?, ?)", "a", 60_169_921)
        }
        let text = try #require(error).description
        #expect(!text.contains("60") && text.contains("parent.id"))
    }

    @Test func `what cannot be opened or is no database says so`() throws {
        #expect(code { _ = try database.open(.readOnly) } == .cannotOpen)
        try Data(repeating: 0x41, count: 4096).write(to: URL(filePath: database.path))
        let connection = try database.open()
        #expect(code { try connection.execute("CREATE TABLE t (x)") } == .notADatabase)
    }

    @Test func `a lock that another connection holds is busy`() throws {
        let first = try table()
        let second = try database.open()
        try first.execute("BEGIN IMMEDIATE")
        #expect(code { try second.execute("BEGIN IMMEDIATE") } == .busy)
        #expect(first.isInTransaction && !second.isInTransaction)
        try first.execute("COMMIT")
        #expect(code { try second.execute("BEGIN IMMEDIATE") } == nil)
    }

    @Test func `a statement that failed works again, and nothing stays bound`() throws {
        let connection = try table()
        func insert(_ id: String?) -> SQLiteError.Code? {
            code {
                try connection.query("INSERT INTO parent (id) VALUES (?)") { statement in
                    if let id { try statement.bind(id) }
                    _ = try statement.step()
                }
            }
        }
        #expect(insert("a") == .primaryKey)
        #expect(insert("b") == nil)
        #expect(connection.changedRows == 1)
        #expect(SQLiteError.Code.constraint ~= (try #require(insert(nil))))
        #expect(connection.changedRows == 0)
    }

    @Test func `the same SQL can be used inside itself`() throws {
        let connection = try database.open()
        func count(_ depth: Int) throws -> Int {
            try connection.query("SELECT value FROM (SELECT 1 AS value UNION ALL SELECT 2)") { statement in
                var sum = 0
                while try statement.step() {
                    sum += try statement.value(0)
                    if depth > 0 { sum += try count(depth - 1) }
                }
                return sum
            }
        }
        #expect(try count(2) == 3 + 2 * (3 + 2 * 3))
    }

    @Test func `a read that was broken off does not hold its snapshot`() throws {
        struct Enough: Error {}
        let connection = try table()
        try connection.run("INSERT INTO parent VALUES (?, ?)", "b", 2)
        #expect(throws: Enough.self) {
            try connection.query("SELECT id FROM parent") { statement in
                _ = try statement.step()
                throw Enough()
            }
        }
        try database.open().execute("DROP TABLE child")
    }

    @Test func `a closed connection lets the file go`() throws {
        var connection: Connection? = try table()
        try connection?.execute("BEGIN EXCLUSIVE")
        _ = try connection?.query("SELECT 1") { try $0.step() }
        connection = nil
        try database.open().execute("BEGIN EXCLUSIVE; DROP TABLE child; COMMIT")
    }
}
