import Foundation
import Testing
import YonderStore

/// One implementation of `Store`; the contract suites run against each.
struct StoreKind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Opens a store over a folder, empty or used before.
    let open: @Sendable (_ folder: String) throws -> any Store

    static let all = [StoreKind(testDescription: "SQLite") { try SQLiteStore(folder: $0) }]

    /// The kind of a name: all that can be handed to another process.
    static func named(_ name: String) throws -> StoreKind {
        try #require(all.first { $0.testDescription == name })
    }
}

/// A folder that goes away with its last reference.
final class TemporaryFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "yonder-\(UUID())").path

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// The code of the `StoreError` that a body throws; `nil` if it throws none.
func storeErrorCode(_ body: () async throws -> Void) async -> StoreError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? StoreError)?.code
    }
}
