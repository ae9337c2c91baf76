/// The first 127 bytes of a PMTiles archive, version 3, checked against the file's length.
///
/// Layout: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
struct PMTilesHeader {
    static let byteCount = 127
    private static let magic = Array("PMTiles".utf8)

    let root: ByteRange
    let metadata: ByteRange
    let leaves: ByteRange
    let tiles: ByteRange
    let internalCompression: TileCompression
    let tileCompression: TileCompression
    let minZoom: Int
    let maxZoom: Int
    let bounds: MapBounds

    /// - Throws: `MapError` with code `.malformed` if a section lies outside the file or a zoom or
    ///   bound is out of range, `.unsupported` for other versions, compressions and tile types.
    init(_ bytes: [UInt8], fileSize: UInt64) throws(MapError) {
        guard bytes.count >= Self.byteCount, Array(bytes[..<7]) == Self.magic else {
            throw MapError(.malformed, "not a PMTiles archive")
        }
        guard bytes[7] == 3 else {
            throw MapError(.unsupported, "PMTiles version \(bytes[7]); only 3 is read")
        }
        var reader = ByteReader(bytes, at: 8)
        root = try Self.section(&reader, fileSize)
        metadata = try Self.section(&reader, fileSize)
        leaves = try Self.section(&reader, fileSize)
        tiles = try Self.section(&reader, fileSize)
        internalCompression = try TileCompression(wire: bytes[97])
        tileCompression = try TileCompression(wire: bytes[98])
        guard bytes[99] == 1 else {
            throw MapError(.unsupported, "tile type \(bytes[99]); only vector tiles (1) are read")
        }
        minZoom = Int(bytes[100])
        maxZoom = Int(bytes[101])
        guard minZoom <= maxZoom, maxZoom <= TileId.maxZoom else {
            throw MapError(.malformed, "zooms out of range")
        }
        bounds = try Self.bounds(bytes)
    }

    private static func section(
        _ reader: inout ByteReader, _ fileSize: UInt64
    ) throws(MapError) -> ByteRange {
        let whole = ByteRange(offset: 0, length: fileSize)
        return try whole.part(offset: try reader.uint64(), length: try reader.uint64())
    }

    private static func bounds(_ bytes: [UInt8]) throws(MapError) -> MapBounds {
        var reader = ByteReader(bytes, at: 102)
        let bounds = MapBounds(
            west: Double(try reader.int32()) / 1e7, south: Double(try reader.int32()) / 1e7,
            east: Double(try reader.int32()) / 1e7, north: Double(try reader.int32()) / 1e7)
        guard bounds.isValid else { throw MapError(.malformed, "bounds out of range") }
        return bounds
    }
}
