import YonderCrypto

/// The arithmetic of the opening handshake (RFC 6455 section 4).
public enum WebSocketHandshake: Sendable {
    /// The value of `Sec-WebSocket-Accept` that answers `key`, the value of `Sec-WebSocket-Key`.
    public static func accept(forKey key: String) -> String {
        let digest = Crypto.sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        let text = Base64URL.encode(digest).utf8.map { character in
            switch character {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: character
            }
        }
        return String(decoding: text, as: UTF8.self) + "="
    }

    /// Whether `key` is what section 4.1 asks for: 16 bytes in base 64, with padding.
    public static func isValidKey(_ key: String) -> Bool {
        let characters = Array(key.utf8)
        guard characters.count == 24, characters[22] == UInt8(ascii: "="), characters[23] == UInt8(ascii: "=")
        else { return false }
        // Bits beyond the sixteenth byte are let be: section 4.2.1 only asks for 16 decoded bytes.
        return characters[..<22].allSatisfy { character in
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
    }
}
