import Testing
import YonderModel
import YonderRules
import YonderStore
import YonderTestSupport

/// What a store should hold, kept in plain arrays, for comparison.
struct ModelStore: Sendable {
    private var users: [User] = []
    private var channels: [Channel] = []
    private var members: [(channel: ChannelId, member: Member)] = []
    private(set) var messages: [Message] = []

    /// Makes one random change here and in the store; what the store must refuse it must refuse.
    mutating func change(
        _ store: any StoreTransaction, at now: Timestamp, using random: inout SplitMix
    ) throws {
        let user = Sample.user("user\(Int.random(in: 0..<5, using: &random))")
        let channel = Sample.channel("channel\(Int.random(in: 0..<3, using: &random))")
        switch Int.random(in: 0..<9, using: &random) {
        case 0: try put(user, store)
        case 1: try insert(channel, store)
        case 2: try join(user, channel, at: now, store)
        case 3:
            try store.removeMember(user.id, in: channel.cid)
            members.removeAll { $0.channel == channel.cid && $0.member.user.id == user.id }
        case 4: try number(channel, at: now, store)
        case 5, 6:
            let end = Bool.random(using: &random) ? now.advanced(bySeconds: 60) : nil
            let id = "m\(random.next())"
            let share = Sample.share(id, in: channel.cid, by: user, until: end, created: now)
            let plain = Sample.message(id, in: channel.cid, by: user, text: "text \(id)")
            try insert(Bool.random(using: &random) ? share : plain, store)
        default: try touchShare(at: now, store, using: &random)
        }
    }

    private func refuses(_ code: StoreError.Code, _ body: () throws -> Void) {
        let error = #expect(throws: StoreError.self) { try body() }
        #expect(error?.code == code)
    }

    private mutating func put(_ user: User, _ store: any StoreTransaction) throws {
        try store.putUser(user)
        if !users.contains(user) { users.append(user) }
    }

    private mutating func insert(_ channel: Channel, _ store: any StoreTransaction) throws {
        try put(Sample.anna, store)
        if channels.contains(where: { $0.cid == channel.cid }) {
            refuses(.conflict) { try store.insertChannel(channel) }
        } else {
            try store.insertChannel(channel)
            channels.append(channel)
        }
    }

    private mutating func join(
        _ user: User, _ channel: Channel, at now: Timestamp, _ store: any StoreTransaction
    ) throws {
        func put() throws {
            try store.putMember(user.id, role: .moderator, joinedAt: now, in: channel.cid)
        }
        guard users.contains(user), channels.contains(where: { $0.cid == channel.cid }) else {
            return refuses(.notFound, put)
        }
        try put()
        if !members.contains(where: { $0.channel == channel.cid && $0.member.user == user }) {
            members.append((channel.cid, Member(user: user, role: .moderator, joinedTime: now)))
        }
    }

    private mutating func number(
        _ channel: Channel, at now: Timestamp, _ store: any StoreTransaction
    ) throws {
        guard let index = channels.firstIndex(where: { $0.cid == channel.cid }) else {
            return refuses(.notFound) { _ = try store.nextSequence(in: channel.cid, updatedAt: now) }
        }
        channels[index].seq += 1
        channels[index].updatedTime = now
        #expect(try store.nextSequence(in: channel.cid, updatedAt: now) == channels[index].seq)
    }

    private mutating func insert(_ message: Message, _ store: any StoreTransaction) throws {
        guard users.contains(message.user), channels.contains(where: { $0.cid == message.channelId }) else {
            return refuses(.notFound) { try store.insertMessage(message, fingerprint: [1]) }
        }
        try store.insertMessage(message, fingerprint: Array(message.id.rawValue.utf8))
        messages.append(message)
    }

    private mutating func touchShare(
        at now: Timestamp, _ store: any StoreTransaction, using random: inout SplitMix
    ) throws {
        guard let index = messages.indices.randomElement(using: &random) else { return }
        let id = messages[index].id
        let position = Sample.position(
            .random(in: -90...90, using: &random), .random(in: -180...180, using: &random))
        let moves = Bool.random(using: &random)
        func move() throws -> ShareMove {
            try store.moveShare(id, to: position, recordedAt: now, updatedAt: now)
        }
        func end() throws { try store.endShare(id, at: now, reason: .stopped, updatedAt: now) }
        guard var share = messages[index].sharedLocation, share.isLiveSharingActive else {
            return moves ? try #expect(move() == .ended) : refuses(.notLive, end)
        }
        guard !moves || now > share.recordedTime else {
            return try #expect(move() == (now == share.recordedTime ? .duplicate : .older))
        }
        share.updatedTime = now
        if moves {
            try #expect(move() == .moved)
            (share.position, share.recordedTime) = (position, now)
        } else {
            try end()
            (share.endedTime, share.endedReason, share.isLiveSharingActive) = (now, .stopped, false)
        }
        messages[index].sharedLocation = share
    }

    /// Compares all that a store can be asked for.
    func check(_ reader: any StoreReader) throws {
        for user in users { try #expect(reader.user(user.id) == user) }
        for channel in channels {
            let inside = members.filter { $0.channel == channel.cid }.map(\.member)
            var expected = channel
            expected.memberCount = inside.count
            try #expect(reader.channel(channel.cid) == expected)
            try #expect(reader.members(of: channel.cid) == inside)
            let page = try reader.messages(in: channel.cid, limit: 10_000, before: nil, after: nil)
            #expect(page == messages.filter { $0.channelId == channel.cid })
        }
        for message in messages {
            try #expect(reader.message(message.id) == message)
            try #expect(reader.messageFingerprint(message.id) == Array(message.id.rawValue.utf8))
        }
        let unended = messages.compactMap(\.sharedLocation).filter(\.isLiveSharingActive)
        try #expect(Set(reader.unendedShares()) == Set(unended))
    }
}
