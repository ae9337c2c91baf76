import YonderCrypto
import YonderModel
import YonderRules
import YonderStore

/// The body of an invite's acceptance, as it came.
struct AcceptanceBody: Decodable {
    var code: String
    var name: String?
    var key: String?
}

/// Who came in by an invite; with a token where they are new.
struct Acceptance: Encodable {
    let user: User
    let token: String?
    var isNew = false

    enum CodingKeys: String, CodingKey {
        case user, token
    }
}

/// Links by which people join a channel, with an account or without one.
struct InviteService: Sendable {
    static let uses = 1...1_000
    static let seconds: ClosedRange<Int64> = 60...31_536_000
    static let defaultSeconds: Int64 = 604_800
    /// Most invites of one channel at a time.
    static let maxInvites = 100
    /// Fewest characters of a client's key.
    static let minimumKeyLength = 16

    let store: any Store
    let announcer: Announcer
    let tokens: TokenIssuer
    let address: PublicAddress
    let clock: @Sendable () -> Timestamp

    /// Makes an invite; for the owner and moderators.
    func make(for channel: ChannelId, _ body: InviteBody, by caller: Caller) async throws -> MadeInvite {
        let now = clock()
        let secret = Secret()
        let uses = body.uses ?? 1
        guard Self.uses.contains(uses) else {
            throw WireError(.invalidArgument, "uses must be in 1...1000", field: "/uses")
        }
        let seconds = body.expiresInSeconds ?? Self.defaultSeconds
        guard Self.seconds.contains(seconds) else {
            throw WireError(
                .invalidArgument, "expires_in_seconds must be in 60...31536000", field: "/expires_in_seconds")
        }
        let invite = Invite(
            id: InviteId(Secret().text)!, channelId: channel, createdBy: caller.user, createdTime: now,
            expiresTime: now.advanced(bySeconds: seconds), uses: uses)
        try await store.commit { change in
            try change.requireModerator(caller.user, in: channel)
            guard try change.invites(in: channel).count(where: { $0.isUsable(at: now) }) < Self.maxInvites
            else {
                throw WireError(
                    .conflict, "a channel has at most \(Self.maxInvites) invites: revoke one first")
            }
            try change.insertInvite(invite, secret.hash)
        }
        return MadeInvite(
            id: invite.id, url: "\(address.url)/join#\(secret.text)", code: secret.text,
            expiresAt: invite.expiresTime, uses: uses)
    }

    /// A channel's invites that can still be used, oldest first; for the owner and moderators.
    func invites(in channel: ChannelId, for caller: Caller) throws -> [Invite] {
        let now = clock()
        return try store.read { reader in
            try reader.requireModerator(caller.user, in: channel)
            return try reader.invites(in: channel).filter { $0.isUsable(at: now) }
        }
    }

    /// Takes an invite back; for the owner and moderators.
    func revoke(_ invite: InviteId, in channel: ChannelId, by caller: Caller) async throws {
        try await store.commit { change in
            try change.requireModerator(caller.user, in: channel)
            guard try change.invites(in: channel).contains(where: { $0.id == invite }) else {
                throw WireError(.notFound, "no such invite")
            }
            try change.deleteInvite(invite)
        }
    }

    /// Who wants to come in.
    private enum Joiner: Sendable {
        case member(Caller)
        /// Somebody new, and the key of theirs by which a second attempt is known.
        case newcomer(User, key: SecretHash)

        /// Whom an earlier attempt brought in already; `nil` = there was none.
        func known(to change: any StoreTransaction, by invite: Invite) throws -> UserId? {
            switch self {
            case .member(let caller):
                try change.member(caller.user, in: invite.channelId) == nil ? nil : caller.user
            case .newcomer(_, let key): try change.userMade(by: invite.id, for: key)
            }
        }

        /// Who becomes a member; a newcomer is made.
        func enter(_ change: any StoreTransaction, by invite: Invite) throws -> User {
            switch self {
            case .member(let caller):
                try change.requireAccount(of: caller)
                try change.useInvite(invite.id, made: nil)
                return try change.known(caller.user)
            case .newcomer(let user, let key):
                try change.putUser(user)
                try change.useInvite(invite.id, made: (user.id, key))
                return user
            }
        }
    }

    private struct Joined: Sendable {
        let user: User
        var news: (channel: ChannelId, member: Member, seq: Int64)?
    }

    /// Joins: as oneself, or, without an account, as a new user.
    func accept(_ body: AcceptanceBody, by caller: Caller?) async throws -> Acceptance {
        let now = clock()
        let joiner = try caller.map(Joiner.member) ?? newcomer(body, now: now)
        let joined = try await store.commit { change in
            guard let invite = try change.invite(Secret.hash(body.code)), now < invite.expiresTime else {
                throw WireError(.notFound, "the invite is not, or no longer, valid")
            }
            if let known = try joiner.known(to: change, by: invite) {
                return Joined(user: try change.known(known))
            }
            guard invite.used < invite.uses else { throw WireError(.notFound, "the invite is used up") }
            let user = try joiner.enter(change, by: invite)
            try change.putMember(user.id, role: .member, joinedAt: now, in: invite.channelId)
            let member = Member(user: user, role: .member, joinedTime: now)
            let seq = try change.append(StoredEvent(.memberAdded, member), to: invite.channelId, at: now)
            return Joined(user: user, news: (invite.channelId, member, seq))
        } publish: { [announcer] joined in
            guard let (channel, member, seq) = joined.news else { return }
            announcer.member(.memberAdded, member, in: channel, seq: seq)
        }
        guard case .newcomer = joiner else { return Acceptance(user: joined.user, token: nil) }
        return Acceptance(
            user: joined.user, token: tokens.token(of: joined.user.id, role: .user, at: now),
            isNew: joined.news != nil)
    }

    private func newcomer(_ body: AcceptanceBody, now: Timestamp) throws(WireError) -> Joiner {
        guard let name = body.name else {
            throw WireError(.invalidArgument, "a name is required", field: "/name")
        }
        guard let key = body.key, key.count >= Self.minimumKeyLength, key.utf8.count <= 256 else {
            throw WireError(
                .invalidArgument, "a key of 16 or more random characters is required", field: "/key")
        }
        let id = UserId(UUIDv7.make(milliseconds: now.milliseconds))!
        let user = User(id: id, name: try checkedName(name), role: .user, createdTime: now)
        return .newcomer(user, key: Secret.hash(key))
    }
}

extension Invite {
    /// Whether somebody may still join by it.
    fileprivate func isUsable(at now: Timestamp) -> Bool { now < expiresTime && used < uses }
}

extension StoreReader {
    /// Lets the owner and moderators of a channel go on.
    ///
    /// - Throws: `WireError` `.notFound` for who is no member, `.forbidden` for the other members.
    func requireModerator(_ user: UserId, in channel: ChannelId) throws {
        _ = try visibleChannel(channel, to: user)
        guard try member(user, in: channel)?.role.isModerating == true else {
            throw WireError(.forbidden, "only the owner and moderators look after invites")
        }
    }
}
