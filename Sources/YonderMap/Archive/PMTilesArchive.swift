/// A PMTiles archive, version 3, of vector tiles: a whole map in one file.
///
/// Made by `MapLibrary` or directly; holds the file open as long as it lives. Safe to use from several
/// threads at once: all state is set in `init`, reads carry their own offset. A file that changes
/// underneath gives errors or other tiles, never a crash. Each lookup reads at most three leaf
/// directories and one tile, with the limits below on every one of them.
///
/// ```swift
/// let map = try PMTilesArchive(path: "helsinki.pmtiles")
/// if let bytes = try map.tile(z: 14, x: 9327, y: 4741) {
///     send(bytes, contentEncoding: map.tileCompression == .gzip ? "gzip" : nil)
/// }
/// ```
public final class PMTilesArchive: Sendable {
    /// Longest tile that is read, as stored and as expanded.
    public static let maxTileBytes = 8 << 20
    static let maxDirectoryBytes = 4 << 20
    static let maxMetadataBytes = 1 << 20
    private static let maxLeafDepth = 3

    private let file: RandomAccessFile
    private let header: PMTilesHeader
    private let root: TileDirectory
    public let metadata: MapMetadata

    /// Shallowest zoom with tiles, 0...31.
    public var minZoom: Int { header.minZoom }
    /// Deepest zoom with tiles, `minZoom`...31.
    public var maxZoom: Int { header.maxZoom }
    /// The box the map covers.
    public var bounds: MapBounds { header.bounds }
    /// How the bytes that `tile(z:x:y:)` returns are compressed.
    public var tileCompression: TileCompression { header.tileCompression }

    /// Opens an archive and reads its header, root directory and metadata.
    ///
    /// - Parameter path: A regular file.
    /// - Throws: `MapError` with code `.unreadable` if the file cannot be read, `.malformed` if it is
    ///   damaged or no PMTiles archive, `.unsupported` for other versions, compressions than none and
    ///   gzip, and other tiles than vector tiles, `.tooLarge` if directory or metadata exceed a limit.
    public init(path: String) throws(MapError) {
        file = try RandomAccessFile(path: path)
        let head = ByteRange(offset: 0, length: min(file.size, UInt64(PMTilesHeader.byteCount)))
        header = try PMTilesHeader(
            try file.read(head, maxBytes: PMTilesHeader.byteCount), fileSize: file.size)
        root = try Self.directory(at: header.root, in: file, header.internalCompression)
        metadata = try MapMetadata(
            json: header.internalCompression.expand(
                file.read(header.metadata, maxBytes: Self.maxMetadataBytes),
                maxBytes: Self.maxMetadataBytes))
    }

    /// A tile as it is stored, compressed as `tileCompression` says.
    ///
    /// - Parameters:
    ///   - z: Zoom.
    ///   - x: Column from the west, 0..<2^z.
    ///   - y: Row from the north, 0..<2^z.
    /// - Returns: The bytes; `nil` if the map has no such tile, also for numbers out of range.
    /// - Throws: `MapError` with code `.malformed` if the archive is damaged there, `.tooLarge` if the
    ///   tile or a directory exceeds its limit, `.unreadable` if the disk fails.
    public func tile(z: Int, x: Int, y: Int) throws(MapError) -> [UInt8]? {
        guard (minZoom...maxZoom).contains(z), let id = TileId.id(z: z, x: x, y: y) else { return nil }
        var match = root.match(id)
        for _ in 0...Self.maxLeafDepth {
            switch match {
            case .absent:
                return nil
            case .tile(let offset, let length):
                let range = try header.tiles.part(offset: offset, length: length)
                return try file.read(range, maxBytes: Self.maxTileBytes)
            case .leaf(let offset, let length):
                let range = try header.leaves.part(offset: offset, length: length)
                match = try Self.directory(at: range, in: file, header.internalCompression).match(id)
            }
        }
        throw MapError(.malformed, "directories are nested too deeply")
    }

    /// A tile without compression, for clients that do not take gzip.
    ///
    /// - Parameters:
    ///   - z: Zoom.
    ///   - x: Column from the west, 0..<2^z.
    ///   - y: Row from the north, 0..<2^z.
    ///   - maxBytes: Longest tile that is accepted, expanded. Default `maxTileBytes`.
    /// - Returns: A vector tile (protobuf); `nil` if the map has no such tile.
    /// - Throws: As `tile(z:x:y:)`; also `.malformed` if the tile's compression is broken.
    public func plainTile(
        z: Int, x: Int, y: Int, maxBytes: Int = PMTilesArchive.maxTileBytes
    ) throws(MapError) -> [UInt8]? {
        guard let stored = try tile(z: z, x: x, y: y) else { return nil }
        return try tileCompression.expand(stored, maxBytes: maxBytes)
    }

    private static func directory(
        at range: ByteRange, in file: RandomAccessFile, _ compression: TileCompression
    ) throws(MapError) -> TileDirectory {
        let stored = try file.read(range, maxBytes: maxDirectoryBytes)
        return try TileDirectory(compression.expand(stored, maxBytes: maxDirectoryBytes))
    }
}
