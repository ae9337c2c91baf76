/// The escapes of JSON strings, RFC 8259 section 7.
enum JSONEscapes {
    /// Resolves the escapes in a string's raw bytes.
    static func resolve(_ raw: ArraySlice<UInt8>) throws(ByteReader.Malformed) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(raw.count)
        var rest = String(decoding: raw, as: UTF8.self).utf16[...]
        while let unit = rest.popFirst() {
            guard unit == UInt16(UInt8(ascii: "\\")) else {
                units.append(unit)
                continue
            }
            guard let code = rest.popFirst().flatMap({ UInt8(exactly: $0) }) else {
                throw ByteReader.Malformed()
            }
            if code == UInt8(ascii: "u") {
                let digits = rest.prefix(4)
                guard digits.count == 4, let value = hexValue(digits) else {
                    throw ByteReader.Malformed()
                }
                rest.removeFirst(4)
                units.append(value)
            } else if let plain = plain(code) {
                units.append(UInt16(plain))
            } else {
                throw ByteReader.Malformed()
            }
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw ByteReader.Malformed()  // half a surrogate pair is no text
        }
        return text
    }

    private static func plain(_ code: UInt8) -> UInt8? {
        switch code {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): code
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    private static func hexValue(_ digits: Substring.UTF16View) -> UInt16? {
        var value: UInt16 = 0
        for unit in digits {
            guard let byte = UInt8(exactly: unit),
                let digit = Character(Unicode.Scalar(byte)).hexDigitValue
            else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}
