import Foundation
import YonderSQLite

/// A copy of a store's database, made while a server may be using it.
package enum SQLiteBackup {
    /// Copies the database of a data folder into a new file, as it stands at the beginning.
    ///
    /// Takes no lock that a server wants: it reads beside it, as the server's own readers do, and is no
    /// writer. Only an erasure, and what is written behind it, waits for it, 5 s at most: the write-ahead log
    /// cannot be emptied under a reader.
    ///
    /// - Parameters:
    ///   - folder: The data folder.
    ///   - file: Path of the copy, which appears there when it is whole, with mode 0600. Until then there is
    ///     `file.partial`.
    /// - Throws: `StoreError` with code `.conflict` where the file, or a partial one, is there already,
    ///   `.notFound` where the folder holds no database, `.corrupt`, `.folderNotWritable`, `.unavailable`.
    package static func make(of folder: String, in file: String) throws(StoreError) {
        let source = "\(folder)/yonder.sqlite"
        guard FileManager.default.fileExists(atPath: source) else {
            throw StoreError(.notFound, "there is no yonder.sqlite in \(folder)")
        }
        guard !isThere(file) else { throw StoreError(.conflict, "\(file) is there already") }
        let partial = "\(file).partial"
        let descriptor = try create(partial)
        defer { close(descriptor) }
        do {
            try copy(source, to: partial)
            // SQLite leaves that to the system for a file of this kind.
            guard fsync(descriptor) == 0, rename(partial, file) == 0 else {
                throw StoreError(
                    .unavailable, "\(file) cannot be written: \(String(cString: strerror(errno)))")
            }
        } catch {
            unlink(partial)
            throw StoreError(wrapping: error)
        }
        syncFolder(of: file)
    }

    /// Also where it is a link to nowhere.
    private static func isThere(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0
    }

    private static func create(_ partial: String) throws(StoreError) -> Int32 {
        let descriptor = open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor < 0 else { return descriptor }
        throw errno == EEXIST
            ? StoreError(.conflict, "\(partial) is there: another backup is at work, or one broke off")
            : StoreError(
                .folderNotWritable, "\(partial) cannot be created: \(String(cString: strerror(errno)))")
    }

    private static func copy(_ source: String, to file: String) throws {
        // VACUUM INTO takes a file that is there as long as it is empty.
        try Connection(path: source, access: .readOnly, busyMilliseconds: 5000).run("VACUUM INTO ?", file)
        let copy = try Connection(path: file, access: .readOnly, busyMilliseconds: 0)
        let finding = try copy.query("PRAGMA quick_check(1)") { statement -> String in
            try statement.step() ? statement.value(0) : ""
        }
        guard finding == "ok" else { throw StoreError(.corrupt, "the copy is damaged: \(finding)") }
    }

    /// The name of the copy is durable, too. Where the system cannot do that for a folder there is nothing to do.
    private static func syncFolder(of file: String) {
        let folder = open(URL(fileURLWithPath: file).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }
}
