import Dispatch
import Testing
import YonderModel
import YonderStore

/// The contract: groups, publishing, and who is told what.
@Suite struct StoreCommitTests {
    private let folder = TemporaryFolder()
    private let channel = Sample.channel.cid

    private func count(_ store: any Store) throws -> Int {
        try store.read { try $0.messages(in: channel, limit: 1000, before: nil, after: nil).count }
    }

    @Test(arguments: StoreKind.all)
    func `changes are published in their order, each before its caller goes on`(
        kind: StoreKind
    ) async throws {
        let store = try kind.open(folder.path)
        try await store.addSamples()
        let published = Log<Int64>()
        try await withThrowingTaskGroup { group in
            for index in 0..<500 {
                group.addTask {
                    let change: @Sendable (any StoreTransaction) throws -> Int64 = { transaction in
                        try transaction.nextSequence(in: Sample.channel.cid, updatedAt: nil)
                    }
                    let number = try await store.commit(
                        change, urgency: index.isMultiple(of: 3) ? .prompt : .gathered
                    ) { published.add($0) }
                    #expect(published.entries.contains(number))
                }
            }
            try await group.waitForAll()
        }
        #expect(published.entries == Array(1...500))
    }

    @Test(arguments: StoreKind.all)
    func `changes that may wait are committed soon though nobody else comes, and by closing`(
        kind: StoreKind
    ) async throws {
        let store = try kind.open(folder.path)
        try await store.addSamples()
        for number in 1...10 {
            _ = try await store.commit(
                { try $0.nextSequence(in: Sample.channel.cid, updatedAt: nil) }, urgency: .gathered
            ) { #expect($0 == number) }
        }
        let done = Log<Int64>()
        for _ in 0..<5 {
            store.commit(
                { try $0.nextSequence(in: Sample.channel.cid, updatedAt: nil) }, urgency: .gathered,
                publish: { _ in }
            ) { if case .success(let number) = $0 { done.add(number) } }
        }
        await store.close()
        #expect(done.entries == [11, 12, 13, 14, 15])
    }

    @Test(arguments: StoreKind.all)
    func `a change that throws is undone alone among a hundred neighbours`(kind: StoreKind) async throws {
        let store = try kind.open(folder.path)
        try await store.addSamples()
        let gate = await WriterGate(store)
        let published = Log<Int>()
        let refusal = WireError(.conflict, "taken")
        let tasks = (0...100).map { index in
            Task.immediate {
                try await store.commit { transaction in
                    try transaction.insertMessage(Sample.message("m\(index)"), fingerprint: [])
                    _ = try transaction.nextSequence(in: Sample.channel.cid, updatedAt: nil)
                    if index == 50 { throw refusal }
                } publish: {
                    published.add(index)
                }
            }
        }
        try await gate.open()
        for (index, task) in tasks.enumerated() {
            switch await task.result {
            case .success: #expect(index != 50)
            case .failure(let error): #expect(index == 50 && error as? WireError == refusal)
            }
        }
        #expect(published.entries == (0...100).filter { $0 != 50 })
        try #expect(store.read { try $0.message(MessageId("m50")!) } == nil)
        try #expect(store.read { try $0.channel(channel)?.seq } == 100)
        #expect(try count(store) == 100)
    }

    @Test(arguments: StoreKind.all)
    func `a change sees its own writes and its elders', and reads see neither before the commit`(
        kind: StoreKind
    ) async throws {
        let store = try kind.open(folder.path)
        try await store.addSamples()
        let id = MessageId("m")!
        let (inside, outside) = try await store.commit { transaction in
            try transaction.insertMessage(Sample.message("m"), fingerprint: [])
            return (try transaction.message(id), try store.read { try $0.message(id) })
        }
        #expect(inside != nil && outside == nil)
        try #expect(store.read { try $0.message(id) } == inside)
    }

    @Test(arguments: StoreKind.all)
    func `a read stays in its snapshot while others commit`(kind: StoreKind) async throws {
        let store = try kind.open(folder.path)
        try await store.addSamples()
        try store.read { reader in
            try #expect(reader.channel(channel)?.seq == 0)
            let committed = DispatchSemaphore(value: 0)
            Task.immediate {
                try await store.commit { transaction in
                    _ = try transaction.nextSequence(in: Sample.channel.cid, updatedAt: nil)
                } publish: {
                    committed.signal()
                }
            }
            committed.wait()
            try #expect(reader.channel(channel)?.seq == 0)
            try #expect(store.read { try $0.channel(channel)?.seq } == 1)
        }
    }

    @Test(arguments: StoreKind.all)
    func `the change after 10,000 waiting ones is refused as busy`(kind: StoreKind) async throws {
        let store = try kind.open(folder.path)
        try await store.addSamples()
        let gate = await WriterGate(store)
        let waiting = (0..<10_000).map { _ in
            Task.immediate {
                try await store.commit { try $0.nextSequence(in: Sample.channel.cid, updatedAt: nil) }
            }
        }
        #expect(await storeErrorCode { try await store.commit { _ in } } == .busy)
        try await gate.open()
        for task in waiting { _ = try await task.value }
        try #expect(store.read { try $0.channel(channel)?.seq } == 10_000)
        try await store.commit { _ in }
    }

    @Test(arguments: StoreKind.all)
    func `closing finishes what waits and refuses what comes`(kind: StoreKind) async throws {
        let store = try kind.open(folder.path)
        try await store.addSamples()
        let gate = await WriterGate(store)
        let waiting = (0..<50).map { index in
            Task.immediate {
                try await store.commit {
                    try $0.insertMessage(Sample.message("m\(index)"), fingerprint: [])
                }
            }
        }
        let closing = Task.immediate { await store.close() }
        #expect(await storeErrorCode { try await store.commit { _ in } } == .closed)
        try await gate.open()
        for task in waiting { try await task.value }
        await closing.value
        await store.close()
        #expect(await storeErrorCode { try await store.commit { _ in } } == .closed)
        #expect(await storeErrorCode { try store.read { _ in } } == .closed)
        #expect(try count(try kind.open(folder.path)) == 50)
    }
}
