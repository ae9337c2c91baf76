import Foundation
import Synchronization
import YonderModel
import YonderRules
import YonderSQLite

/// What a client keeps between two runs of its app: one SQLite file, for its owner's eyes alone.
///
/// The outbox is durable before an action is acknowledged; what else is in it can be read again from the server,
/// so a failure to write it is no failure of what the app has asked for.
final class LocalStore: Sendable {
    /// Everything in it.
    struct Contents {
        var user: User?
        var channelOrder: [ChannelId]?
        var channels: [(channel: Channel, timeline: [MessageId], floor: Int64?)] = []
        var messages: [Message] = []
        var outbox: [OutboxEntry] = []
        var fixes: [QueuedFix] = []
    }

    /// Messages that are kept of each channel.
    static let maxMessages = 200

    /// How long another client that has it open is waited for: one that the app has just let go is about to end.
    private static let busyMilliseconds: Int32 = 1_000

    /// What is wrong with a file that SQLite opens all the same.
    private enum Flaw: Error {
        case damaged, newer
    }

    /// The form that the file has.
    private static let version: Int64 = 1

    /// Whether a file that was damaged has been set aside.
    let wasDamaged: Bool
    private let path: String?
    private let connection: Mutex<Connection>

    /// Opens a store, and makes it where there is none.
    ///
    /// - Parameter url: Its file; `nil` = it lives in memory.
    /// - Throws: `ClientError` with code `.localStoreUnavailable`. A file that is damaged is set aside.
    init(_ url: URL?) throws(ClientError) {
        path = url?.path(percentEncoded: false)
        do {
            connection = Mutex(try Self.open(url))
            wasDamaged = false
        } catch  where url != nil && Self.isDamage(error) {
            do {
                try Self.setAside(url!)
                connection = Mutex(try Self.open(url))
                wasDamaged = true
            } catch {
                throw Self.unavailable(error)
            }
        } catch {
            throw Self.unavailable(error)
        }
    }

    private static func open(_ url: URL?) throws -> Connection {
        guard let url else {
            let connection = try Connection(path: ":memory:", access: .readWrite, busyMilliseconds: 0)
            try connection.execute(schema)
            return connection
        }
        let path = url.path(percentEncoded: false)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        let connection = try Connection(
            path: path, access: .readWrite, busyMilliseconds: busyMilliseconds)
        // Exclusive: two clients of one outbox would send everything twice.
        try connection.execute(
            """
            PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            PRAGMA fullfsync = ON; PRAGMA secure_delete = ON;
            """)
        let found: Int64 = try first("PRAGMA user_version", of: connection)
        guard found <= version else { throw Flaw.newer }
        try connection.execute(schema)
        if found < version { try connection.execute("PRAGMA user_version = \(version)") }
        // What else is in it can be read again from the server.
        let checks: [StaticString] = [
            "PRAGMA quick_check(facts)", "PRAGMA quick_check(outbox)", "PRAGMA quick_check(fixes)",
        ]
        for check in checks {
            let verdict: String = try first(check, of: connection)
            guard verdict == "ok" else { throw Flaw.damaged }
        }
        return connection
    }

    private static func first<Value: SQLiteValue>(
        _ sql: StaticString, of connection: Connection
    ) throws -> Value {
        try connection.query(sql) { statement in
            _ = try statement.step()
            return try statement.value(0)
        }
    }

    private static let schema = """
        BEGIN IMMEDIATE;
        CREATE TABLE IF NOT EXISTS facts(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS channels(
            cid TEXT PRIMARY KEY, channel BLOB NOT NULL, timeline BLOB NOT NULL, floor INTEGER) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS messages(id TEXT PRIMARY KEY, message BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS outbox(id INTEGER PRIMARY KEY AUTOINCREMENT, entry BLOB NOT NULL);
        CREATE TABLE IF NOT EXISTS fixes(id INTEGER PRIMARY KEY, fix BLOB NOT NULL);
        COMMIT
        """

    private static func isDamage(_ error: any Error) -> Bool {
        switch error {
        case Flaw.damaged: true
        case let error as SQLiteError: error.code == .corrupt || error.code == .notADatabase
        default: false
        }
    }

    /// With its log, in which the newest may be that is to be saved.
    private static func setAside(_ url: URL) throws {
        let path = url.path(percentEncoded: false)
        try? FileManager.default.removeItem(atPath: path + "-shm")
        for suffix in ["-wal", ""] {
            try? FileManager.default.removeItem(atPath: path + "-damaged" + suffix)
            guard FileManager.default.fileExists(atPath: path + suffix) else { continue }
            try FileManager.default.moveItem(atPath: path + suffix, toPath: path + "-damaged" + suffix)
        }
    }

    private static func unavailable(_ error: any Error) -> ClientError {
        let reason: String
        switch error {
        case Flaw.newer: reason = "a newer version of the app has written it"
        case let error as SQLiteError:
            reason = error.code == .busy ? "another client has it open" : error.message
        default: reason = error.localizedDescription
        }
        return ClientError(.localStoreUnavailable, "the local store cannot be opened: \(reason)")
    }
}

// MARK: Reading

extension LocalStore {
    /// What is kept under a name.
    func fact(_ name: String) -> String? {
        try? connection.withLock { connection in
            try connection.query("SELECT value FROM facts WHERE name = ?") { statement in
                try statement.bind(name)
                return try statement.step() ? try statement.value(0) as String : nil
            }
        }
    }

    /// Everything; what cannot be read any more is left out.
    func contents() -> Contents {
        var contents = Contents()
        contents.user = fact("user", as: User.self)
        contents.channelOrder = fact("channel_order", as: [ChannelId].self)
        return connection.withLock { connection in
            try? connection.query("SELECT channel, timeline, floor FROM channels") { statement in
                while try statement.step() {
                    guard let channel = try? WireJSON.decode(Channel.self, from: statement.value(0)),
                        let timeline = try? WireJSON.decode([MessageId].self, from: statement.value(1))
                    else { continue }
                    contents.channels.append((channel, timeline, try statement.value(2)))
                }
            }
            contents.messages = Self.all("SELECT message FROM messages", connection)
            try? connection.query("SELECT id, entry FROM outbox ORDER BY id") { statement in
                while try statement.step() {
                    guard var entry = try? WireJSON.decode(OutboxEntry.self, from: statement.value(1)) else {
                        continue
                    }
                    entry.id = try statement.value(0)
                    contents.outbox.append(entry)
                }
            }
            contents.fixes = Self.all("SELECT fix FROM fixes ORDER BY id", connection)
            return contents
        }
    }

    private static func all<Value: Decodable>(_ sql: StaticString, _ connection: Connection) -> [Value] {
        var values: [Value] = []
        try? connection.query(sql) { statement in
            while try statement.step() {
                if let value = try? WireJSON.decode(Value.self, from: statement.value(0)) {
                    values.append(value)
                }
            }
        }
        return values
    }
}

// MARK: Writing

extension LocalStore {
    private func write(durably isDurable: Bool, _ body: (Connection) throws -> Void) throws {
        try connection.withLock { connection in
            if !isDurable { try connection.execute("PRAGMA synchronous = NORMAL") }
            defer { if !isDurable { try? connection.execute("PRAGMA synchronous = FULL") } }
            try connection.run("BEGIN IMMEDIATE")
            do {
                try body(connection)
                try connection.run("COMMIT")
            } catch {
                if connection.isInTransaction { try? connection.run("ROLLBACK") }
                throw error
            }
        }
    }

    func setFact(_ name: String, _ value: String) {
        try? write(durably: false) { connection in
            try connection.run(
                "INSERT INTO facts VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2", name, value)
        }
    }

    /// Makes it a user's: what it holds of another is forgotten, all but which device this is.
    ///
    /// - Returns: Whether it was that user's before.
    /// - Throws: `ClientError` with code `.localStoreUnavailable`: it is as it was then.
    func become(_ user: UserId) throws(ClientError) -> Bool {
        do {
            if try owner() == user.rawValue { return true }
            try write(durably: true) { connection in
                try connection.run("DELETE FROM channels")
                try connection.run("DELETE FROM messages")
                try connection.run("DELETE FROM outbox")
                try connection.run("DELETE FROM fixes")
                try connection.run("DELETE FROM facts WHERE name <> 'device_id'")
                try connection.run("INSERT INTO facts VALUES ('user_id', ?)", user.rawValue)
            }
        } catch {
            throw ClientError(.localStoreUnavailable, "the local store cannot be read or written")
        }
        emptyLog()
        return false
    }

    /// Leaves nothing in the write-ahead log of what was erased.
    func emptyLog() {
        try? connection.withLock { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    private func owner() throws -> String? {
        try connection.withLock { connection in
            try connection.query("SELECT value FROM facts WHERE name = 'user_id'") { statement in
                try statement.step() ? try statement.value(0) : nil
            }
        }
    }

    /// Keeps what has changed in a state.
    func save(_ unsaved: ChatState.Unsaved, of state: ChatState) {
        try? write(durably: false) { connection in
            for id in unsaved.messages {
                if var message = state.messages[id] {
                    message.sharedLocation = state.locations[id]
                    try connection.run(
                        """
                        INSERT INTO messages VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET message = ?2
                        """, id.rawValue, WireJSON.encode(message))
                } else {
                    try connection.run("DELETE FROM messages WHERE id = ?", id.rawValue)
                }
            }
            for cid in unsaved.channels {
                guard let channel = state.channels[cid] else {
                    try connection.run("DELETE FROM channels WHERE cid = ?", cid.rawValue)
                    continue
                }
                let ids = (state.timelines[cid]?.ids ?? []).suffix(Self.maxMessages)
                try connection.run(
                    """
                    INSERT INTO channels VALUES (?1, ?2, ?3, ?4)
                    ON CONFLICT (cid) DO UPDATE SET channel = ?2, timeline = ?3, floor = ?4
                    """, cid.rawValue, WireJSON.encode(channel), WireJSON.encode(Array(ids)),
                    state.keptFloor(cid))
            }
            if unsaved.isUserChanged, let user = state.user { try Self.set("user", user, connection) }
            if unsaved.isOrderChanged, let order = state.channelOrder {
                try Self.set("channel_order", order, connection)
            }
        }
        let isErased = unsaved.messages.contains { id in
            state.messages[id].map { $0.deletedTime != nil } ?? true || state.locations[id]?.isErased == true
        }
        if isErased { emptyLog() }
    }

    private static func set(_ name: String, _ value: some Encodable, _ connection: Connection) throws {
        try connection.run(
            "INSERT INTO facts VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2", name,
            String(decoding: WireJSON.encode(value), as: UTF8.self))
    }

    /// What is kept under a name, as it was.
    func fact<Value: Decodable>(_ name: String, as type: Value.Type) -> Value? {
        fact(name).flatMap { try? WireJSON.decode(type, from: Array($0.utf8)) }
    }

    /// Drops messages that nothing refers to.
    func prune(keeping ids: Set<MessageId>, of messages: [Message]) {
        try? write(durably: false) { connection in
            for message in messages where !ids.contains(message.id) {
                try connection.run("DELETE FROM messages WHERE id = ?", message.id.rawValue)
            }
        }
    }

    /// Keeps an entry of the outbox, durably.
    ///
    /// - Returns: The entry with its number.
    /// - Throws: `ClientError` with code `.localStoreUnavailable`.
    func append(_ entry: OutboxEntry) throws(ClientError) -> OutboxEntry {
        var entry = entry
        // What is written to a file without a name is gone with the program.
        if let path, !FileManager.default.fileExists(atPath: path) {
            throw ClientError(.localStoreUnavailable, "the local store's file is gone")
        }
        do {
            try write(durably: true) { connection in
                try connection.run("INSERT INTO outbox (entry) VALUES (?)", WireJSON.encode(entry))
                entry.id = connection.lastRow
            }
        } catch {
            throw ClientError(.localStoreUnavailable, "the local store cannot be written")
        }
        return entry
    }

    func replace(_ entry: OutboxEntry) {
        try? write(durably: true) { connection in
            try connection.run(
                "UPDATE outbox SET entry = ?2 WHERE id = ?1", entry.id, WireJSON.encode(entry))
        }
    }

    func removeEntry(_ id: Int64) {
        try? write(durably: false) { try $0.run("DELETE FROM outbox WHERE id = ?", id) }
    }

    func append(_ fix: QueuedFix) {
        try? write(durably: false) { connection in
            try connection.run("INSERT INTO fixes VALUES (?, ?)", fix.id, WireJSON.encode(fix))
        }
    }

    func replace(_ fixes: [QueuedFix]) {
        try? write(durably: false) { connection in
            for fix in fixes {
                try connection.run("UPDATE fixes SET fix = ?2 WHERE id = ?1", fix.id, WireJSON.encode(fix))
            }
        }
    }

    func removeFixes(_ ids: [Int64]) {
        guard !ids.isEmpty else { return }
        var isEmpty = false
        try? write(durably: false) { connection in
            for id in ids { try connection.run("DELETE FROM fixes WHERE id = ?", id) }
            isEmpty = try connection.query("SELECT 1 FROM fixes LIMIT 1") { try !$0.step() }
        }
        if isEmpty { emptyLog() }
    }
}
