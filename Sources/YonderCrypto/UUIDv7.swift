/// Identifiers that sort by the time they were made (RFC 9562 section 5.7).
public enum UUIDv7: Sendable {
    /// A new identifier, 36 characters, lower case.
    ///
    /// Two of the same millisecond sort at random.
    ///
    /// - Parameter milliseconds: Time since 1970 in milliseconds, 0..<2^48.
    /// - Returns: For example `019b2c7e-3f10-7a4b-8c21-5d0e9f6a7b12`.
    public static func make(milliseconds: Int64) -> String {
        precondition((0..<1 << 48).contains(milliseconds), "a time that does not fit into 48 bits")
        var bytes = (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * Int64($0))) }
        bytes += Crypto.randomBytes(10)
        bytes[6] = bytes[6] & 0x0F | 0x70
        bytes[8] = bytes[8] & 0x3F | 0x80

        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
