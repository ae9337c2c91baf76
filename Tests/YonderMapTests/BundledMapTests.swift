import Foundation
import Testing
import YonderMap

private let bundledMaps = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent(".cache/map").path

/// Reads the maps that script/setup builds, where it has run.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: bundledMaps + "/helsinki.pmtiles")))
struct BundledMapTests {
    @Test func `the tile under the railway square has roads and buildings`() throws {
        let map = try #require(try MapLibrary(directory: bundledMaps)["helsinki"])
        let (latitude, longitude) = (60.1705 * Double.pi / 180, 24.944)
        let side = Double(1 << 14)
        let x = Int((longitude / 360 + 0.5) * side)
        let y = Int((1 - asinh(tan(latitude)) / .pi) / 2 * side)
        let tile = try #require(try map.plainTile(z: 14, x: x, y: y))
        let names = layerNames(tile)
        #expect(names.contains("road") && names.contains("building"))
        #expect(try map.tile(z: 14, x: x, y: y)?.prefix(2) == [0x1f, 0x8b])
    }

    @Test func `the whole world is there at zoom 0`() throws {
        let map = try #require(try MapLibrary(directory: bundledMaps)["world"])
        let tile = try #require(try map.plainTile(z: 0, x: 0, y: 0))
        #expect(layerNames(tile).contains("land"))
        #expect(map.minZoom == 0 && map.maxZoom == 6)
    }

    /// The names of a vector tile's layers: field 3 of the tile, field 1 of each of those.
    private func layerNames(_ tile: [UInt8]) -> [String] {
        fields(tile[...], number: 3).flatMap { fields($0, number: 1) }.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private func fields(_ message: ArraySlice<UInt8>, number: UInt64) -> [ArraySlice<UInt8>] {
        var (rest, found) = (message, [ArraySlice<UInt8>]())
        while !rest.isEmpty {
            let key = varint(&rest)
            guard key & 7 == 2 else {
                if key & 7 == 0 { _ = varint(&rest) } else { rest = rest.dropFirst(key & 7 == 1 ? 8 : 4) }
                continue
            }
            let length = Int(varint(&rest))
            if key >> 3 == number { found.append(rest.prefix(length)) }
            rest = rest.dropFirst(length)
        }
        return found
    }

    private func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64 {
        var (value, shift) = (UInt64(0), UInt64(0))
        while let byte = bytes.popFirst() {
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        return value
    }
}
