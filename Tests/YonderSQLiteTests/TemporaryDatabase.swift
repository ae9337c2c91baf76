import Foundation
import YonderSQLite

/// A database on disk that goes away with its last reference.
final class TemporaryDatabase: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path

    deinit {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    func open(_ access: Connection.Access = .readWrite) throws -> Connection {
        try Connection(path: path, access: access, busyMilliseconds: 0)
    }
}
