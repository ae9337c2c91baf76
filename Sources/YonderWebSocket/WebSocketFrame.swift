/// Frames as a server sends them: unmasked, unfragmented (RFC 6455 section 5.2).
public enum WebSocketFrame: Sendable {
    /// One whole text frame, header and payload. `payload` must be UTF-8.
    public static func text(_ payload: [UInt8]) -> [UInt8] {
        var frame = header(payloadLength: payload.count)
        frame.reserveCapacity(frame.count + payload.count)
        frame.append(contentsOf: payload)
        return frame
    }

    /// The header of a text frame whose payload has `payloadLength` bytes, 0 or more: 2, 4 or 10 bytes.
    public static func header(payloadLength: Int) -> [UInt8] {
        precondition(payloadLength >= 0, "a negative payload length")
        let finalText: UInt8 = 0x81
        switch payloadLength {
        case ..<126:
            return [finalText, UInt8(payloadLength)]
        case ..<65_536:
            return [finalText, 126, UInt8(payloadLength >> 8), UInt8(payloadLength & 255)]
        default:
            return [finalText, 127]
                + (0..<8).map { UInt8(truncatingIfNeeded: payloadLength >> (56 - 8 * $0)) }
        }
    }

    /// A ping without payload.
    package static let ping: [UInt8] = [0x89, 0]

    /// A close frame. Code 0 says nothing; `reason` is cut to the 123 bytes that fit, between characters.
    package static func close(code: UInt16, reason: String) -> [UInt8] {
        guard code != 0 else { return [0x88, 0] }
        let text = closeReason(reason)
        return [0x88, UInt8(2 + text.count), UInt8(code >> 8), UInt8(code & 255)] + text
    }

    static func closeReason(_ reason: String) -> [UInt8] {
        var text: [UInt8] = []
        for scalar in reason.unicodeScalars {
            let bytes = UTF8.encode(scalar)!
            guard text.count + bytes.count <= 123 else { break }
            text.append(contentsOf: bytes)
        }
        return text
    }
}
