import Glibc

/// A numeric IPv4 or IPv6 address; IPv4 in IPv6 is the IPv4 address.
struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// Sixteen bytes; IPv4 as `::ffff:a.b.c.d`.
    let bytes: [UInt8]

    private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

    /// Reads the form that people write: no port, no brackets, no zone.
    init?(_ text: some StringProtocol) {
        let text = String(text)
        var four = in_addr()
        var six = in6_addr()
        // A zero byte would end the text for C.
        if text.utf8.contains(0) { return nil }
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = Self.mapped + withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: &six) { Array($0) }
        } else {
            return nil
        }
    }

    var isIPv4: Bool { bytes.starts(with: Self.mapped) }

    /// One spelling for one address, however it was written.
    var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let (family, address) = isIPv4 ? (AF_INET, bytes[12...]) : (AF_INET6, bytes[...])
        _ = address.withUnsafeBytes { inet_ntop(family, $0.baseAddress, &text, socklen_t(text.count)) }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// A network such as `10.0.0.0/8` or `fd00::/8`; an address alone is a network of one.
struct IPNetwork: Hashable, Sendable {
    private let address: IPAddress
    /// Of the sixteen bytes.
    private let prefixBits: Int

    /// `nil` where it is no network: also where bits stand behind the prefix, or there is no prefix to speak of
    /// (`/0`), since both would trust more than was meant.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parts[0]) else { return nil }
        let width = address.isIPv4 ? 32 : 128
        var bits = width
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let given = Int(parts[1]),
                (1...width).contains(given)
            else { return nil }
            bits = given
        }
        self.address = address
        prefixBits = bits + 128 - width
        let rest = address.bytes.indices.contains { address.bytes[$0] & ~mask(of: $0) != 0 }
        if rest { return nil }
    }

    func contains(_ other: IPAddress) -> Bool {
        other.bytes.indices.allSatisfy { other.bytes[$0] & mask(of: $0) == address.bytes[$0] }
    }

    private func mask(of index: Int) -> UInt8 {
        let bits = min(8, max(0, prefixBits - index * 8))
        return bits == 0 ? 0 : 0xFF << (8 - bits)
    }
}
