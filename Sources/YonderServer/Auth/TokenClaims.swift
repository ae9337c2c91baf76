import YonderCrypto
package import YonderModel
package import YonderRules

/// What a token says: whose it is, until when, and with which role.
package struct TokenClaims: Hashable, Sendable {
    package var user: UserId
    package var role: UserRole
    package var issuedAt: Timestamp
    /// `nil` = never; only an admin's token may have none.
    package var expiresAt: Timestamp?

    package init(user: UserId, role: UserRole = .user, issuedAt: Timestamp, expiresAt: Timestamp?) {
        self.user = user
        self.role = role
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}

/// The payload of a JWT; its times are seconds since the epoch (RFC 7519, "NumericDate").
struct TokenPayload: Codable {
    var sub: String
    var iat: Double
    var exp: Double?
    var role: String?
}

/// Makes and reads tokens: JSON Web Tokens signed with HMAC-SHA256, nothing else.
package struct TokenSigner: Sendable {
    /// Fewest bytes of a secret.
    package static let minimumSecretBytes = 32

    private struct Header: Codable {
        var alg: String
        var typ: String?
    }

    private let secret: [UInt8]

    /// - Parameter secret: At least ``minimumSecretBytes`` bytes; `nil` is returned for a shorter one.
    package init?(secret: [UInt8]) {
        guard secret.count >= Self.minimumSecretBytes else { return nil }
        self.secret = secret
    }

    /// A token that says the claims.
    package func token(_ claims: TokenClaims) -> String {
        let payload = TokenPayload(
            sub: claims.user.rawValue, iat: Double(claims.issuedAt.milliseconds / 1000),
            exp: claims.expiresAt.map { Double($0.milliseconds / 1000) },
            role: claims.role == .admin ? claims.role.rawValue : nil)
        let head = Base64URL.encode(WireJSON.encode(Header(alg: "HS256", typ: "JWT")))
        let signed = "\(head).\(Base64URL.encode(WireJSON.encode(payload)))"
        return "\(signed).\(Base64URL.encode(Crypto.hmacSHA256(key: secret, Array(signed.utf8))))"
    }

    /// Reads a token.
    ///
    /// - Parameters:
    ///   - token: As it came.
    ///   - now: The server's clock.
    /// - Returns: Its claims.
    /// - Throws: `WireError`: `.tokenExpired` where it was right once, else `.unauthenticated`.
    package func claims(of token: String, now: Timestamp) throws(WireError) -> TokenClaims {
        let refused = WireError(.unauthenticated, "the token is not valid")
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let head = Base64URL.decode(String(parts[0])),
            let body = Base64URL.decode(String(parts[1])),
            let signature = Base64URL.decode(String(parts[2])),
            let header = try? WireJSON.decode(Header.self, from: head), header.alg == "HS256"
        else { throw refused }
        let signed = Array("\(parts[0]).\(parts[1])".utf8)
        guard Crypto.constantTimeEquals(Crypto.hmacSHA256(key: secret, signed), signature),
            let payload = try? WireJSON.decode(TokenPayload.self, from: body),
            let user = UserId(payload.sub), let role = UserRole(rawValue: payload.role ?? "user"),
            let issuedAt = Self.time(payload.iat)
        else { throw refused }
        var expiresAt: Timestamp?
        if let exp = payload.exp {
            guard let time = Self.time(exp) else { throw refused }
            guard now < time else { throw WireError(.tokenExpired, "the token has expired") }
            expiresAt = time
        } else if role != .admin {
            throw refused
        }
        return TokenClaims(user: user, role: role, issuedAt: issuedAt, expiresAt: expiresAt)
    }

    private static func time(_ seconds: Double) -> Timestamp? {
        guard seconds >= 0, let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else { return nil }
        return Timestamp(milliseconds: milliseconds)
    }

    /// A keyed hash of bytes, to recognise them later without keeping them.
    func fingerprint(_ bytes: [UInt8]) -> [UInt8] { Crypto.hmacSHA256(key: secret, bytes) }
}
