import Foundation

/// Writes small PMTiles archives, right ones and wrong ones; plain bytes unless told otherwise.
struct PMTilesWriter {
    struct Entry {
        var id: UInt64
        var runLength: UInt64 = 1
        var length: UInt64
        /// As stored: offset + 1, or 0 for "right after the entry before".
        var offsetField: UInt64
    }

    var root: [UInt8] = []
    var leaves: [UInt8] = []
    var tiles: [UInt8] = []
    var metadata = Array(#"{"vector_layers":[{"id":"land"}]}"#.utf8)
    var internalCompression: UInt8 = 1
    var tileCompression: UInt8 = 1
    var tileType: UInt8 = 1
    var version: UInt8 = 3
    var zooms: (UInt8, UInt8) = (0, 6)
    var bounds: (Int32, Int32, Int32, Int32) = (-1_800_000_000, -850_000_000, 1_800_000_000, 850_000_000)

    var bytes: [UInt8] {
        var header = Array("PMTiles".utf8) + [version]
        var offset = UInt64(127)
        for section in [root, metadata, leaves, tiles] {
            header += Self.little(offset) + Self.little(UInt64(section.count))
            offset += UInt64(section.count)
        }
        header += [UInt8](repeating: 0, count: 24)  // three counts nobody needs
        header += [1, internalCompression, tileCompression, tileType, zooms.0, zooms.1]
        for value in [bounds.0, bounds.1, bounds.2, bounds.3] { header += Self.little(value) }
        header += [UInt8](repeating: 0, count: 127 - header.count)
        return header + root + metadata + leaves + tiles
    }

    static func directory(_ entries: [Entry]) -> [UInt8] {
        var previous: UInt64 = 0
        var bytes = varint(UInt64(entries.count))
        for entry in entries {
            bytes += varint(entry.id &- previous)
            previous = entry.id
        }
        for entry in entries { bytes += varint(entry.runLength) }
        for entry in entries { bytes += varint(entry.length) }
        for entry in entries { bytes += varint(entry.offsetField) }
        return bytes
    }

    static func varint(_ value: UInt64) -> [UInt8] {
        var (rest, bytes) = (value, [UInt8]())
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    static func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    /// Three tiles at zoom 0 and 1 in the root, two more behind a leaf; one run of three equal tiles.
    static var sample: PMTilesWriter {
        var writer = PMTilesWriter()
        writer.tiles = Array("zeroonesharedleafyleafz".utf8)
        let leaf = directory([
            Entry(id: 5, length: 5, offsetField: 14), Entry(id: 6, length: 5, offsetField: 0),
        ])
        writer.leaves = leaf
        writer.root = directory([
            Entry(id: 0, length: 4, offsetField: 1), Entry(id: 1, length: 3, offsetField: 0),
            Entry(id: 2, runLength: 3, length: 6, offsetField: 0),
            Entry(id: 5, runLength: 0, length: UInt64(leaf.count), offsetField: 1),
        ])
        return writer
    }
}

/// A folder of its own for one test, gone with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("yonder-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: [UInt8], as name: String = "map.pmtiles") throws -> String {
        let file = "\(path)/\(name)"
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }
}
