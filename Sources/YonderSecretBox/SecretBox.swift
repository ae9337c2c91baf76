import CSodium

/// Authenticated encryption with a shared key, as libsodium's `crypto_secretbox` does it (XSalsa20 and
/// Poly1305): 24 bytes of nonce, 16 of authentication, then as many as the text has.
package struct SecretBox: Sendable {
    /// Bytes of a key.
    package static let keyBytes = 32
    /// Bytes by which a box is longer than what is in it.
    package static let overhead = nonceBytes + macBytes
    private static let nonceBytes = 24
    private static let macBytes = 16

    private let key: [UInt8]

    /// - Parameter key: ``keyBytes`` bytes; `nil` is returned for another number.
    package init?(key: [UInt8]) {
        guard key.count == Self.keyBytes, sodium_init() >= 0 else { return nil }
        self.key = key
    }

    /// With a passphrase as OwnTracks uses it: its UTF-8, with zeros up to the length of a key.
    ///
    /// - Parameter passphrase: At most ``keyBytes`` bytes; `nil` is returned for a longer one.
    package init?(passphrase: String) {
        let bytes = Array(passphrase.utf8)
        guard bytes.count <= Self.keyBytes else { return nil }
        self.init(key: bytes + [UInt8](repeating: 0, count: Self.keyBytes - bytes.count))
    }

    /// Encrypts under a nonce of its own.
    ///
    /// - Parameter text: Any bytes.
    /// - Returns: ``overhead`` bytes more.
    package func seal(_ text: [UInt8]) -> [UInt8] {
        var nonce = [UInt8](repeating: 0, count: Self.nonceBytes)
        randombytes_buf(&nonce, nonce.count)
        var sealed = [UInt8](repeating: 0, count: text.count + Self.macBytes)
        crypto_secretbox_easy(&sealed, text, UInt64(text.count), nonce, key)
        return nonce + sealed
    }

    /// Decrypts.
    ///
    /// - Parameter box: As ``seal(_:)`` makes it.
    /// - Returns: What is in it; `nil` where it was sealed with another key, or changed.
    package func open(_ box: [UInt8]) -> [UInt8]? {
        guard box.count >= Self.overhead else { return nil }
        let nonce = Array(box.prefix(Self.nonceBytes))
        let sealed = Array(box.dropFirst(Self.nonceBytes))
        var text = [UInt8](repeating: 0, count: box.count - Self.overhead)
        guard crypto_secretbox_open_easy(&text, sealed, UInt64(sealed.count), nonce, key) == 0 else {
            return nil
        }
        return text
    }
}
