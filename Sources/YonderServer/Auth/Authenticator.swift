import Synchronization
import YonderHTTP
import YonderModel
import YonderRules
import YonderStore

/// Finds out who makes a request: from a user's token, a view link's token, or a browser's session.
///
/// Verified tokens are remembered until they expire, at most ``maxRemembered``; when there are more, all are
/// forgotten and verified anew. Links and sessions are looked up each time: they can be revoked.
final class Authenticator: Sendable {
    private static let maxRemembered = 10_000

    private struct Contents {
        var verified: [String: Caller] = [:]
        /// Up to when the tokens of accounts that were erased since the start are refused.
        var refused: [UserId: Timestamp] = [:]
    }

    private let signer: TokenSigner
    let store: any Store
    private let origins: OriginCheck
    private let clock: @Sendable () -> Timestamp
    private let contents = Mutex(Contents())

    init(
        signer: TokenSigner, store: any Store, origins: OriginCheck,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.signer = signer
        self.store = store
        self.origins = origins
        self.clock = clock
    }

    /// Who makes a request.
    ///
    /// - Throws: `WireError` `.unauthenticated`, `.tokenExpired`, or `.forbidden` where a session may not do
    ///   this from there; `StoreError`.
    func principal(of head: HTTPRequestHead) async throws -> Principal {
        if let value = head.headers["Authorization"] { return try await principal(authorization: value) }
        guard let session = SessionCookie.value(in: head) else { throw Self.withoutToken }
        guard head.method == "GET" || head.headers["X-Yonder"] == "1" else {
            throw WireError(.forbidden, "a session writes with the header X-Yonder: 1 alone")
        }
        try origins.refuseForeign(head)
        return .user(try caller(session: session))
    }

    /// The same; `nil` where the request carries nothing to be known by.
    func principalIfAny(of head: HTTPRequestHead) async throws -> Principal? {
        if head.headers["Authorization"] != nil { return try await principal(of: head) }
        guard SessionCookie.value(in: head) != nil else { return nil }
        do {
            return try await principal(of: head)
        } catch let error as WireError where error.code.status == 401 {
            return nil  // a session that is over: no script can take its cookie away
        }
    }

    /// Who makes a WebSocket handshake: browsers can set no header, they name the token as a subprotocol
    /// `bearer.<token>` beside `yonder.v1`, or have a session and come from the server's own page.
    func webSocketPrincipal(
        of head: HTTPRequestHead
    ) async throws -> (principal: Principal, subprotocol: String?) {
        let offered = head.headers.values(of: "Sec-WebSocket-Protocol")
            .joined(separator: ",").split(separator: ",")
            .map { $0.filter { $0 != " " } }
        let subprotocol = offered.contains("yonder.v1") ? "yonder.v1" : nil
        if head.headers["Authorization"] == nil {
            if let bearer = offered.first(where: { $0.hasPrefix("bearer.") }) {
                let token = String(bearer.dropFirst("bearer.".count))
                return (try await principal(token: token), subprotocol)
            }
            if let session = SessionCookie.value(in: head) {
                try origins.requireOwn(head)
                return (.user(try caller(session: session)), subprotocol)
            }
        }
        return (try await principal(of: head), subprotocol)
    }

    /// Refuses an erased account's tokens from now on. Call from the store's `publish` alone.
    func refuseTokens(of user: UserId, until time: Timestamp) {
        contents.withLock { $0.refused[user] = time }
    }

    private static let withoutToken = WireError(
        .unauthenticated, "send a token: Authorization: Bearer …")
    private static let invalid = WireError(.unauthenticated, "the token is not valid")
    private static let expired = WireError(.tokenExpired, "the token has expired")

    private func principal(authorization value: String) async throws -> Principal {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw Self.withoutToken }
        return try await principal(token: String(parts[1]))
    }

    /// A user's token has dots, a link's has none.
    private func principal(token: String) async throws -> Principal {
        token.contains(".")
            ? .user(try await caller(token: token)) : .guest(try guest(token: token))
    }

    private func guest(token: String) throws -> Guest {
        let now = clock()
        return try store.read { reader in
            guard let link = try reader.link(Secret.hash(token)) else { throw Self.invalid }
            guard link.isAlive(at: now), let message = try reader.message(link.messageId),
                message.deletedTime == nil, let share = message.sharedLocation,
                !share.isOver(at: now)
            else { throw WireError(.tokenExpired, "the link is no longer valid") }
            return Guest(link: link, channel: message.channelId)
        }
    }

    private func caller(session text: String) throws -> Caller {
        let hash = Secret.hash(text)
        guard let session = try store.read({ try $0.admission(.session, hash) }) else { throw Self.invalid }
        guard clock() < session.expiresTime else { throw Self.expired }
        return Caller(
            user: session.user, role: session.role, issuedAt: session.issuedTime,
            expiresAt: session.expiresTime, session: hash)
    }

    private func caller(token: String) async throws -> Caller {
        let now = clock()
        if let known = try remembered(token) {
            if let end = known.expiresAt, now >= end {
                contents.withLock { _ = $0.verified.removeValue(forKey: token) }
                throw Self.expired
            }
            return known
        }
        let claims = try signer.claims(of: token, now: now)
        try await makeKnown(claims, now: now)
        let caller = Caller(
            user: claims.user, role: claims.role, issuedAt: claims.issuedAt, expiresAt: claims.expiresAt)
        contents.withLock { contents in
            if contents.verified.count >= Self.maxRemembered { contents.verified.removeAll() }
            contents.verified[token] = caller
        }
        return try remembered(token) ?? caller
    }

    private func remembered(_ token: String) throws -> Caller? {
        try contents.withLock { contents in
            guard let known = contents.verified[token] else { return nil }
            if let end = contents.refused[known.user], known.issuedAt <= end {
                contents.verified[token] = nil
                throw Self.invalid
            }
            return known
        }
    }

    /// A valid token whose user is unknown makes that user, named by the id; as does one that is newer than
    /// the erasure of the account.
    private func makeKnown(_ claims: TokenClaims, now: Timestamp) async throws {
        guard try store.read({ try $0.needsUser(for: claims) }) else { return }
        _ = try await store.commit { change in
            guard try change.needsUser(for: claims) else { return }
            try change.putUser(
                User(id: claims.user, name: claims.user.rawValue, role: claims.role, createdTime: now))
        }
    }
}

extension StoreReader {
    /// Whether a token's user is yet to be made.
    ///
    /// - Throws: `WireError` `.unauthenticated` where the token is older than the account's erasure.
    fileprivate func needsUser(for claims: TokenClaims) throws -> Bool {
        if let end = try tokensRefusedUntil(of: claims.user), claims.issuedAt <= end {
            throw WireError(.unauthenticated, "the token is not valid")
        }
        return try user(claims.user) == nil || isErased(claims.user)
    }
}
