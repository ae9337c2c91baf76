import Testing
import YonderGeo
import YonderModel
import YonderRules
import YonderStore

/// The contract: links, invites, sessions, login codes, and an account's end.
struct StoreAccessTests {
    private let folder = TemporaryFolder()
    private let live = MessageId("live")!
    private let fixed = MessageId("static")!

    private func open(_ kind: StoreKind) async throws -> any Store {
        let store = try kind.open(folder.path)
        try await store.addSamples()
        try await store.commit { change in
            try change.putUser(Sample.user("bo"))
            try change.insertMessage(Sample.share("live", until: Sample.time(600)), fingerprint: [])
            try change.insertMessage(Sample.share("static", until: nil), fingerprint: [])
        }
        return store
    }

    private func link(_ id: String, of message: MessageId, expires: Int64? = nil, coarse: Bool = false)
        -> ViewLink
    {
        ViewLink(
            id: LinkId(id)!, messageId: message, precision: coarse ? .approximate : .exact,
            createdTime: Sample.start, expiresTime: expires.map(Sample.time),
            cell: coarse ? Coordinate(latitude: -0.0, longitude: 0.1 + 0.2) : nil)
    }

    @Test(arguments: StoreKind.all)
    func `links are found by their token's hash, dead or not, and listed until they end`(
        kind: StoreKind
    ) async throws {
        let store = try await open(kind)
        let links = [
            link("a", of: live, coarse: true), link("b", of: live, expires: 60), link("c", of: fixed),
        ]
        try await store.commit { change in
            for (number, link) in links.enumerated() { try change.insertLink(link, [UInt8(number)]) }
        }
        try #expect(store.read { try $0.link([0]) } == links[0])
        try #expect(store.read { try $0.link([9]) } == nil)
        try #expect(store.read { try $0.links(of: live) } == Array(links[..<2]))
        try #expect(store.read { try $0.linksOfUnendedShares() } == Array(links[..<2]))
        let cell = try #require(Coordinate(latitude: 1, longitude: 2))
        try await store.commit { try $0.moveLink(links[0].id, to: cell) }
        try #expect(store.read { try $0.link([0])?.cell } == cell)
        try await store.commit { try $0.endLink(links[0].id, at: Sample.time(5)) }
        let ended = try #require(try store.read { try $0.link([0]) })
        #expect(ended.endedTime == Sample.time(5) && ended.cell == nil)
        try await store.commit { [live] change in
            try #expect(change.endLinks(of: live, at: Sample.time(6)) == [links[1].id])
            try #expect(change.endLinks(in: Sample.channel.cid, at: Sample.time(7)) == [links[2].id])
            try change.endLink(links[0].id, at: Sample.time(8))
        }
        try #expect(store.read { try $0.link([0])?.endedTime } == Sample.time(5))
        try #expect(store.read { try $0.linksOfUnendedShares() }.isEmpty)
        let again = await storeErrorCode { try await store.commit { try $0.insertLink(links[0], [7]) } }
        #expect(again == .conflict)
    }

    @Test(arguments: StoreKind.all)
    func `what is over is forgotten at its time`(kind: StoreKind) async throws {
        let store = try await open(kind)
        let anna = Sample.anna.id
        @Sendable func admission(_ seconds: Int64) -> Admission {
            Admission(
                .session, user: anna, role: .admin, issuedTime: Sample.start,
                expiresTime: Sample.time(seconds))
        }
        try await store.commit { [self] change in
            try change.insertLink(link("a", of: live, expires: 10), [1])
            try change.insertLink(link("b", of: fixed), [2])
            for (number, seconds) in [Int64(10), 100].enumerated() {
                _ = try change.insertAdmission(admission(seconds), [UInt8(number)], keeping: 9)
                try change.insertInvite(
                    Invite(
                        id: InviteId("i\(number)")!, channelId: Sample.channel.cid, createdBy: anna,
                        createdTime: Sample.start, expiresTime: Sample.time(seconds), uses: 1),
                    [UInt8(number)])
            }
            try change.useInvite(InviteId("i0")!, made: (UserId("bo")!, [5]))
        }
        let ended = try await store.commit { change in
            [
                try change.endExpiredLinks(at: Sample.time(9)).count,
                try change.endExpiredLinks(at: Sample.time(50)).count,
                try change.endExpiredLinks(at: Sample.time(50)).count,
            ]
        }
        #expect(ended == [0, 1, 0])
        try await store.commit {
            try $0.forgetExpired(now: Sample.time(50), linksEndedBefore: Sample.time(10))
        }
        try #expect(store.read { try $0.link([1])?.endedTime } == Sample.time(10))
        try await store.commit {
            try $0.forgetExpired(now: Sample.time(50), linksEndedBefore: Sample.time(11))
        }
        try store.read { reader in
            try #expect(reader.link([1]) == nil && reader.link([2]) != nil)
            try #expect(reader.admission(.session, [0]) == nil)
            try #expect(reader.admission(.session, [1]) == admission(100))
            try #expect(reader.admission(.login, [1]) == nil)
            try #expect(reader.invite([0]) == nil && reader.invite([1]) != nil)
            try #expect(reader.userMade(by: InviteId("i0")!, for: [5]) == nil)
        }
    }

    @Test(arguments: StoreKind.all, [Admission.Kind.session, .login])
    func `of a user's admissions only the newest stay`(kind: StoreKind, of what: Admission.Kind) async throws
    {
        let store = try await open(kind)
        func admission(_ user: String, at seconds: Int64) -> Admission {
            Admission(
                what, user: UserId(user)!, role: .user, issuedTime: Sample.time(seconds),
                expiresTime: Sample.time(900))
        }
        let all = [("bo", Int64(0)), ("anna", 1), ("anna", 2), ("anna", 2), ("anna", 2)].map(admission)
        let gone = try await store.commit { change in
            try all.enumerated().map { number, admission in
                try change.insertAdmission(admission, [UInt8(number)], keeping: 2)
            }
        }
        #expect(gone.prefix(3) == [[], [], []] && gone[3] == [[1]] && gone[4].count == 1)
        try #expect(store.read { try $0.admission(what, [4]) } == all[4])
        try #expect(store.read { try $0.admission(what, [0]) } == all[0])
        try await store.commit { try $0.deleteAdmission(what, [4]) }
        try #expect(store.read { try $0.admission(what, [4]) } == nil)
    }

    @Test(arguments: StoreKind.all)
    func `an invite counts its uses and knows whom it made`(kind: StoreKind) async throws {
        let store = try await open(kind)
        let invite = Invite(
            id: InviteId("i")!, channelId: Sample.channel.cid, createdBy: Sample.anna.id,
            createdTime: Sample.start, expiresTime: Sample.time(60), uses: 3)
        try await store.commit { change in
            try change.insertInvite(invite, [1])
            try change.useInvite(invite.id, made: nil)
            try change.useInvite(invite.id, made: (UserId("bo")!, [2]))
        }
        try store.read { reader in
            try #expect(reader.invite([1])?.used == 2)
            try #expect(reader.invites(in: Sample.channel.cid).map(\.id) == [invite.id])
            try #expect(reader.userMade(by: invite.id, for: [2]) == UserId("bo"))
            try #expect(reader.userMade(by: invite.id, for: [3]) == nil)
        }
        try await store.commit { try $0.deleteInvite(invite.id) }
        try #expect(store.read { try $0.invite([1]) } == nil)
        try await store.commit { change in
            try change.insertInvite(invite, [1])
            try change.useInvite(invite.id, made: (UserId("bo")!, [2]))
            try change.deleteChannel(Sample.channel.cid)
        }
        try #expect(store.read { try $0.invite([1]) } == nil)
    }

    @Test(arguments: StoreKind.all)
    func `an erased account keeps its id and no more, and its tokens are refused`(
        kind: StoreKind
    ) async throws {
        let store = try await open(kind)
        let anna = Sample.anna.id
        try await store.commit { change in
            try change.putDevice(Sample.device("phone", of: anna))
            let session = Admission(
                .session, user: anna, role: .user, issuedTime: Sample.start, expiresTime: Sample.time(100))
            _ = try change.insertAdmission(session, [1], keeping: 9)
            try change.insertInvite(
                Invite(
                    id: InviteId("i")!, channelId: Sample.channel.cid, createdBy: anna,
                    createdTime: Sample.start, expiresTime: Sample.time(60), uses: 3), [1])
        }
        try #expect(store.read { try $0.tokensRefusedUntil(of: anna) } == nil)
        let messages = try store.read { try $0.messages(by: anna, after: nil, limit: 10) }
        #expect(messages.map(\.id) == [live, fixed])
        try #expect(
            store.read { try $0.messages(by: anna, after: live, limit: 10) }.map(\.id) == [fixed])
        try await store.commit { [live, fixed] change in
            try change.endShare(live, at: Sample.time(9), reason: .deleted, updatedAt: Sample.time(9))
            for id in [live, fixed] { try change.deleteMessage(id, at: Sample.time(9)) }
            try change.eraseAccount(anna, name: "nobody", at: Sample.time(9))
        }
        try store.read { reader in
            try #expect(reader.user(anna)?.name == "nobody")
            try #expect(reader.devices(of: anna).isEmpty)
            try #expect(reader.admission(.session, [1]) == nil && reader.invite([1]) == nil)
            try #expect(reader.messages(by: anna, after: nil, limit: 10).isEmpty)
            try #expect(reader.tokensRefusedUntil(of: anna) == Sample.time(9))
            try #expect(reader.isErased(anna))
        }
        // Somebody comes back as the same user; the old tokens stay refused.
        try await store.commit { try $0.putUser(Sample.anna) }
        try #expect(store.read { try $0.isErased(anna) } == false)
        try #expect(store.read { try $0.tokensRefusedUntil(of: anna) } == Sample.time(9))
    }

    @Test(arguments: StoreKind.all)
    func `a device has one ingest key, which goes with the device`(kind: StoreKind) async throws {
        let store = try await open(kind)
        let anna = Sample.anna.id
        let devices = ["phone", "tablet"].map { DeviceId($0)! }
        func key(_ device: DeviceId, _ sealed: UInt8) -> IngestKey {
            IngestKey(user: anna, device: device, sealedPassphrase: [sealed], createdTime: Sample.time(1))
        }
        let keys = [key(devices[0], 7), key(devices[0], 8), key(devices[1], 9)]
        try await store.commit { change in
            for id in devices {
                try change.putDevice(
                    Device(
                        id: id, name: nil, platform: nil, userId: anna, createdTime: Sample.start,
                        lastSeenTime: Sample.start))
            }
            for (number, key) in keys.enumerated() { try change.putIngestKey(key, [UInt8(number)]) }
        }
        try #expect(store.read { try $0.ingestKey([0]) } == nil)
        try #expect(store.read { try $0.ingestKey([1]) } == keys[1])
        let removed = try await store.commit { change in
            (
                try change.deleteIngestKey(of: devices[0], of: anna),
                try change.deleteIngestKey(of: devices[0], of: anna)
            )
        }
        #expect(removed == (true, false))
        try #expect(store.read { try $0.ingestKey([1]) } == nil)
        try await store.commit { try $0.deleteDevice(devices[1], of: anna, at: Sample.time(2)) }
        try #expect(store.read { try $0.ingestKey([2]) } == nil)
        let nobodys = key(DeviceId("none")!, 1)
        let error = await #expect(throws: StoreError.self) {
            try await store.commit { try $0.putIngestKey(nobodys, [5]) }
        }
        #expect(error?.code == .notFound)
    }
}
