import Foundation
import Testing
import YonderModel
import YonderRules
import YonderSQLite

@testable import YonderStore

/// The contract: what is erased is nowhere any more.
struct StoreErasureTests {
    /// A latitude whose eight bytes stand nowhere by chance.
    private let latitude = 12.345_678_901_234_567

    /// Whether the latitude's bytes stand in any file of the folder, as SQLite writes them.
    private func isSomewhere(in folder: String) throws -> Bool {
        let bytes = withUnsafeBytes(of: latitude.bitPattern.bigEndian) { Data($0) }
        return try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
            try Data(contentsOf: URL(filePath: folder).appending(path: name)).range(of: bytes) != nil
        }
    }

    private func withShare(_ body: (SQLiteStore, String, MessageId) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "yonder-\(UUID().uuidString)")
            .path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try SQLiteStore(folder: folder)
        let id = MessageId("live")!
        try await store.commit { change in
            try change.putUser(Sample.user("anna"))
            try change.insertChannel(Sample.channel)
            try change.insertMessage(Sample.share("live", until: Sample.time(600)), fingerprint: [1])
            _ = try change.append(
                StoredEvent(.messageNew, message: id), to: Sample.channel.cid, at: Sample.start)
        }
        let moved = try await store.commit { [latitude] change in
            try change.moveShare(
                id, to: Sample.position(latitude, 1), recordedAt: Sample.time(1), updatedAt: Sample.time(1))
        }
        #expect(moved == .moved)
        #expect(try isSomewhere(in: folder))
        try await body(store, folder, id)
        #expect(try !isSomewhere(in: folder))
        await store.close()
        #expect(try !isSomewhere(in: folder))
    }

    @Test func `a deleted message's place is in no file once that is acknowledged`() async throws {
        try await withShare { store, _, id in
            try await store.commit { change in
                try change.endShare(id, at: Sample.time(2), reason: .deleted, updatedAt: Sample.time(2))
                try change.deleteMessage(id, at: Sample.time(2))
            }
            let message = try #require(store.read { try $0.message(id) })
            #expect(message.deletedTime == Sample.time(2) && message.sharedLocation?.isErased == true)
            try #expect(store.read { try $0.events(after: 0, in: Sample.channel.cid, limit: 9) }.count == 1)
        }
    }

    @Test func `what was erased just before a crash is in no file after the next start`() async throws {
        try await withShare { store, folder, id in
            let files = FileManager.default
            let (before, after) = (folder + "-before", folder + "-after")
            defer { for image in [before, after] { try? files.removeItem(atPath: image) } }
            try files.copyItem(atPath: folder, toPath: before)
            // Erased, and not wiped yet.
            let connection = try Connection(
                path: before + "/yonder.sqlite", access: .readWrite, busyMilliseconds: 100)
            try connection.execute(
                """
                PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 0;
                UPDATE shared_locations SET latitude = NULL; DELETE FROM trail_points;
                DELETE FROM recent_trail_points
                """)
            try files.copyItem(atPath: before, toPath: after)
            #expect(try isSomewhere(in: after))
            let again = try SQLiteStore(folder: after)
            #expect(try !isSomewhere(in: after))
            await again.close()
            try await store.commit { try $0.deleteMessage(id, at: Sample.time(2)) }
        }
    }

    @Test func `a deleted channel's places are in no file`() async throws {
        try await withShare { store, _, id in
            try await store.commit { try $0.deleteChannel(Sample.channel.cid) }
            try #expect(store.read { try $0.message(id) } == nil)
        }
    }

    @Test func `what ended long ago is erased and the rest stays`() async throws {
        try await withShare { store, folder, id in
            func erase(endedBefore time: Timestamp) async throws -> Int {
                try await store.commit { try $0.erasePositions(endedBefore: time, sentBefore: nil) }
            }
            #expect(try await erase(endedBefore: Sample.time(9_999)) == 0)
            try await store.commit { change in
                try change.endShare(id, at: Sample.time(2), reason: .stopped, updatedAt: Sample.time(2))
            }
            #expect(try await erase(endedBefore: Sample.time(2)) == 0)
            #expect(try isSomewhere(in: folder))
            #expect(try await erase(endedBefore: Sample.time(3)) == 1)
        }
    }

    @Test func `events are forgotten by age and by number`() async throws {
        try await withShare { store, _, _ in
            let channel = Sample.channel.cid
            try await store.commit { change in
                for second in 1...9 {
                    _ = try change.append(
                        StoredEvent(.channelUpdated), to: channel, at: Sample.time(Int64(second)))
                }
                try change.trimEvents(before: Sample.time(4), keeping: 100)
            }
            func kept() throws -> [Int64] {
                try store.read { try $0.events(after: 0, in: channel, limit: 99).map(\.seq) }
            }
            #expect(try kept() == [5, 6, 7, 8, 9, 10])
            try await store.commit { try $0.trimEvents(before: Sample.start, keeping: 2) }
            #expect(try kept() == [9, 10])
            try await store.commit { try $0.deleteChannel(channel) }
        }
    }
}
