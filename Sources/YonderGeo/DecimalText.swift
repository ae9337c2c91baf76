/// Decimal numbers as text, without a C library.
enum DecimalText {
    /// A number to so many digits after the point at most, without trailing zeros.
    static func write(_ number: Double, digits: Int) -> String {
        let factor = (0..<digits).reduce(1.0) { factor, _ in factor * 10 }
        let scaled = UInt64(min(1e18, abs(number) * factor).rounded())
        var rest = scaled
        var bytes: [UInt8] = []
        var isZero = true
        for position in 0... {
            let digit = UInt8(rest % 10)
            rest /= 10
            if position == digits, digits > 0, !isZero { bytes.append(UInt8(ascii: ".")) }
            if position >= digits || digit != 0 || !isZero {
                bytes.append(UInt8(ascii: "0") + digit)
                isZero = false
            }
            if rest == 0, position >= digits { break }
        }
        if number < 0, scaled > 0 { bytes.append(UInt8(ascii: "-")) }
        return String(decoding: bytes.reversed(), as: UTF8.self)
    }

    /// `-`?, digits, and a point with digits at most; `nil` for anything else.
    static func read(_ bytes: ArraySlice<UInt8>) -> Double? {
        var rest = bytes
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        var (digits, factor, count) = (0.0, 1.0, 0)
        var isAfterPoint = false
        for byte in rest {
            if byte == UInt8(ascii: "."), !isAfterPoint, count > 0 {
                isAfterPoint = true
                continue
            }
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            count += 1
            // More than a double holds changes nothing.
            if digits < 1e15 {
                digits = digits * 10 + Double(byte - UInt8(ascii: "0"))
                if isAfterPoint { factor *= 10 }
            } else if !isAfterPoint {
                digits *= 10
            }
        }
        guard count > 0, bytes.last != UInt8(ascii: "."), digits.isFinite else { return nil }
        return (isNegative ? -1 : 1) * digits / factor
    }
}
