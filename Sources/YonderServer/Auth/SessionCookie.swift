import YonderHTTP
import YonderModel
import YonderRules

/// The cookie of a browser's session: no script can read it, and no other site makes a browser send it.
enum SessionCookie {
    static let name = "yonder_session"

    /// What a request carries of it; `nil` = nothing.
    static func value(in head: HTTPRequestHead) -> String? {
        for header in head.headers.values(of: "Cookie") {
            // Byte by byte: to String a semicolon before a combining mark is none.
            for pair in header.utf8.split(separator: UInt8(ascii: ";")) {
                let parts = pair.drop { $0 == UInt8(ascii: " ") }
                    .split(separator: UInt8(ascii: "="), maxSplits: 1)
                if parts.count == 2, parts[0].elementsEqual(name.utf8) {
                    return String(decoding: parts[1], as: UTF8.self)
                }
            }
        }
        return nil
    }

    /// The header that sets it.
    ///
    /// - Parameters:
    ///   - value: What it holds; empty takes it away.
    ///   - seconds: For how long, ≥ 0.
    ///   - isSecure: Whether it is sent over https alone.
    /// - Returns: The value of `Set-Cookie`.
    static func header(_ value: String, seconds: Int64, isSecure: Bool) -> String {
        "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}

/// Whether a page that makes a request is the server's own.
struct OriginCheck: Sendable {
    /// Scheme and authority of the public URL; `nil` = whatever host the request names.
    let publicOrigin: String?

    init(publicURL: String?) {
        publicOrigin = publicURL.map { url in
            let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
            return parts.prefix(3).joined(separator: "/").lowercased()
        }
    }

    /// Refuses a request of another site's page.
    func refuseForeign(_ head: HTTPRequestHead) throws(WireError) {
        guard let origin = head.headers["Origin"], !isOwn(origin, head) else { return }
        throw Self.foreign
    }

    /// Refuses a request that does not say that it is of the server's own page.
    func requireOwn(_ head: HTTPRequestHead) throws(WireError) {
        guard let origin = head.headers["Origin"], isOwn(origin, head) else { throw Self.foreign }
    }

    private static let foreign = WireError(.forbidden, "another site's page may not do this")

    private func isOwn(_ origin: String, _ head: HTTPRequestHead) -> Bool {
        let origin = origin.lowercased()
        if origin == publicOrigin { return true }
        guard let host = head.headers["Host"]?.lowercased(), let scheme = origin.firstRange(of: "://")
        else { return false }
        return origin[scheme.upperBound...] == host
    }
}
