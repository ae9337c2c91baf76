/// How stored bytes are compressed; the two kinds that every HTTP client can take.
public enum TileCompression: Hashable, Sendable {
    /// Plain bytes; 1 in a PMTiles header.
    case none
    /// RFC 1952, `Content-Encoding: gzip`; 2 in a PMTiles header.
    case gzip

    init(wire: UInt8) throws(MapError) {
        switch wire {
        case 1: self = .none
        case 2: self = .gzip
        default: throw MapError(.unsupported, "compression \(wire); only none (1) and gzip (2) are read")
        }
    }

    /// The bytes without the compression, at most `maxBytes` of them.
    func expand(_ bytes: [UInt8], maxBytes: Int) throws(MapError) -> [UInt8] {
        switch self {
        case .gzip:
            return try Gzip.inflate(bytes, maxBytes: maxBytes)
        case .none:
            guard bytes.count <= maxBytes else {
                throw MapError(.tooLarge, "data is longer than \(maxBytes) bytes")
            }
            return bytes
        }
    }
}
