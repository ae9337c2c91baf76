import Testing
import YonderModel
import YonderRules
import YonderStore

/// The contract: what is written is read, by everything that reads it.
@Suite struct StoreContentTests {
    private let folder = TemporaryFolder()

    @Test(arguments: StoreKind.all)
    func `a put changes what is there and keeps when it began`(kind: StoreKind) async throws {
        let store = try kind.open(folder.path)
        try await store.addSamples()
        let channel = Sample.channel.cid
        var anna = Sample.anna
        (anna.name, anna.role, anna.createdTime) = ("Änna", .admin, Sample.time(9))
        var device = Sample.device("phone", of: anna.id)
        try await store.commit { [anna, device] transaction in
            try transaction.putUser(anna)
            try transaction.putDevice(device)
            try transaction.putMember(anna.id, role: .owner, joinedAt: Sample.start, in: channel)
        }
        (device.name, device.platform, device.lastSeenTime) = ("Phone", nil, Sample.time(60))
        try await store.commit { [device] transaction in
            try transaction.putDevice(device)
            try transaction.putMember(device.userId, role: .moderator, joinedAt: .now, in: channel)
        }
        try store.read { reader in
            let kept = try #require(try reader.user(anna.id))
            #expect(kept.name == "Änna" && kept.role == .admin && kept.createdTime == Sample.start)
            try #expect(reader.device(device.id, of: anna.id) == device)
            let member = Member(user: kept, role: .moderator, joinedTime: Sample.start)
            try #expect(reader.member(anna.id, in: channel) == member)
        }
    }

    @Test(arguments: StoreKind.all)
    func `what is not there is nil or empty`(kind: StoreKind) async throws {
        let store = try kind.open(folder.path)
        try await store.addSamples()
        let (nobody, nowhere) = (UserId("nobody")!, ChannelId("team:nowhere")!)
        try store.read { reader in
            try #expect(reader.user(nobody) == nil)
            try #expect(reader.device(DeviceId("x")!, of: nobody) == nil)
            try #expect(reader.devices(of: nobody).isEmpty)
            try #expect(reader.channel(nowhere) == nil)
            try #expect(reader.channels(of: nobody).isEmpty)
            try #expect(reader.member(Sample.anna.id, in: Sample.channel.cid) == nil)
            try #expect(reader.members(of: Sample.channel.cid).isEmpty)
            try #expect(reader.message(MessageId("x")!) == nil)
            try #expect(reader.messageFingerprint(MessageId("x")!) == nil)
            try #expect(reader.messages(in: nowhere, limit: 1, before: nil, after: nil).isEmpty)
            try #expect(reader.unendedShares().isEmpty)
            try #expect(reader.unendedShare(of: nobody, in: nowhere) == nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func `lists stand in their order`(kind: StoreKind) async throws {
        let store = try kind.open(folder.path)
        try await store.addSamples()
        let people = ["dora", "bert", "carl"].map(Sample.user)
        let quiet = Sample.channel("quiet", updated: Sample.time(-5))
        try await store.commit { transaction in
            try transaction.insertChannel(quiet)
            for (index, person) in people.enumerated() {
                try transaction.putUser(person)
                for channel in [Sample.channel.cid, quiet.cid] {
                    let joined = Sample.time(Int64(index))
                    try transaction.putMember(person.id, role: .member, joinedAt: joined, in: channel)
                }
                let device = Sample.device(
                    person.id.rawValue, of: people[0].id, created: Sample.time(-Int64(index)))
                try transaction.putDevice(device)
            }
        }
        func channels() throws -> [ChannelId] {
            try store.read { try $0.channels(of: people[0].id).map(\.cid) }
        }
        try #expect(store.read { try $0.members(of: quiet.cid).map(\.user) } == people)
        let devices = try store.read { try $0.devices(of: people[0].id).map(\.id.rawValue) }
        #expect(devices == ["carl", "bert", "dora"])
        #expect(try channels() == [Sample.channel.cid, quiet.cid])
        _ = try await store.commit { try $0.nextSequence(in: quiet.cid, updatedAt: Sample.time(5)) }
        #expect(try channels() == [quiet.cid, Sample.channel.cid])
        try await store.commit { try $0.removeMember(people[0].id, in: quiet.cid) }
        #expect(try channels() == [Sample.channel.cid])
        try #expect(store.read { try $0.channel(quiet.cid)?.memberCount } == 2)
    }

    @Test(arguments: StoreKind.all)
    func `a channel changes, and its events count up from 1 each for itself`(kind: StoreKind) async throws {
        let store = try kind.open(folder.path)
        try await store.addSamples()
        var channel = Sample.channel
        channel.name = nil
        channel.config = ChannelConfig(sharedLocationsEnabled: false, maxLiveSeconds: 60, replies: false)
        channel.updatedTime = Sample.time(7)
        let numbers = try await store.commit { [channel] transaction in
            try transaction.updateChannel(channel)
            try transaction.insertChannel(Sample.channel("other"))
            _ = try transaction.nextSequence(in: ChannelId("team:other")!, updatedAt: nil)
            return try (1...3).map { _ in try transaction.nextSequence(in: channel.cid, updatedAt: nil) }
        }
        #expect(numbers == [1, 2, 3])
        channel.seq = 3
        try #expect(store.read { try $0.channel(channel.cid) } == channel)
    }

    @Test(arguments: StoreKind.all)
    func `a refused write says why and leaves nothing`(kind: StoreKind) async throws {
        let store = try kind.open(folder.path)
        try await store.addSamples()
        let (nowhere, stranger) = (ChannelId("team:nowhere")!, Sample.user("stranger"))
        let message = Sample.message("m", text: "first")
        let codes = try await store.commit { transaction -> [StoreError.Code?] in
            func code(_ body: () throws -> Void) -> StoreError.Code? {
                do { try body() } catch { return (error as? StoreError)?.code }
                return nil
            }
            try transaction.insertMessage(message, fingerprint: [1])
            return [
                code { try transaction.insertChannel(Sample.channel) },
                code { try transaction.insertMessage(Sample.message("m"), fingerprint: [2]) },
                code { try transaction.insertMessage(Sample.message("n", in: nowhere), fingerprint: []) },
                code { try transaction.insertMessage(Sample.message("o", by: stranger), fingerprint: []) },
                code { try transaction.updateChannel(Sample.channel("nowhere")) },
                code { _ = try transaction.nextSequence(in: nowhere, updatedAt: nil) },
                code { try transaction.putDevice(Sample.device("d", of: stranger.id)) },
            ]
        }
        #expect(codes == [.conflict, .conflict] + Array(repeating: .notFound, count: 5))
        try store.read { reader in
            try #expect(reader.message(message.id) == message)
            try #expect(reader.messageFingerprint(message.id) == [1])
            let ids = try reader.messages(
                in: Sample.channel.cid, limit: 9, before: nil, after: nil
            ).map(\.id)
            #expect(ids == [message.id])
        }
    }
}
