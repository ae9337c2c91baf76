/// A path as a line of text: Google's encoded polyline algorithm.
public enum Polyline: Sendable {
    /// The text of a path.
    ///
    /// - Parameters:
    ///   - places: The path.
    ///   - digits: Decimal digits of a degree that are kept: 5, the default, or 6.
    /// - Returns: ASCII.
    /// - Precondition: `digits` is in 1...7.
    public static func encode(_ places: [Coordinate], digits: Int = 5) -> String {
        let factor = Self.factor(digits)
        var bytes: [UInt8] = []
        var last: (Int64, Int64) = (0, 0)
        for place in places {
            let next = (
                Int64((place.latitude * factor).rounded()), Int64((place.longitude * factor).rounded())
            )
            append(next.0 - last.0, to: &bytes)
            append(next.1 - last.1, to: &bytes)
            last = next
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The path of a text.
    ///
    /// - Parameters:
    ///   - text: What ``encode(_:digits:)`` or another program has written.
    ///   - digits: Decimal digits of a degree: 5, the default, or 6.
    /// - Returns: `nil` where the text is none, is cut off, or leads out of the Earth's coordinates.
    /// - Precondition: `digits` is in 1...7.
    public static func decode(_ text: String, digits: Int = 5) -> [Coordinate]? {
        let factor = Self.factor(digits)
        var places: [Coordinate] = []
        var at: (Int64, Int64) = (0, 0)
        var bytes = text.utf8.makeIterator()
        while let north = step(&bytes) {
            guard let north, let east = step(&bytes), let east else { return nil }
            at = (at.0 &+ north, at.1 &+ east)
            guard let place = Coordinate(latitude: Double(at.0) / factor, longitude: Double(at.1) / factor)
            else {
                return nil
            }
            places.append(place)
        }
        return places
    }

    private static func factor(_ digits: Int) -> Double {
        precondition((1...7).contains(digits), "a polyline keeps 1 to 7 digits")
        return (0..<digits).reduce(1.0) { factor, _ in factor * 10 }
    }

    /// Five bits a byte, the lowest first, the sign in the last bit.
    private static func append(_ step: Int64, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: step < 0 ? ~(step << 1) : step << 1)
        while rest >= 0x20 {
            bytes.append(UInt8(0x20 | rest & 0x1F) + 63)
            rest >>= 5
        }
        bytes.append(UInt8(rest) + 63)
    }

    /// One number; outer `nil`: the text is at its end, inner: it is none.
    private static func step(_ bytes: inout String.UTF8View.Iterator) -> Int64?? {
        var (value, shift) = (UInt64(0), UInt64(0))
        var isFirst = true
        while true {
            guard let byte = bytes.next() else { return isFirst ? .none : .some(nil) }
            isFirst = false
            // Seven groups hold more than the Earth has.
            guard byte >= 63, byte <= 126, shift <= 35 else { return .some(nil) }
            value |= UInt64((byte - 63) & 0x1F) << shift
            if byte - 63 < 0x20 { break }
            shift += 5
        }
        let half = Int64(value >> 1)
        return value & 1 == 1 ? ~half : half
    }
}
