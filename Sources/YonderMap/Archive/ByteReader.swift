/// Reads little-endian numbers and varints from bytes nobody has checked yet.
struct ByteReader {
    private let bytes: [UInt8]
    private(set) var position: Int

    init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    var remaining: Int { bytes.count - position }

    mutating func byte() throws(MapError) -> UInt8 {
        guard remaining > 0 else { throw MapError(.malformed, "data ends early") }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func uint64() throws(MapError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            value |= UInt64(try byte()) << shift
        }
        return value
    }

    mutating func int32() throws(MapError) -> Int32 {
        var value: UInt32 = 0
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            value |= UInt32(try byte()) << shift
        }
        return Int32(bitPattern: value)
    }

    /// A base-128 number of at most ten bytes that fits 64 bits.
    mutating func varint() throws(MapError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let next = try byte()
            let bits = UInt64(next & 0x7f)
            guard shift < 63 || (shift == 63 && bits <= 1) else {
                throw MapError(.malformed, "a number is too long")
            }
            value |= bits << shift
            if next < 0x80 { return value }
            shift += 7
        }
    }
}
