import Testing
import YonderModel
import YonderRules
import YonderStore

/// The contract: the path of a live share.
struct StoreTrailTests {
    private let folder = TemporaryFolder()
    private let id = MessageId("live")!

    private func storeWithShare(_ kind: StoreKind, keepsTrail: Bool = false) async throws -> any Store {
        let store = try kind.open(folder.path)
        try await store.addSamples()
        try await store.commit { change in
            var message = Sample.share("live", until: Sample.time(600))
            message.sharedLocation?.keepsTrail = keepsTrail
            try change.insertMessage(message, fingerprint: [])
            try change.insertMessage(Sample.share("static", until: nil), fingerprint: [])
        }
        return store
    }

    private func move(
        _ store: any Store, at seconds: Int64, said: Int64? = nil, altitude: Double? = nil
    ) async throws -> ShareMove {
        var position = Sample.position(Double(seconds), 1)
        position.altitude = altitude
        return try await store.commit { [id, position] change in
            try change.moveShare(
                id, to: position, recordedAt: Sample.time(seconds), deviceTime: said.map(Sample.time),
                updatedAt: Sample.time(100))
        }
    }

    @Test(arguments: StoreKind.all)
    func `a trail begins with its share and holds every fix once, in the order of their times`(
        kind: StoreKind
    ) async throws {
        let store = try await storeWithShare(kind)
        let moves = [(20, ShareMove.moved), (10, .older), (30, .moved), (10, .duplicate), (30, .duplicate)]
        for (seconds, expected) in moves {
            #expect(try await move(store, at: Int64(seconds), altitude: -0.5) == expected, "\(seconds)")
        }
        let trail = try #require(try store.read { try $0.trail(of: id, since: nil) })
        #expect(trail.map(\.recordedTime) == [0, 10, 20, 30].map(Sample.time))
        #expect(trail.map(\.altitude) == [nil, -0.5, -0.5, -0.5])
        #expect(trail.map(\.coordinate.latitude) == [60.1699, 10, 20, 30])
        let late = try #require(try store.read { try $0.trail(of: id, since: Sample.time(20)) })
        #expect(late.map(\.recordedTime) == [20, 30].map(Sample.time))
        #expect(try store.read { try $0.message(id) }?.sharedLocation?.recordedTime == Sample.time(30))
    }

    @Test(arguments: StoreKind.all)
    func `a fix whose time was corrected is known again by the device's own time`(
        kind: StoreKind
    ) async throws {
        let store = try await storeWithShare(kind)
        #expect(try await move(store, at: 20, said: 3_620) == .moved)
        #expect(try await move(store, at: 21, said: 3_620) == .duplicate)
        #expect(try await move(store, at: 15, said: 3_615) == .older)
        #expect(try await move(store, at: 16, said: 3_615) == .duplicate)
        #expect(try await move(store, at: 22) == .moved)
        let trail = try #require(try store.read { try $0.trail(of: id, since: nil) })
        #expect(trail.map(\.recordedTime) == [0, 15, 20, 22].map(Sample.time))
    }

    @Test(arguments: StoreKind.all)
    func `trails that grow together each keep their own points, and repeats are known in all of them`(
        kind: StoreKind
    ) async throws {
        let store = try await storeWithShare(kind)
        let ids = ["live", "second", "third"].map { MessageId($0)! }
        try await store.commit { change in
            for id in ["second", "third"] {
                try change.insertMessage(Sample.share(id, until: Sample.time(600)), fingerprint: [])
            }
        }
        /// Every tenth fix comes late.
        @Sendable func time(_ step: Int64) -> Timestamp {
            step % 10 == 0 ? Sample.time(step - 5).advanced(byMilliseconds: 500) : Sample.time(step)
        }
        for steps in [1...700, 701...1_000] as [ClosedRange<Int64>] {
            let moves = try await store.commit { change in
                try steps.flatMap { step in
                    try ids.map { id in
                        try change.moveShare(
                            id, to: Sample.position(Double(step) / 100, 1), recordedAt: time(step),
                            deviceTime: Sample.time(step), updatedAt: Sample.time(100))
                    }
                }
            }
            #expect(moves == steps.flatMap { Array(repeating: $0 % 10 == 0 ? .older : .moved, count: 3) })
        }
        let repeats = try await store.commit { change in
            try [1, 500, 777, 990, 1_000].map { step in
                try change.moveShare(
                    ids[1], to: Sample.position(1, 1), recordedAt: Sample.time(2_000),
                    deviceTime: Sample.time(step), updatedAt: Sample.time(100))
            }
        }
        #expect(repeats == Array(repeating: .duplicate, count: 5))
        for id in ids {
            let trail = try #require(try store.read { try $0.trail(of: id, since: nil) })
            #expect(trail.map(\.recordedTime) == [Sample.time(0)] + (1...1_000).map(time).sorted())
        }
    }

    @Test(arguments: StoreKind.all)
    func `a hundred trails that grow together are whole, however many points have come`(
        kind: StoreKind
    ) async throws {
        let store = try await storeWithShare(kind)
        let ids = (0..<100).map { MessageId("share\($0)")! }
        let owners = (0..<100).map { Sample.user("owner\($0)") }
        try await store.commit { change in
            for (id, owner) in zip(ids, owners) {
                try change.putUser(owner)
                let message = Sample.share(id.rawValue, by: owner, until: Sample.time(600))
                try change.insertMessage(message, fingerprint: [])
            }
        }
        for step in Int64(1)...90 {
            let moves = try await store.commit { change in
                try ids.map { id in
                    try change.moveShare(
                        id, to: Sample.position(Double(step) / 10, 1), recordedAt: Sample.time(step),
                        deviceTime: Sample.time(step), updatedAt: Sample.time(100))
                }
            }
            #expect(moves.allSatisfy { $0 == .moved })
        }
        for id in ids {
            let trail = try #require(try store.read { try $0.trail(of: id, since: Sample.time(1)) })
            #expect(trail.map(\.recordedTime) == (1...90).map(Sample.time))
        }
        let repeated = try await store.commit { change in
            try ids.map { id in
                try change.moveShare(
                    id, to: Sample.position(1, 1), recordedAt: Sample.time(95), deviceTime: Sample.time(3),
                    updatedAt: Sample.time(100))
            }
        }
        #expect(repeated.allSatisfy { $0 == .duplicate })
        try await store.commit { try $0.deleteChannel(Sample.channel.cid) }
        try #expect(store.read { try $0.trail(of: ids[0], since: nil) } == nil)
    }

    @Test(arguments: StoreKind.all, [false, true])
    func `what is not to be kept goes after the end, the rest after its days`(
        kind: StoreKind, keepsTrail: Bool
    ) async throws {
        let store = try await storeWithShare(kind, keepsTrail: keepsTrail)
        _ = try await move(store, at: 5)
        let early = try await store.commit { try $0.eraseTrails(ofKeptEndedBefore: Sample.time(1_000)) }
        #expect(!early)
        try await store.commit { [id] change in
            try change.endShare(id, at: Sample.time(9), reason: .stopped, updatedAt: Sample.time(9))
        }
        #expect(try await move(store, at: 10) == .ended)
        let soon = try await store.commit { try $0.eraseTrails(ofKeptEndedBefore: Sample.time(9)) }
        #expect(soon != keepsTrail)
        try #expect(store.read { try $0.trail(of: id, since: nil)?.count } == (keepsTrail ? 2 : nil))
        try #expect(store.read { try $0.message(id) }?.sharedLocation?.keepsTrail == keepsTrail)
        let late = try await store.commit { try $0.eraseTrails(ofKeptEndedBefore: Sample.time(10)) }
        #expect(late == keepsTrail)
        try #expect(store.read { try $0.trail(of: id, since: nil) } == nil)
    }

    @Test(arguments: StoreKind.all)
    func `the first point is known again by the device's time, too`(kind: StoreKind) async throws {
        let store = try kind.open(folder.path)
        try await store.addSamples()
        try await store.commit { change in
            try change.insertMessage(
                Sample.share("live", until: Sample.time(600)), fingerprint: [], deviceTime: Sample.time(3_600)
            )
        }
        #expect(try await move(store, at: 1, said: 3_600) == .duplicate)
        #expect(try await move(store, at: 2, said: 3_602) == .moved)
    }

    @Test(arguments: StoreKind.all)
    func `a trail that is too long is thinned where it is oldest`(kind: StoreKind) async throws {
        let store = try await storeWithShare(kind)
        let count = maxTrailPoints + 10
        try await store.commit { [id] change in
            for number in 1...count {
                _ = try change.moveShare(
                    id, to: Sample.position(1, 1), recordedAt: Sample.time(Int64(number)),
                    updatedAt: Sample.time(1))
            }
        }
        try await store.commit { try $0.thinLongTrails() }
        let times = try #require(try store.read { try $0.trail(of: id, since: nil) }).map(\.recordedTime)
        #expect(times.count <= maxTrailPoints && times.count > maxTrailPoints * 7 / 10)
        #expect(times.first == Sample.start && times.last == Sample.time(Int64(count)))
        #expect(times.suffix(count / 2 - 1) == ((count / 2 + 2)...count).map { Sample.time(Int64($0)) }[...])
        try await store.commit { try $0.thinLongTrails() }
        try #expect(store.read { try $0.trail(of: id, since: nil)?.count } == times.count)
    }

    @Test(arguments: StoreKind.all)
    func `what has no trail has none`(kind: StoreKind) async throws {
        let store = try await storeWithShare(kind)
        for id in ["static", "unknown"] {
            try #expect(store.read { try $0.trail(of: MessageId(id)!, since: nil) } == nil)
        }
        try await store.commit { [id] change in
            try change.endShare(id, at: Sample.time(9), reason: .deleted, updatedAt: Sample.time(9))
            try change.deleteMessage(id, at: Sample.time(9))
        }
        try #expect(store.read { try $0.trail(of: id, since: nil) } == nil)
    }
}
