import Foundation
import Testing
import YonderModel
import YonderSQLite

@testable import YonderStore

/// What is special to the store in SQLite.
@Suite struct SQLiteStoreTests {
    private let folder = TemporaryFolder()

    private func connection() throws -> Connection {
        try Connection(path: "\(folder.path)/yonder.sqlite", access: .readWrite, busyMilliseconds: 0)
    }

    /// Stands in for a pragma that no transaction of the store has.
    private func tune(_ store: SQLiteStore, _ pragma: StaticString) async throws {
        try await store.commit { transaction in
            _ = try (transaction as? SQLiteSession)?.write(pragma)
        }
    }

    @Test func `a missing folder is made for its owner alone`() async throws {
        let store = try SQLiteStore(folder: "\(folder.path)/a/b")
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/a/b")
        #expect(attributes[.posixPermissions] as? NSNumber == 0o700)
        await store.close()
    }

    @Test func `a folder that is a file is not writable`() async throws {
        try Data().write(to: URL(filePath: folder.path))
        #expect(await storeErrorCode { _ = try SQLiteStore(folder: folder.path) } == .folderNotWritable)
    }

    @Test func `a folder in use is refused until its store has closed`() async throws {
        let store = try SQLiteStore(folder: folder.path)
        let error = try #require(throws: StoreError.self) { try SQLiteStore(folder: folder.path) }
        #expect(error.code == .inUse && error.message.contains("another process"))
        await store.close()
        await (try SQLiteStore(folder: folder.path)).close()
    }

    @Test func `a store that is merely dropped closes, too`() async throws {
        var store: SQLiteStore? = try SQLiteStore(folder: folder.path)
        let queue = store?.writer.queue
        try await store?.addSamples()
        store = nil
        await queue?.waitUntilClosed()
        await (try SQLiteStore(folder: folder.path)).close()
    }

    @Test func `a file that is no database is corrupt`() async throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let junk = Data(repeating: 0x2A, count: 8192)
        try junk.write(to: URL(filePath: "\(folder.path)/yonder.sqlite"))
        #expect(await storeErrorCode { _ = try SQLiteStore(folder: folder.path) } == .corrupt)
    }

    @Test func `a row that makes no sense is corrupt, not a crash`() async throws {
        let store = try SQLiteStore(folder: folder.path)
        try await store.addSamples()
        try connection().execute("UPDATE users SET role = 'emperor'")
        #expect(await storeErrorCode { _ = try store.read { try $0.user(Sample.anna.id) } } == .corrupt)
    }

    @Test func `the writer syncs every commit, checks references and wipes what it deletes`() async throws {
        let store = try SQLiteStore(folder: folder.path)
        let settings = try await store.commit { transaction in
            let session = try #require(transaction as? SQLiteSession)
            return try [
                session.first("PRAGMA synchronous") { try $0.value(0) as Int },
                session.first("PRAGMA foreign_keys") { try $0.value(0) as Int },
                session.first("PRAGMA secure_delete") { try $0.value(0) as Int },
            ]
        }
        #expect(settings == [2, 1, 1])
        let mode = try connection().query("PRAGMA journal_mode") { statement -> String? in
            try statement.step() ? statement.value(0) : nil
        }
        #expect(mode == "wal")
    }

    @Test func `data of a newer version are refused and stay as they are`() async throws {
        await (try SQLiteStore(folder: folder.path)).close()
        try connection().execute("PRAGMA user_version = 1000")
        let error = try #require(throws: StoreError.self) { try SQLiteStore(folder: folder.path) }
        #expect(error.code == .newerSchema && error.message.contains("1000"))
        let version: Int? = try connection().query("PRAGMA user_version") { statement in
            try statement.step() ? statement.value(0) : nil
        }
        #expect(version == 1000)
    }

    @Test(arguments: 0...Schema.steps.count)
    func `every earlier version arrives at the newest layout`(version: Int) async throws {
        func layout(of connection: Connection) throws -> [String] {
            try connection.query("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name") { statement in
                var lines: [String] = []
                while try statement.step() { lines.append(try statement.value(0)) }
                return lines
            }
        }
        let fresh = try Connection(path: ":memory:", access: .readWrite, busyMilliseconds: 0)
        try Schema.migrate(fresh)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try Schema.migrate(try connection(), through: Array(Schema.steps.prefix(version)))
        let store = try SQLiteStore(folder: folder.path)
        try await store.addSamples()
        await store.close()
        #expect(try layout(of: connection()) == layout(of: fresh))
    }

    @Test func `a step that fails is undone as a whole`() throws {
        let database = try Connection(path: ":memory:", access: .readWrite, busyMilliseconds: 0)
        #expect(throws: SQLiteError.self) {
            try Schema.migrate(database, through: ["CREATE TABLE a (x)", "CREATE TABLE b (x); nonsense"])
        }
        try Schema.migrate(database, through: ["", "CREATE TABLE b (x)"])
        try database.execute("INSERT INTO a VALUES (1); INSERT INTO b VALUES (1)")
    }

    @Test func `a commit that fails is told to the whole group and publishes nothing`() async throws {
        let store = try SQLiteStore(folder: folder.path)
        try await store.addSamples()
        let published = Log<Int>()
        let gate = await WriterGate(store)
        let tasks = (0..<20).map { index in
            Task.immediate {
                try await store.commit { transaction in
                    try transaction.insertMessage(Sample.message("m\(index)"), fingerprint: [])
                    if index == 5 { throw WireError(.conflict, "taken") }
                    guard index == 10, let session = transaction as? SQLiteSession else { return }
                    // A broken reference that only COMMIT looks at.
                    try session.write("PRAGMA defer_foreign_keys = ON")
                    try session.putDevice(Sample.device("d", of: UserId("nobody")!))
                } publish: {
                    published.add(index)
                }
            }
        }
        try await gate.open()
        for task in tasks { #expect(await storeErrorCode { try await task.value } == .unavailable) }
        #expect(published.entries.isEmpty)
        try await store.commit { try $0.insertMessage(Sample.message("m0"), fingerprint: []) }
        let kept = try store.read {
            try $0.messages(in: Sample.channel.cid, limit: 99, before: nil, after: nil)
        }
        #expect(kept.map(\.id.rawValue) == ["m0"])
    }

    @Test func `a transaction that SQLite gives up is lost for those that ran, and the rest goes on`()
        async throws
    {
        let store = try SQLiteStore(folder: folder.path)
        try await store.addSamples()
        let published = Log<Int>()
        let gate = await WriterGate(store)
        let tasks = (0..<20).map { index in
            Task.immediate {
                try await store.commit { transaction in
                    try transaction.insertMessage(Sample.message("m\(index)"), fingerprint: [])
                    // As SQLite itself does after some disk errors; the change may well hide it.
                    if index == 10 { try (transaction as? SQLiteSession)?.write("ROLLBACK") }
                } publish: {
                    published.add(index)
                }
            }
        }
        try await gate.open()
        for (index, task) in tasks.enumerated() {
            let code = await storeErrorCode { try await task.value }
            #expect(code == (index <= 10 ? .unavailable : nil))
        }
        #expect(published.entries == Array(11..<20))
        let kept = try store.read {
            try $0.messages(in: Sample.channel.cid, limit: 99, before: nil, after: nil)
        }
        #expect(kept.map(\.id.rawValue) == (11..<20).map { "m\($0)" })
    }

    @Test func `a full database refuses, and takes again when there is room`() async throws {
        let store = try SQLiteStore(folder: folder.path)
        try await store.addSamples()
        try await tune(store, "PRAGMA max_page_count = 1")
        let big = Sample.message("big", text: String(repeating: "x", count: 20_000))
        let insert = { try await store.commit { try $0.insertMessage(big, fingerprint: []) } }
        #expect(await storeErrorCode(insert) == .unavailable)
        #expect(await storeErrorCode(insert) == .unavailable)
        try #expect(store.read { try $0.message(big.id) } == nil)
        try await tune(store, "PRAGMA max_page_count = 1073741823")
        try await insert()
        try #expect(store.read { try $0.message(big.id) } == big)
    }
}
