import Testing
import YonderGeo
import YonderModel
import YonderRules
import YonderStore

/// The contract: what happens to a shared location.
@Suite struct StoreShareTests {
    private let folder = TemporaryFolder()
    private let id = MessageId("live")!

    private func storeWithShare(_ kind: StoreKind) async throws -> any Store {
        let store = try kind.open(folder.path)
        try await store.addSamples()
        try await store.commit { transaction in
            try transaction.insertMessage(Sample.share("live", until: Sample.time(600)), fingerprint: [])
            try transaction.insertMessage(Sample.share("static", until: nil), fingerprint: [])
        }
        return store
    }

    @Test(arguments: StoreKind.all)
    func `a move replaces the whole position bit for bit and nothing else`(kind: StoreKind) async throws {
        let store = try await storeWithShare(kind)
        let id = id
        var full = Sample.position(-0.0, 0.1 + 0.2)
        full.accuracy = .leastNonzeroMagnitude
        full.altitude = -.leastNormalMagnitude
        full.altitudeAccuracy = .greatestFiniteMagnitude
        (full.heading, full.speed, full.battery, full.nextWithin) = (359.9.nextDown, -0.0, 1, 30)
        for (seconds, position) in [(Int64(3), full), (5, Sample.position(-90, 180))] {
            let move = try await store.commit { transaction in
                try transaction.moveShare(
                    id, to: position, recordedAt: Sample.time(seconds), updatedAt: Sample.time(6))
            }
            #expect(move == .moved)
            var expected = Sample.share("live", until: Sample.time(600))
            expected.sharedLocation?.position = position
            expected.sharedLocation?.recordedTime = Sample.time(seconds)
            expected.sharedLocation?.updatedTime = Sample.time(6)
            let message = try #require(store.read { try $0.message(id) })
            #expect(message == expected)
            let read = try #require(message.sharedLocation?.position)
            #expect(bits(of: read) == bits(of: position))
        }
    }

    private func bits(of position: Position) -> [UInt64?] {
        [
            position.coordinate.latitude, position.coordinate.longitude, position.accuracy,
            position.altitude, position.altitudeAccuracy, position.heading, position.speed,
            position.battery, position.nextWithin,
        ].map { $0?.bitPattern }
    }

    @Test(arguments: StoreKind.all)
    func `a share that has ended is not touched again`(kind: StoreKind) async throws {
        let store = try await storeWithShare(kind)
        let id = id
        try await store.commit { transaction in
            try transaction.endShare(
                id, at: Sample.time(5), reason: .replaced, updatedAt: Sample.time(6))
        }
        let ended = try #require(store.read { try $0.message(id)?.sharedLocation })
        #expect(ended.endedTime == Sample.time(5) && ended.endedReason == .replaced)
        #expect(ended.updatedTime == Sample.time(6) && !ended.isLiveSharingActive)
        for target in [id, MessageId("static")!, MessageId("unknown")!] {
            #expect(try await move(target, at: Sample.time(100), in: store) == .ended)
            let codes = await [
                storeErrorCode { try await end(target, in: store) },
                storeErrorCode { try await extend(target, in: store) },
            ]
            #expect(codes == [.notLive, .notLive])
        }
        try #expect(store.read { try $0.message(id)?.sharedLocation } == ended)
        try #expect(store.read { try $0.unendedShares() }.isEmpty)
    }

    @Test(arguments: StoreKind.all)
    func `a share never moves back, whatever comes late`(kind: StoreKind) async throws {
        let store = try await storeWithShare(kind)
        #expect(try await move(id, at: Sample.time(10), in: store) == .moved)
        let before = try store.read { try $0.message(id) }
        #expect(try await move(id, at: Sample.time(10), in: store) == .duplicate)
        #expect(try await move(id, at: Sample.time(9), in: store) == .older)
        #expect(try store.read { try $0.message(id) } == before)
    }

    private func move(_ id: MessageId, at time: Timestamp, in store: any Store) async throws -> ShareMove {
        try await store.commit { transaction in
            try transaction.moveShare(
                id, to: Sample.position(1, 1), recordedAt: time, updatedAt: Sample.start)
        }
    }

    private func end(_ id: MessageId, in store: any Store) async throws {
        try await store.commit { transaction in
            try transaction.endShare(id, at: Sample.start, reason: .stopped, updatedAt: Sample.start)
        }
    }

    private func extend(_ id: MessageId, in store: any Store) async throws {
        try await store.commit { transaction in
            try transaction.changeShare(id, endAt: Sample.time(1), fedBy: nil, updatedAt: Sample.start)
        }
    }

    @Test(arguments: StoreKind.all)
    func `a change of one thing leaves the other`(kind: StoreKind) async throws {
        let store = try await storeWithShare(kind)
        let (id, tracker) = (id, DeviceId("tracker")!)
        func change(endAt: Timestamp?, fedBy: DeviceId?) async throws -> SharedLocation? {
            try await store.commit { transaction in
                try transaction.changeShare(id, endAt: endAt, fedBy: fedBy, updatedAt: Sample.time(8))
                return try transaction.message(id)?.sharedLocation
            }
        }
        let fed = try #require(try await change(endAt: nil, fedBy: tracker))
        #expect(fed.endTime == Sample.time(600) && fed.fedByDeviceId == tracker)
        #expect(fed.createdByDeviceId == DeviceId("phone") && fed.updatedTime == Sample.time(8))
        let extended = try #require(try await change(endAt: Sample.time(900), fedBy: nil))
        #expect(extended.endTime == Sample.time(900) && extended.fedByDeviceId == tracker)
    }

    @Test(arguments: StoreKind.all)
    func `unended shares are found over all channels, oldest first, and by their owner`(
        kind: StoreKind
    ) async throws {
        let store = try await storeWithShare(kind)
        let other = Sample.channel("other")
        try await store.commit { transaction in
            try transaction.insertChannel(other)
            for (id, created) in [("second", Sample.time(2)), ("due", Sample.time(-9000))] {
                let share = Sample.share(
                    id, in: other.cid, until: created.advanced(bySeconds: 60), created: created)
                try transaction.insertMessage(share, fingerprint: [])
            }
        }
        try store.read { reader in
            try #expect(reader.unendedShares().map(\.messageId.rawValue) == ["due", "live", "second"])
            let mine = try reader.unendedShare(of: Sample.anna.id, in: Sample.channel.cid)
            #expect(mine == Sample.share("live", until: Sample.time(600)).sharedLocation)
            #expect(
                try reader.unendedShare(of: Sample.anna.id, in: other.cid)?.messageId.rawValue == "second")
            try #expect(reader.unendedShare(of: UserId("bert")!, in: other.cid) == nil)
        }
    }
}
