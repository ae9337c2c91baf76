/// A cursor over JSON bytes, for the one body that arrives thousands of times a
/// second. Every access is bounds-checked; nothing is allocated but strings asked for.
struct ByteReader {
    /// A body that is no JSON.
    struct Malformed: Error {}

    private let bytes: [UInt8]
    private var index = 0

    /// Deepest nesting of a value.
    static let maxDepth = 64

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a text that should be one object, to its end.
    ///
    /// - Parameters:
    ///   - bytes: The whole text.
    ///   - value: Given each key, reads past the value that comes next.
    /// - Returns: Whether it is an object; `false` for any other value.
    /// - Throws: `Malformed` where it is no JSON.
    static func readObject(
        _ bytes: [UInt8], value: (String, inout ByteReader) throws(Malformed) -> Void
    ) throws(Malformed) -> Bool {
        var reader = ByteReader(bytes)
        let isObject = reader.peek() == UInt8(ascii: "{")
        if isObject {
            _ = try reader.elements("{", "}") { reader throws(Malformed) in
                let key = try reader.string()
                try reader.expect(":")
                try value(key, &reader)
                return nil
            }
        } else {
            try reader.skip()
        }
        guard reader.atEnd() else { throw Malformed() }
        return isObject
    }

    private static let exactPowersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// The next byte that is no white space; 0 at the end.
    mutating func peek() -> UInt8 {
        while index < bytes.count {
            let byte = bytes[index]
            guard byte.isJSONBlank else { return byte }
            index += 1
        }
        return 0
    }

    mutating func eat(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character), index < bytes.count else { return false }
        index += 1
        return true
    }

    mutating func expect(_ character: Unicode.Scalar) throws(Malformed) {
        guard eat(character) else { throw Malformed() }
    }

    mutating func atEnd() -> Bool {
        _ = peek()
        return index == bytes.count
    }

    /// Reads a string's bytes, without quotes; escapes are resolved.
    mutating func string() throws(Malformed) -> String {
        try expect("\"")
        let start = index
        var escaped = false
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            guard bytes[index] >= 0x20 else { throw Malformed() }
            if bytes[index] == UInt8(ascii: "\\") {
                escaped = true
                index += 1
            }
            index += 1
        }
        guard index < bytes.count else { throw Malformed() }
        let raw = bytes[start..<index]
        index += 1
        return escaped ? try JSONEscapes.resolve(raw) : String(decoding: raw, as: UTF8.self)
    }

    /// Reads a number; infinite where it is out of Double's range, be it too large or too close to zero.
    ///
    /// Up to 15 digits the quotient of two exact doubles is
    /// correctly rounded (Clinger's fast path); the rest goes the slow way.
    mutating func number() throws(Malformed) -> Double {
        _ = peek()
        let start = index
        let negative = at("-")
        if negative { index += 1 }
        var mantissa: UInt64 = 0
        let wholeDigits = digits(into: &mantissa)
        guard wholeDigits > 0, wholeDigits == 1 || bytes[index - wholeDigits] != UInt8(ascii: "0")
        else { throw Malformed() }
        var fractionDigits = 0
        if at(".") {
            index += 1
            fractionDigits = digits(into: &mantissa)
            guard fractionDigits > 0 else { throw Malformed() }
        }
        let digitsEnd = index
        var exact = wholeDigits + fractionDigits <= 15
        if at("e") || at("E") {
            exact = false
            index += 1
            if at("+") || at("-") { index += 1 }
            var exponent: UInt64 = 0
            guard digits(into: &exponent) > 0 else { throw Malformed() }
        }
        if exact {
            let value = Double(mantissa) / Self.exactPowersOfTen[fractionDigits]
            return negative ? -value : value
        }
        guard let value = Double(String(decoding: bytes[start..<index], as: UTF8.self)) else {
            throw Malformed()
        }
        let isZero = !bytes[start..<digitsEnd].contains { $0 > UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        return value == 0 && !isZero ? .infinity : value
    }

    /// Reads a number to its last digit; `nil` where it is no whole one, or out of Int's range.
    mutating func integer() throws(Malformed) -> Int? {
        _ = peek()
        let start = index
        let value = try number()
        // `1e2` and `1.0` are whole, too.
        return Int(String(decoding: bytes[start..<index], as: UTF8.self)) ?? Int(exactly: value)
    }

    private func at(_ character: Unicode.Scalar) -> Bool {
        index < bytes.count && bytes[index] == UInt8(ascii: character)
    }

    private mutating func digits(into value: inout UInt64) -> Int {
        let start = index
        while index < bytes.count, bytes[index] &- 48 < 10 {
            value = value &* 10 &+ UInt64(bytes[index] &- 48)
            index += 1
        }
        return index - start
    }

    /// Reads the literal `null` if it comes next.
    mutating func null() throws(Malformed) -> Bool {
        guard peek() == UInt8(ascii: "n") else { return false }
        try literal("null")
        return true
    }

    mutating func literal(_ word: StaticString) throws(Malformed) {
        let length = word.utf8CodeUnitCount
        guard index + length <= bytes.count,
            word.withUTF8Buffer({ $0.elementsEqual(bytes[index..<index + length]) })
        else { throw Malformed() }
        index += length
    }

    /// Reads past any value, checking that it is one, and returns its bytes.
    mutating func value() throws(Malformed) -> [UInt8] {
        _ = peek()
        let start = index
        try skip()
        return Array(bytes[start..<index])
    }

    /// Reads past any value, checking that it is one.
    mutating func skip(depth: Int = 0) throws(Malformed) {
        guard depth < Self.maxDepth || !isAtNesting() else { throw Malformed() }
        switch peek() {
        case UInt8(ascii: "{"):
            _ = try elements("{", "}") { reader throws(Malformed) in
                _ = try reader.string()
                try reader.expect(":")
                try reader.skip(depth: depth + 1)
                return nil
            }
        case UInt8(ascii: "["):
            _ = try elements("[", "]") { reader throws(Malformed) in
                try reader.skip(depth: depth + 1)
                return nil
            }
        default: try scalar { _ in }
        }
    }

    /// Whether a list or an object is next.
    mutating func isAtNesting() -> Bool {
        let next = peek()
        return next == UInt8(ascii: "[") || next == UInt8(ascii: "{")
    }

    /// Reads past a value that holds no others.
    private mutating func scalar(_ number: (Double) -> Void) throws(Malformed) {
        switch peek() {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: number(try self.number())
        }
    }

    /// Reads past any value, checking that it is one, as ``skip(depth:)`` does without making pointers.
    ///
    /// - Returns: JSON pointer of the first number in it that is of a kind; `nil` where there is none.
    mutating func number(
        at pointer: String, depth: Int = 0, where isMeant: (Double) -> Bool
    ) throws(Malformed) -> String? {
        guard depth < Self.maxDepth || !isAtNesting() else { throw Malformed() }
        switch peek() {
        case UInt8(ascii: "{"):
            return try elements("{", "}") { reader throws(Malformed) in
                let key = try reader.string()
                try reader.expect(":")
                return try reader.number(at: "\(pointer)/\(key)", depth: depth + 1, where: isMeant)
            }
        case UInt8(ascii: "["):
            var position = 0
            return try elements("[", "]") { reader throws(Malformed) in
                defer { position += 1 }
                return try reader.number(at: "\(pointer)/\(position)", depth: depth + 1, where: isMeant)
            }
        default:
            var found: String?
            try scalar { if isMeant($0) { found = pointer } }
            return found
        }
    }

    /// Reads past a list or an object; gives the first thing that one of its elements gives.
    mutating func elements(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar,
        _ element: (inout ByteReader) throws(Malformed) -> String?
    ) throws(Malformed) -> String? {
        var found: String?
        try expect(open)
        if eat(close) { return nil }
        repeat {
            let inside = try element(&self)
            found = found ?? inside
        } while eat(",")
        try expect(close)
        return found
    }
}

extension UInt8 {
    /// Whether this is white space of JSON.
    package var isJSONBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
