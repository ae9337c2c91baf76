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

/// What became of adding somebody.
struct MemberChange: Sendable {
    var member: Member
    var isNew: Bool
    /// Number of the event; `nil` where nothing changed.
    var seq: Int64?
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

    /// Adds somebody, or changes their role.
    func putMember(
        _ user: UserId, role: MemberRole?, in id: ChannelId, by caller: Caller
    ) async throws -> MemberChange {
        let now = clock()
        guard role != .owner else {
            throw WireError(.invalidArgument, "a channel has one owner: its maker", field: "/role")
        }
        return try await store.commit { change in
            _ = try change.visibleChannel(id, to: caller.user)
            let actor = try change.member(caller.user, in: id)?.role ?? .member
            let before = try change.member(user, in: id)
            guard actor == .owner || (actor == .moderator && role ?? .member == .member) else {
                throw WireError(.forbidden, "only the owner and moderators add members")
            }
            guard before?.role != .owner else {
                throw WireError(.conflict, "the owner's role cannot change")
            }
            guard before == nil || role == before?.role || actor == .owner else {
                throw WireError(.forbidden, "only the owner changes roles")
            }
            guard try change.user(user) != nil else { throw WireError(.notFound, "no such user") }
            try change.putMember(user, role: role ?? before?.role ?? .member, joinedAt: now, in: id)
            guard let member = try change.member(user, in: id) else {
                throw WireError(.internal, "the member is not there")
            }
            let seq = member == before ? nil : try change.nextSequence(in: id, updatedAt: nil)
            return MemberChange(member: member, isNew: before == nil, seq: seq)
        } publish: { [announcer] made in
            guard let seq = made.seq else { return }
            announcer.memberChanged(
                made.isNew ? .memberAdded : .memberUpdated, made.member, in: id, seq: seq)
        }
    }

    /// Removes somebody, or lets them leave; their live shares there end.
    func removeMember(_ user: UserId, from id: ChannelId, by caller: Caller) async throws {
        let now = clock()
        _ = try await store.commit { change in
            _ = try change.visibleChannel(id, to: caller.user)
            guard let member = try change.member(user, in: id) else {
                throw WireError(.notFound, "no such member")
            }
            guard member.role != .owner else {
                throw WireError(.conflict, "the owner cannot leave the channel")
            }
            let actor = try change.member(caller.user, in: id)?.role ?? .member
            guard user == caller.user || actor == .owner || (actor == .moderator && member.role == .member)
            else { throw WireError(.forbidden, "only the owner and moderators remove members") }
            let ended = try change.unendedShare(of: user, in: id)
                .map { try change.end($0, reason: .left, now: now) }
            try change.removeMember(user, in: id)
            return (member, ended, try change.nextSequence(in: id, updatedAt: nil))
        } publish: {
            [lives, announcer] (member: Member, ended: (share: SharedLocation, seq: Int64)?, seq: Int64) in
            if let ended { lives.announceEnd(of: ended.share, seq: ended.seq) }
            announcer.memberChanged(.memberRemoved, member, in: id, seq: seq)
            announcer.fanout.revoke(user, from: id)
        }
    }

    /// Fills in what depends on who looks and on the moment.
    private func seen(_ channel: Channel, by user: UserId, _ reader: any StoreReader) throws -> Channel {
        var channel = channel
        channel.capabilities = Self.capabilities(
            of: try reader.member(user, in: channel.cid)?.role ?? .member, in: channel)
        channel.activeLiveLocations = table.activeShares(in: channel.cid, at: clock())
        return channel
    }

    private static func capabilities(of role: MemberRole, in channel: Channel) -> [Capability] {
        var capabilities: [Capability] = [.sendMessage]
        if channel.config.sharedLocationsEnabled { capabilities.append(.shareLocation) }
        if role == .owner { capabilities.append(.updateChannel) }
        if role != .member { capabilities.append(.moderate) }
        return capabilities
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

    private static func config(_ body: ChannelBody.Config?) throws(WireError) -> ChannelConfig {
        let seconds = body?.maxLiveSeconds ?? ChannelConfig().maxLiveSeconds
        guard liveSeconds.contains(seconds) else {
            throw WireError(
                .invalidArgument, "max_live_seconds must be in 60...604800", field: "/config/max_live_seconds"
            )
        }
        return ChannelConfig(
            sharedLocationsEnabled: body?.sharedLocations ?? true, maxLiveSeconds: seconds,
            replies: body?.replies ?? true)
    }
}

/// A name of 1 to 200 Unicode scalars.
func checkedName(_ name: String) throws(WireError) -> String {
    guard (1...200).contains(name.unicodeScalars.count) else {
        throw WireError(.invalidArgument, "a name has 1 to 200 characters", field: "/name")
    }
    return name
}
