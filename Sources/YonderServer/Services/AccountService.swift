import YonderFanout
import YonderModel
import YonderRules
import YonderStore

/// Ways in for the same user elsewhere, and the account's end.
struct AccountService: Sendable {
    /// Seconds that a login code is good for: ten minutes.
    static let loginSeconds: Int64 = 600
    /// Seconds that a browser's session lasts where the token has no end: 30 days.
    static let sessionSeconds: Int64 = 30 * 86_400
    /// Messages that are erased in one commit, so that others get their turn.
    static let erasedAtOnce = 200

    let store: any Store
    let messages: MessageService
    let channels: ChannelService
    let authenticator: Authenticator
    let tokens: TokenIssuer
    let address: PublicAddress
    let clock: @Sendable () -> Timestamp

    /// A token that is good for longer.
    func renew(_ caller: Caller) -> String { tokens.token(of: caller.user, role: caller.role) }

    /// A code by which the caller comes in once, on another device.
    func makeLogin(for caller: Caller) async throws -> (url: String, code: String, expiresAt: Timestamp) {
        let secret = Secret()
        let end = clock().advanced(bySeconds: Self.loginSeconds)
        let login = Admission(user: caller.user, role: caller.role, expiresTime: end)
        try await store.commit { try $0.insertLogin(login, secret.hash) }
        return ("\(address.url)/#login=\(secret.text)", secret.text, end)
    }

    /// Comes in by a code, which is used up.
    func login(_ code: String) async throws -> (user: User, token: String) {
        let now = clock()
        let found = try await store.commit { change -> (user: User, role: UserRole)? in
            let login = try change.takeLogin(Secret.hash(code))
            guard let login, now < login.expiresTime else { return nil }
            return (try change.known(login.user), login.role)
        }
        guard let found else { throw WireError(.notFound, "the code is not valid any more") }
        return (found.user, tokens.token(of: found.user.id, role: found.role))
    }

    /// Begins a browser's session.
    func makeSession(for caller: Caller) async throws -> (value: String, seconds: Int64) {
        let now = clock()
        let secret = Secret()
        let end = caller.expiresAt ?? now.advanced(bySeconds: Self.sessionSeconds)
        let session = Admission(user: caller.user, role: caller.role, expiresTime: end)
        try await store.commit { try $0.insertSession(session, secret.hash) }
        return (secret.text, max(0, end.milliseconds(since: now) / 1000))
    }

    /// Ends the session that the caller came by, with its connections.
    func endSession(of caller: Caller) async throws {
        guard let session = caller.session else {
            throw WireError(.notFound, "there is no session to end")
        }
        _ = try await store.commit { change in
            try change.deleteSession(session)
        } publish: { [messages] in
            messages.announcer.fanout.disconnect(.session(session))
        }
    }

    /// Erases the caller's account with all its messages and locations. A channel that the caller owns goes to
    /// whoever has moderated it longest, else to whoever has been in it longest, and with its last member.
    func erase(_ caller: Caller) async throws {
        // The account goes last: until then the caller can try again.
        while try await eraseMessages(of: caller.user) == Self.erasedAtOnce {}
        let now = clock()
        let name = Authenticator.erasedName
        _ = try await store.commit { change in
            let rest = try change.messages(by: caller.user, after: nil, limit: .max)
                .map { try change.delete($0, now: now) }
            let left = try change.channels(of: caller.user).map {
                try change.leave($0.cid, caller.user, now: now)
            }
            try change.eraseAccount(caller.user, name: name, at: now)
            return (rest, left)
        } publish: { (rest: [DeletedMessage], left: [Departure]) in
            for message in rest { messages.announceDeletion(message) }
            for departure in left { announce(departure, of: caller.user) }
            authenticator.refuseTokens(of: caller.user, until: now)
            messages.announcer.fanout.disconnect(.user(caller.user))
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

    private func announce(_ departure: Departure, of user: UserId) {
        switch departure {
        case .deleted(let channel): channels.announceDeletion(channel)
        case .left(let channel, let member, let seq, let heir):
            let announcer = messages.announcer
            if let heir { announcer.member(.memberUpdated, heir.member, in: channel, seq: heir.seq) }
            announcer.member(.memberRemoved, member, in: channel, seq: seq)
            announcer.fanout.revoke(user, from: channel)
        }
    }
}

/// What became of a channel that an account left by its end.
private enum Departure: Sendable {
    case deleted(DeletedChannel)
    /// With the new owner, where the account was the owner.
    case left(ChannelId, Member, seq: Int64, heir: (member: Member, seq: Int64)?)
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
        try removeMember(user, in: channel)
        let seq = try append(StoredEvent(.memberRemoved, member), to: channel, at: now)
        return .left(channel, member, seq: seq, heir: heir)
    }
}
