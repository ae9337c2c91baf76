import Foundation
import Testing
import YonderModel
import YonderStore

/// The contract: what was acknowledged outlives the process, and a refusing disk.
@Suite struct StoreDurabilityTests {
    private let folder = TemporaryFolder()

    @Test(arguments: StoreKind.all)
    func `what was published, and so what was acknowledged, survives kill -9`(kind: StoreKind) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.path as String, name = kind.testDescription as String] in
            let store = try StoreKind.named(name).open(path)
            try await store.addSamples()
            _ = FileManager.default.createFile(atPath: "\(path)/acknowledged", contents: nil)
            let file = try #require(FileHandle(forWritingAtPath: "\(path)/acknowledged"))
            let acknowledged = Log<MessageId>()
            try await withThrowingTaskGroup { group in
                for writer in 0..<8 {
                    group.addTask {
                        for index in 0... {
                            let message = Sample.message("w\(writer)-\(index)")
                            try await store.commit {
                                try $0.insertMessage(message, fingerprint: [1])
                            } publish: {
                                // The earliest that anybody hears of it: a commit that came later is caught.
                                file.write(Data("\(message.id)\n".utf8))
                                acknowledged.add(message.id)
                                if acknowledged.entries.count == 500 { kill(getpid(), SIGKILL) }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        let text = try String(contentsOfFile: "\(folder.path)/acknowledged", encoding: .utf8)
        let ids = text.split(separator: "\n").compactMap { MessageId(String($0)) }
        #expect(ids.count >= 500)
        let store = try kind.open(folder.path)
        try store.read { reader in
            for id in ids { try #expect(reader.message(id) != nil) }
        }
        try await store.commit { try $0.insertMessage(Sample.message("after"), fingerprint: []) }
    }

    @Test(arguments: StoreKind.all)
    func `a disk that takes no more refuses everybody, and nothing is lost`(kind: StoreKind) async throws {
        await #expect(processExitsWith: .success) {
            [path = folder.path as String, name = kind.testDescription as String] in
            let store = try StoreKind.named(name).open(path)
            try await store.addSamples()
            let text = String(repeating: "x", count: 20_000)
            let published = Log<Int>()
            try limitFileSize(to: try largestFile(in: path) + 60_000)
            let gate = await WriterGate(store)
            let tasks = (0..<20).map { index in
                Task.immediate {
                    try await store.commit {
                        try $0.insertMessage(Sample.message("lost\(index)", text: text), fingerprint: [])
                    } publish: {
                        published.add(index)
                    }
                }
            }
            try await gate.open()
            for task in tasks { #expect(await storeErrorCode { try await task.value } == .unavailable) }
            #expect(published.entries.isEmpty)
            try store.read { reader in
                try #expect(reader.message(MessageId("lost0")!) == nil)
                try #expect(reader.channel(Sample.channel.cid) == Sample.channel)
            }
            try limitFileSize(to: nil)
            try await store.commit {
                try $0.insertMessage(Sample.message("kept", text: text), fingerprint: [])
            }
            await store.close()
        }
        let store = try kind.open(folder.path)
        let kept = try store.read {
            try $0.messages(in: Sample.channel.cid, limit: 99, before: nil, after: nil)
        }
        #expect(kept.map(\.id.rawValue) == ["kept"])
    }

    @Test(arguments: StoreKind.all)
    func `a reader that was kept after its read traps`(kind: StoreKind) async throws {
        await #expect(processExitsWith: .failure) {
            [path = folder.path as String, name = kind.testDescription as String] in
            let store = try StoreKind.named(name).open(path)
            var kept: (any StoreReader)?
            try store.read { kept = $0 }
            // Errors would end the process in failure as well: only a trap may.
            _ = try? kept?.user(Sample.anna.id)
            exit(EXIT_SUCCESS)
        }
    }
}

private func largestFile(in folder: String) throws -> UInt64 {
    try FileManager.default.contentsOfDirectory(atPath: folder).map { name in
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
        return (attributes[.size] as? NSNumber)?.uint64Value ?? 0
    }.max() ?? 0
}

/// Makes this process's writes past a size fail, as on a full disk; `nil` lifts the limit.
private func limitFileSize(to bytes: UInt64?) throws {
    signal(SIGXFSZ, SIG_IGN)
    #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
        let resource = RLIMIT_FSIZE
    #endif
    var limit = rlimit()
    try #require(getrlimit(resource, &limit) == 0)
    limit.rlim_cur = bytes.map(rlim_t.init) ?? limit.rlim_max
    try #require(setrlimit(resource, &limit) == 0)
}
