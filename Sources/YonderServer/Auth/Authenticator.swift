import Synchronization
import YonderFanout
import YonderHTTP
import YonderModel
import YonderRules
import YonderStore

/// Who makes a request.
struct Caller: Sendable, Hashable {
    let user: UserId
    let role: UserRole
    let expiresAt: Timestamp?
}

/// Finds out who makes a request from the token it carries.
///
/// Verified tokens are remembered until they expire, at most ``maxRemembered``;
/// when there are more, all are forgotten and verified anew.
final class Authenticator: Sendable {
    private static let maxRemembered = 10_000

    private let signer: TokenSigner
    private let store: any Store
    private let clock: @Sendable () -> Timestamp
    private let verified = Mutex<[String: Caller]>([:])

    init(signer: TokenSigner, store: any Store, clock: @escaping @Sendable () -> Timestamp) {
        self.signer = signer
        self.store = store
        self.clock = clock
    }

    /// The caller of a request with a bearer token.
    ///
    /// - Throws: `WireError` `.unauthenticated` or `.tokenExpired`; `StoreError`.
    func caller(of head: HTTPRequestHead) async throws -> Caller {
        guard let value = head.headers["Authorization"] else {
            throw WireError(.unauthenticated, "send a token: Authorization: Bearer …")
        }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw WireError(.unauthenticated, "send a token: Authorization: Bearer …")
        }
        return try await caller(withToken: String(parts[1]))
    }

    /// The caller of a WebSocket handshake: browsers can set no header, they name
    /// the token as a subprotocol `bearer.<token>` beside `yonder.v1`.
    func webSocketCaller(of head: HTTPRequestHead) async throws -> (caller: Caller, subprotocol: String?) {
        let offered = head.headers.values(of: "Sec-WebSocket-Protocol")
            .joined(separator: ",").split(separator: ",")
            .map { $0.filter { $0 != " " } }
        let subprotocol = offered.contains("yonder.v1") ? "yonder.v1" : nil
        if head.headers["Authorization"] == nil,
            let bearer = offered.first(where: { $0.hasPrefix("bearer.") })
        {
            return (try await caller(withToken: String(bearer.dropFirst("bearer.".count))), subprotocol)
        }
        return (try await caller(of: head), subprotocol)
    }

    private func caller(withToken token: String) async throws -> Caller {
        let now = clock()
        if let known = verified.withLock({ $0[token] }) {
            if let end = known.expiresAt, now >= end {
                verified.withLock { _ = $0.removeValue(forKey: token) }
                throw WireError(.tokenExpired, "the token has expired")
            }
            return known
        }
        let claims = try signer.claims(of: token, now: now)
        try await makeKnown(claims, now: now)
        let caller = Caller(user: claims.user, role: claims.role, expiresAt: claims.expiresAt)
        verified.withLock { verified in
            if verified.count >= Self.maxRemembered { verified.removeAll() }
            verified[token] = caller
        }
        return caller
    }

    /// A valid token whose user is unknown makes that user, named by the id.
    private func makeKnown(_ claims: TokenClaims, now: Timestamp) async throws {
        guard try store.read({ try $0.user(claims.user) }) == nil else { return }
        _ = try await store.commit { change in
            guard try change.user(claims.user) == nil else { return }
            try change.putUser(
                User(id: claims.user, name: claims.user.rawValue, role: claims.role, createdTime: now))
        }
    }
}
