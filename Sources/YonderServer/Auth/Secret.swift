import YonderCrypto
import YonderStore

/// A secret of the server's making that is looked up and not verified: a link's token, a code, a session.
struct Secret: Sendable {
    /// What its holder is given, once.
    let text: String
    /// What the server keeps.
    let hash: SecretHash

    /// Makes one of 160 random bits, 27 characters of base64url.
    init() {
        text = Base64URL.encode(Crypto.randomBytes(20))
        hash = Self.hash(text)
    }

    /// Makes one that people type: 160 random bits, 32 of the digits and letters that are not taken for others.
    static func forTyping() -> String {
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
        let letters = Crypto.randomBytes(32).map { alphabet[Int($0 % 32)] }
        return String(decoding: letters, as: UTF8.self)
    }

    /// What the server keeps of a secret.
    static func hash(_ text: String) -> SecretHash { Crypto.sha256(Array(text.utf8)) }
}
