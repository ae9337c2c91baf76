import Foundation
public import YonderModel

/// What shows the server who one is: a JSON Web Token. Its text never appears in a description.
public struct Token: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible,
    CustomReflectable
{
    /// The token as it goes to the server.
    public let rawValue: String

    /// Wraps a token; whether it is valid only the server knows.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public init(stringLiteral value: String) { self.init(value) }

    /// Whose token it is, by its `sub` claim, unverified; `nil` where it is no JWT with a user in it.
    public var userId: UserId? {
        struct Claims: Decodable { var sub: String }
        let parts = rawValue.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var base64 = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
        guard let data = Data(base64Encoded: base64),
            let claims = try? JSONDecoder().decode(Claims.self, from: data)
        else { return nil }
        return UserId(claims.sub)
    }

    public var description: String { "Token(…)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Whether it may stand in a header: visible ASCII alone.
    var isSendable: Bool { !rawValue.isEmpty && rawValue.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
}

/// Who connects.
public struct UserInfo: Hashable, Sendable {
    /// The user's id, as in the token.
    public var id: UserId

    /// Creates it from a checked id.
    public init(id: UserId) { self.id = id }

    /// Creates it from a text.
    ///
    /// - Precondition: `id` is 1 to 64 of `A-Z a-z 0-9 _ . @ -`; use ``init(id:)-(UserId)`` for input.
    public init(id: String) {
        guard let userId = UserId(id) else { preconditionFailure("a user id is A-Z a-z 0-9 _ . @ -") }
        self.init(id: userId)
    }
}
