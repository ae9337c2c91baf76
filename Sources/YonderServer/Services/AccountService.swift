import YonderFanout
import YonderModel
import YonderRules
import YonderStore

/// Ways in for the same user elsewhere, and the account's end.
struct AccountService: Sendable {
    /// How an account that was erased is called.
    static let erasedName = "Deleted account"
    /// Seconds that a login code is good for: ten minutes.
    static let loginSeconds: Int64 = 600
    /// Seconds that a browser's session lasts where the token has no end: 30 days.
    static let sessionSeconds: Int64 = 30 * 86_400
    /// Most sessions, and most login codes, of one user; of more the oldest go.
    static let maxAdmissions = 20
    /// Messages that are erased in one commit, so that others get their turn.
    static let erasedAtOnce = 200

    let store: any Store
    let messages: MessageService
    let channels: ChannelService
    let announcer: Announcer
    let authenticator: Authenticator
    let tokens: TokenIssuer
    let address: PublicAddress
    let clock: @Sendable () -> Timestamp

    /// A token that is good for longer.
    func renew(_ caller: Caller) throws -> String {
        // Made before the look: one that is made while the account is erased is older than that.
        let token = tokens.token(of: caller.user, role: caller.role)
        try store.read { try $0.requireAccount(of: caller) }
        return token
    }

    /// A code by which the caller comes in once, on another device.
    func makeLogin(for caller: Caller) async throws -> (url: String, code: String, expiresAt: Timestamp) {
        let now = clock()
        let end = now.advanced(bySeconds: Self.loginSeconds)
        let (secret, _) = try await admit(.login, caller, from: now, to: end)
        return ("\(address.url)/#login=\(secret.text)", secret.text, end)
    }

    /// Comes in by a code, which is used up.
    func login(_ code: String) async throws -> (user: User, token: String) {
        let now = clock()
        let hash = Secret.hash(code)
        let found = try await store.commit { change -> (user: User, role: UserRole)? in
            guard let login = try change.admission(.login, hash) else { return nil }
            try change.deleteAdmission(.login, hash)
            return now < login.expiresTime ? (try change.known(login.user), login.role) : nil
        }
        guard let found else { throw WireError(.notFound, "the code is not valid any more") }
        return (found.user, tokens.token(of: found.user.id, role: found.role, at: now))
    }

    /// Begins a browser's session.
    func makeSession(for caller: Caller) async throws -> (value: String, seconds: Int64) {
        let now = clock()
        let end = caller.expiresAt ?? now.advanced(bySeconds: Self.sessionSeconds)
        let (secret, superfluous) = try await admit(.session, caller, from: now, to: end)
        for session in superfluous { announcer.fanout.disconnect(.session(session)) }
        return (secret.text, max(0, end.milliseconds(since: now) / 1000))
    }

    private func admit(
        _ kind: Admission.Kind, _ caller: Caller, from now: Timestamp, to end: Timestamp
    ) async throws -> (secret: Secret, superfluous: [SecretHash]) {
        let secret = Secret()
        let admission = Admission(
            kind, user: caller.user, role: caller.role, issuedTime: now, expiresTime: end)
        let superfluous = try await store.commit { change in
            try change.requireAccount(of: caller)
            return try change.insertAdmission(admission, secret.hash, keeping: Self.maxAdmissions)
        }
        return (secret, superfluous)
    }

    /// Ends the session that the caller came by, with its connections.
    func endSession(of caller: Caller) async throws {
        guard let session = caller.session else {
            throw WireError(.notFound, "there is no session to end")
        }
        _ = try await store.commit { change in
            try change.deleteAdmission(.session, session)
        } publish: { [announcer] in
            announcer.fanout.disconnect(.session(session))
        }
    }

    /// Erases the caller's account with all its messages and locations. A channel that the caller owns goes to
    /// whoever has moderated it longest, else to whoever has been in it longest, and with its last member.
    func erase(_ caller: Caller) async throws {
        // The account goes last: until then the caller can try again.
        while try await eraseMessages(of: caller.user) == Self.erasedAtOnce {}
        _ = try await store.commit { change in
            // The time of the commit's turn: what waited before it is older.
            let now = clock()
            let rest = try change.messages(by: caller.user, after: nil, limit: .max)
                .map { try change.delete($0, now: now) }
            let left = try change.channels(of: caller.user).map {
                try change.leave($0.cid, caller.user, now: now)
            }
            try change.eraseAccount(caller.user, name: Self.erasedName, at: now)
            return (rest, left, now)
        } publish: { (rest: [DeletedMessage], left: [Departure], now: Timestamp) in
            for message in rest { messages.announceDeletion(message) }
            for departure in left { announce(departure) }
            authenticator.refuseTokens(of: caller.user, until: now)
            announcer.fanout.disconnect(.user(caller.user))
        }
    }

    /// Erases some of a user's messages.
    ///
    /// - Returns: How many.
    private func eraseMessages(of user: UserId) async throws -> Int {
        let now = clock()
        return try await store.commit { change in
            try change.messages(by: user, after: nil, limit: Self.erasedAtOnce)
                .map { try change.delete($0, now: now) }
        } publish: { deleted in
            for message in deleted { messages.announceDeletion(message) }
        }.count
    }

    private func announce(_ departure: Departure) {
        switch departure {
        case .deleted(let channel): channels.announceDeletion(channel)
        case .left(let removed, let heir):
            if let heir {
                announcer.member(.memberUpdated, heir.member, in: removed.channel, seq: heir.seq)
            }
            channels.announceRemoval(removed)
        }
    }
}

/// What became of a channel that an account left by its end.
private enum Departure: Sendable {
    case deleted(DeletedChannel)
    /// With the new owner, where the account was the owner.
    case left(RemovedMember, heir: (member: Member, seq: Int64)?)
}

extension StoreTransaction {
    /// Takes somebody out of a channel, who may own it.
    fileprivate func leave(_ channel: ChannelId, _ user: UserId, now: Timestamp) throws -> Departure {
        let members = try members(of: channel)
        let others = members.filter { $0.user.id != user }
        guard let member = members.first(where: { $0.user.id == user }), !others.isEmpty else {
            return .deleted(try delete(channel, now: now))
        }
        var heir: (member: Member, seq: Int64)?
        if member.role == .owner, var next = others.first(where: { $0.role == .moderator }) ?? others.first {
            next.role = .owner
            try putMember(next.user.id, role: .owner, joinedAt: next.joinedTime, in: channel)
            heir = (next, try append(StoredEvent(.memberUpdated, next), to: channel, at: now))
        }
        return .left(try remove(member, from: channel, now: now), heir: heir)
    }
}
