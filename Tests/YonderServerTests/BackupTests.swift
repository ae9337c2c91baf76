import Foundation
import Synchronization
import Testing
import YonderCurl
import YonderTestSupport

/// `yonder backup`, beside a server and without one.
@Suite(.serialized) struct BackupTests {
    /// Ids of messages whose sending was acknowledged, and that stay.
    private final class Ledger: Sendable {
        private let contents = Mutex<[String]>([])
        var ids: [String] { contents.withLock { $0 } }
        func note(_ id: String) { contents.withLock { $0.append(id) } }
    }

    /// A folder of the test's own, for as long as `body` runs.
    private func inFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "yonder-backup-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    private func backUp(_ data: URL, to file: URL) async throws -> (status: Int32, problem: String) {
        let program = try ChildProcess(
            ChildProcess.yonder, ["backup", file.path(percentEncoded: false), "--data", data.path()],
            environment: [:])
        return (await program.status(), program.problemText)
    }

    /// A data folder with nothing but a copy.
    private func restore(_ file: URL, in folder: URL) throws -> URL {
        let data = folder.appending(path: "restored-\(UUID())")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: file, to: data.appending(path: "yonder.sqlite"))
        return data
    }

    /// Writes messages, and deletes some, until it is cancelled or the server is gone.
    private static func work(on server: ServerProcess, _ number: Int, _ acknowledged: Ledger)
        async
    {
        let client = CurlHTTP(caFile: TestCertificate.file(for: server.base))
        for step in 0... {
            if Task.isCancelled { return }
            let id = "m-\(number)-\(step)"
            let sent = await server.call(
                "POST", "/v1/channels/team:x/messages", as: "anna", json: #"{"id":"\#(id)","text":"\#(id)"}"#,
                over: client)
            guard sent?.status == 201 else { return }
            // Only what the workers leave alone can be looked for.
            if step % 10 == 9 {
                _ = await server.call("DELETE", "/v1/messages/\(id)", as: "anna", over: client)
            } else {
                acknowledged.note(id)
            }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a backup made under load holds what was acknowledged before, and a server starts on it`()
        async throws
    {
        try await inFolder { folder in
            let data = folder.appending(path: "data")
            let server = try await ServerProcess(folder: data.path())
            await server.call("POST", "/v1/channels", as: "anna", json: #"{"type":"team","id":"x"}"#)?
                .expect(201)
            let acknowledged = Ledger()
            var backups: [(file: URL, ids: [String])] = []
            try await withThrowingDiscardingTaskGroup { group in
                for number in 0..<6 { group.addTask { await Self.work(on: server, number, acknowledged) } }
                for number in 1...3 {
                    _ = await eventually(within: 20) { acknowledged.ids.count > number * 100 }
                    let ids = acknowledged.ids
                    let file = folder.appending(path: "backup-\(number)")
                    let (status, problem) = try await backUp(data, to: file)
                    #expect(status == 0, "\(problem)")
                    backups.append((file, ids))
                }
                #expect(
                    acknowledged.ids.count > backups[2].ids.count, "the server had to wait for the backup")
                group.cancelAll()
            }
            #expect(await server.stop() == 0)
            #expect(!server.log.contains(" error "), "\(server.log)")
            for (file, ids) in backups {
                let mode = try FileManager.default.attributesOfItem(atPath: file.path())[.posixPermissions]
                #expect(mode as? Int == 0o600)
                try await check(ids, in: try restore(file, in: folder))
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path())
            #expect(left.filter { $0.contains("partial") } == [])
        }
    }

    private func check(_ ids: [String], in data: URL) async throws {
        #expect(ids.count > 100)
        let server = try await ServerProcess(folder: data.path())
        for id in ids {
            let read = await server.call("GET", "/v1/messages/\(id)", as: "anna")
            #expect(read?.string("text") == id, "\(id) is not in the backup")
        }
        await server.call("POST", "/v1/channels/team:x/messages", as: "anna", json: #"{"text":"again"}"#)?
            .expect(201)
        #expect(await server.stop() == 0)
    }

    @Test func `a server that does not run can be backed up, and a backup again`() async throws {
        try await inFolder { folder in
            let data = folder.appending(path: "data")
            let server = try await ServerProcess(folder: data.path())
            await server.call("POST", "/v1/channels", as: "anna", json: #"{"type":"team","id":"x"}"#)?
                .expect(201)
            await server.killNow()
            let (first, second) = (folder.appending(path: "a b?c"), folder.appending(path: "file:ä"))
            #expect(try await backUp(data, to: first) == (0, ""))
            #expect(try await backUp(try restore(first, in: folder), to: second) == (0, ""))
            let again = try await ServerProcess(folder: try restore(second, in: folder).path())
            await again.call("GET", "/v1/channels/team:x", as: "anna")?.expect(200)
            #expect(await again.stop() == 0)
        }
    }

    @Test func `what cannot be backed up is said in one line, and nothing is overwritten`() async throws {
        try await inFolder { folder in
            let data = folder.appending(path: "data")
            let server = try await ServerProcess(folder: data.path())
            #expect(await server.stop() == 0)
            func refuses(_ data: URL, _ file: URL, _ hint: String) async throws {
                let (status, problem) = try await backUp(data, to: file)
                #expect(status == 1 && problem.contains(hint), "\(problem)")
                #expect(problem.split(separator: "\n").count == 1, "\(problem)")
            }
            let file = folder.appending(path: "backup")
            try Data("mine".utf8).write(to: file)
            try await refuses(data, file, "is there already")
            #expect(try Data(contentsOf: file) == Data("mine".utf8))
            let link = folder.appending(path: "link")
            try FileManager.default.createSymbolicLink(
                atPath: link.path(), withDestinationPath: folder.appending(path: "nowhere").path())
            try await refuses(data, link, "is there already")
            let other = folder.appending(path: "other")
            try Data().write(to: folder.appending(path: "other.partial"))
            try await refuses(data, other, "other.partial is there")
            try await refuses(data, folder.appending(path: "no/such/folder"), "cannot be created")
            try await refuses(folder, folder.appending(path: "new"), "--data")
            let broken = folder.appending(path: "broken")
            try FileManager.default.createDirectory(at: broken, withIntermediateDirectories: true)
            try Data("no database at all, and long enough for a head of one".utf8)
                .write(to: broken.appending(path: "yonder.sqlite"))
            try await refuses(broken, folder.appending(path: "new"), "the backup cannot be made")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path())
            #expect(left.sorted() == ["backup", "broken", "data", "link", "other.partial"])
        }
    }
}
