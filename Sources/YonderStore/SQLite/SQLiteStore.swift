import Foundation
import YonderSQLite

/// A store in one SQLite database, for one process at a time.
///
/// Writes go through one thread, which commits in groups (write-ahead log,
/// `synchronous=FULL`: what is acknowledged survives a power cut); reads run on
/// their caller's thread. Deleted and overwritten data are wiped
/// (`secure_delete`), in the write-ahead log with its next checkpoint.
package final class SQLiteStore: Store {
    let writer: Writer
    private let readers: ReaderPool

    /// Opens the store, or creates it, and brings its layout up to date.
    ///
    /// - Parameter folder: Path of the data folder; created with mode 0700 if it is missing.
    ///   The database is the file `yonder.sqlite` in it.
    /// - Throws: `StoreError` with code `.folderNotWritable`, `.inUse` if another process has the
    ///   folder, `.newerSchema`, `.corrupt`, or `.unavailable`.
    package init(folder: String) throws(StoreError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreError(.folderNotWritable, "the folder \(folder) cannot be created")
        }
        let lock = try FolderLock(folder: folder)
        let path = "\(folder)/yonder.sqlite"
        do {
            let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 5000)
            try Self.configure(connection)
            try Schema.migrate(connection)
            writer = Writer.start(connection: connection, lock: lock)
        } catch {
            throw StoreError(wrapping: error)
        }
        readers = ReaderPool(path: path)
    }

    deinit { writer.queue.beginClosing() }

    package func commit<Result: Sendable>(
        _ change: @escaping @Sendable (any StoreTransaction) throws -> Result, urgency: CommitUrgency,
        publish: @escaping @Sendable (Result) -> Void,
        completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
    ) {
        let pending = PendingCommit(
            change: change, urgency: urgency, publish: publish, completion: completion)
        if let refusal = writer.queue.add(pending) { pending.fail(refusal) }
    }

    package func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
        try readers.read(body)
    }

    package func close() async {
        readers.close()
        writer.queue.beginClosing()
        await writer.queue.waitUntilClosed()
    }

    private static func configure(_ connection: Connection) throws {
        let mode = try connection.query("PRAGMA journal_mode = WAL") { statement -> String in
            try statement.step() ? statement.value(0) : ""
        }
        guard mode == "wal" else {
            throw StoreError(.unavailable, "the folder's file system cannot keep a write-ahead log")
        }
        // fullfsync counts on Apple's systems alone, where fsync does not reach the disk.
        // The log shrinks back to 64 MiB after a burst.
        try connection.execute(
            """
            PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
            PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;
            PRAGMA journal_size_limit = 67108864
            """)
        // What was erased before a crash may still be in the log.
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
