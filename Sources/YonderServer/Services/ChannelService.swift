import YonderCrypto
import YonderFanout
import YonderModel
import YonderRules
import YonderStore

/// The body of a channel's creation, as it came.
struct ChannelBody: Decodable {
    struct Config: Decodable {
        var sharedLocations: Bool?
        var maxLiveSeconds: Int?
        var replies: Bool?

        enum CodingKeys: String, CodingKey {
            case replies
            case sharedLocations = "shared_locations"
            case maxLiveSeconds = "max_live_seconds"
        }
    }

    var id: String?
    var type: String
    var name: String?
    var members: [UserId]?
    var config: Config?
}

/// The body of a channel's change, as it came.
struct ChannelChangeBody: Decodable {
    var name: String?
    var config: ChannelBody.Config?
}

/// Makes channels and looks after who is in them.
struct ChannelService: Sendable {
    static let liveSeconds = 60...604_800

    let store: any Store
    let table: ShareTable
    let lives: LiveLocationService
    let announcer: Announcer
    let clock: @Sendable () -> Timestamp

    /// Makes a channel that its maker owns.
    func create(_ body: ChannelBody, by caller: Caller) async throws -> Channel {
        let now = clock()
        let id = try Self.channelId(body, now: now)
        let channel = Channel(
            cid: id, name: try body.name.map { (name) throws(WireError) in try checkedName(name) },
            createdBy: caller.user, memberCount: 0,
            config: try Self.config(body.config), seq: 0, createdTime: now, updatedTime: now)
        let members = body.members ?? []
        return try await store.commit { change in
            try change.requireAccount(of: caller)
            guard try change.channel(id) == nil else {
                throw WireError(.conflict, "another channel has this id")
            }
            try change.insertChannel(channel)
            try change.putMember(caller.user, role: .owner, joinedAt: now, in: id)
            for (index, member) in members.enumerated() where member != caller.user {
                guard try change.user(member) != nil else {
                    throw WireError(.invalidArgument, "no such user", field: "/members/\(index)")
                }
                try change.putMember(member, role: .member, joinedAt: now, in: id)
            }
            return try seen(try change.visibleChannel(id, to: caller.user), by: caller.user, change)
        }
    }

    /// A channel as one of its members sees it.
    func channel(_ id: ChannelId, for caller: Caller) throws -> Channel {
        try store.read { reader in
            try seen(try reader.visibleChannel(id, to: caller.user), by: caller.user, reader)
        }
    }

    /// The caller's channels, newest activity first.
    func channels(of caller: Caller) throws -> [Channel] {
        try store.read { reader in
            try reader.channels(of: caller.user).map { try seen($0, by: caller.user, reader) }
        }
    }

    /// Who is in a channel, in the order of their joining.
    func members(of id: ChannelId, for caller: Caller) throws -> [Member] {
        try store.read { reader in
            _ = try reader.visibleChannel(id, to: caller.user)
            return try reader.members(of: id)
        }
    }

    /// Changes a channel's name and configuration; for its owner. Turning locations off ends those that are live.
    func change(_ id: ChannelId, _ body: ChannelChangeBody, by caller: Caller) async throws -> Channel {
        let now = clock()
        let name = try body.name.map { (name) throws(WireError) in try checkedName(name) }
        return try await store.commit { change in
            var channel = try change.visibleChannel(id, to: caller.user)
            guard try change.member(caller.user, in: id)?.role == .owner else {
                throw WireError(.forbidden, "only its owner may change a channel")
            }
            channel.name = name ?? channel.name
            channel.config = try Self.config(body.config, over: channel.config)
            let ended =
                channel.config.sharedLocationsEnabled
                ? []
                : try change.unendedShares(in: id).map { try change.end($0, reason: .disabled, now: now) }
            try change.updateChannel(channel)
            let seq = try change.append(StoredEvent(.channelUpdated), to: id, at: now)
            return Changed(channel: try change.visibleChannel(id, to: caller.user), ended: ended, seq: seq)
        } publish: { [lives, announcer] changed in
            for share in changed.ended { lives.announceEnd(of: share) }
            announcer.channelUpdated(changed.channel, seq: changed.seq)
        }.channel.seen(as: .owner, table.activeShares(in: id, at: now))
    }

    /// Deletes a channel with all that is in it; for its owner.
    func delete(_ id: ChannelId, by caller: Caller) async throws {
        let now = clock()
        _ = try await store.commit { change in
            _ = try change.visibleChannel(id, to: caller.user)
            guard try change.member(caller.user, in: id)?.role == .owner else {
                throw WireError(.forbidden, "only its owner may delete a channel")
            }
            return try change.delete(id, now: now)
        } publish: {
            announceDeletion($0)
        }
    }

    /// Says that a channel is deleted. Call from `publish` alone.
    func announceDeletion(_ deleted: DeletedChannel) {
        for share in deleted.ended { lives.announceEnd(of: share) }
        announcer.linksEnded(deleted.links)
        announcer.channelDeleted(deleted.id, seq: deleted.seq)
    }

    private struct Changed: Sendable {
        let channel: Channel
        let ended: [EndedShare]
        let seq: Int64
    }

    /// Fills in what depends on who looks and on the moment.
    private func seen(_ channel: Channel, by user: UserId, _ reader: any StoreReader) throws -> Channel {
        channel.seen(
            as: try reader.member(user, in: channel.cid)?.role ?? .member,
            table.activeShares(in: channel.cid, at: clock()))
    }

    private static func channelId(_ body: ChannelBody, now: Timestamp) throws(WireError) -> ChannelId {
        guard ChannelId("\(body.type):x") != nil else {
            throw WireError(.invalidArgument, "a type is 1 to 32 of a-z", field: "/type")
        }
        guard let id = ChannelId("\(body.type):\(body.id ?? UUIDv7.make(milliseconds: now.milliseconds))")
        else {
            throw WireError(.invalidArgument, "an id is 1 to 64 of A-Z a-z 0-9 _ -", field: "/id")
        }
        return id
    }

    /// What a body says, over what there was.
    private static func config(
        _ body: ChannelBody.Config?, over old: ChannelConfig = ChannelConfig()
    ) throws(WireError) -> ChannelConfig {
        let seconds = body?.maxLiveSeconds ?? old.maxLiveSeconds
        guard liveSeconds.contains(seconds) else {
            throw WireError(
                .invalidArgument, "max_live_seconds must be in 60...604800", field: "/config/max_live_seconds"
            )
        }
        return ChannelConfig(
            sharedLocationsEnabled: body?.sharedLocations ?? old.sharedLocationsEnabled,
            maxLiveSeconds: seconds, replies: body?.replies ?? old.replies)
    }
}

/// A channel that was just deleted.
struct DeletedChannel: Sendable {
    let id: ChannelId
    let ended: [EndedShare]
    /// The links of static locations.
    let links: [LinkId]
    let seq: Int64
}

extension StoreTransaction {
    /// Deletes a channel with all that is in it; its shares end before.
    func delete(_ id: ChannelId, now: Timestamp) throws -> DeletedChannel {
        var ended = try unendedShares(in: id).map { try end($0, reason: .deleted, now: now) }
        for index in ended.indices { ended[index].share.position = nil }
        let links = try endLinks(in: id, at: now)
        let seq = try append(StoredEvent(.channelDeleted), to: id, at: now)
        try deleteChannel(id)
        return DeletedChannel(id: id, ended: ended, links: links, seq: seq)
    }
}

extension Channel {
    /// The channel as a member with some role sees it.
    fileprivate func seen(as role: MemberRole, _ shares: [SharedLocation]) -> Channel {
        var copy = self
        copy.capabilities = [.sendMessage]
        if config.sharedLocationsEnabled { copy.capabilities.append(.shareLocation) }
        if role == .owner { copy.capabilities.append(.updateChannel) }
        if role.isModerating { copy.capabilities.append(.moderate) }
        copy.activeLiveLocations = shares
        return copy
    }
}

/// A name of 1 to 200 Unicode scalars.
func checkedName(_ name: String) throws(WireError) -> String {
    guard (1...200).contains(name.unicodeScalars.count) else {
        throw WireError(.invalidArgument, "a name has 1 to 200 characters", field: "/name")
    }
    return name
}
