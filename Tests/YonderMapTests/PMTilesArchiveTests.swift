import Foundation
import Testing
import YonderTestSupport
import YonderMap

@Suite struct PMTilesArchiveTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ writer: PMTilesWriter) throws -> PMTilesArchive {
        try PMTilesArchive(path: try folder.write(writer.bytes))
    }

    private func failure(_ bytes: [UInt8]) throws -> MapError.Code? {
        let path = try folder.write(bytes)
        return #expect(throws: MapError.self) { try PMTilesArchive(path: path) }?.code
    }

    @Test(arguments: [
        (0, 0, 0, "zero"), (1, 0, 0, "one"), (1, 0, 1, "shared"), (1, 1, 1, "shared"), (1, 1, 0, "shared"),
        (2, 0, 0, "leafy"), (2, 1, 0, "leafz"),
    ])
    func `a tile is found in the root, in a run and behind a leaf`(z: Int, x: Int, y: Int, text: String)
        throws
    {
        let archive = try open(.sample)
        #expect(try archive.tile(z: z, x: x, y: y) == Array(text.utf8))
        #expect(try archive.plainTile(z: z, x: x, y: y) == Array(text.utf8))
    }

    @Test(arguments: [(2, 3, 3), (6, 0, 0), (7, 0, 0), (-1, 0, 0), (1, 2, 0), (1, -1, 0)])
    func `a tile that is not there is nil`(z: Int, x: Int, y: Int) throws {
        #expect(try open(.sample).tile(z: z, x: x, y: y) == nil)
    }

    @Test func `zooms, bounds and metadata are read`() throws {
        var writer = PMTilesWriter.sample
        writer.zooms = (1, 5)
        writer.bounds = (249_351_770, 601_641_550, 249_534_110, 601_791_070)
        writer.metadata = Array(
            #"{"name":"Town","attribution":"© us","vector_layers":[{"id":"road","fields":{}}],"x":1}"#.utf8)
        let archive = try open(writer)
        #expect(archive.minZoom == 1 && archive.maxZoom == 5)
        #expect(archive.bounds.west == 24.935177 && archive.bounds.north == 60.179107)
        #expect(archive.metadata.name == "Town" && archive.metadata.attribution == "© us")
        #expect(archive.metadata.layers.map(\.id) == ["road"])
        #expect(archive.tileCompression == .none)
        #expect(try archive.tile(z: 0, x: 0, y: 0) == nil)
    }

    @Test func `a gzipped tile comes as stored, and plain within the bound`() throws {
        var writer = PMTilesWriter.sample
        writer.tileCompression = 2
        writer.tiles = GzipTests.hello
        writer.root = PMTilesWriter.directory([
            .init(id: 0, length: UInt64(GzipTests.hello.count), offsetField: 1)
        ])
        let archive = try open(writer)
        #expect(archive.tileCompression == .gzip)
        #expect(try archive.tile(z: 0, x: 0, y: 0) == GzipTests.hello)
        #expect(try archive.plainTile(z: 0, x: 0, y: 0) == Array("hello hello hello hello".utf8))
        let error = #expect(throws: MapError.self) { try archive.plainTile(z: 0, x: 0, y: 0, maxBytes: 9) }
        #expect(error?.code == .tooLarge)
    }

    @Test func `an archive cut short anywhere does not open`() throws {
        let whole = PMTilesWriter.sample.bytes
        for length in whole.indices {
            #expect(try failure(Array(whole[..<length])) == .malformed, "cut at \(length)")
        }
    }

    @Test func `an archive cut short while it is open gives an error`() throws {
        let path = try folder.write(PMTilesWriter.sample.bytes)
        let archive = try PMTilesArchive(path: path)
        try #require(FileHandle(forUpdatingAtPath: path)).truncate(atOffset: 130)
        let error = #expect(throws: MapError.self) { try archive.tile(z: 2, x: 0, y: 0) }
        #expect(error?.code == .malformed)
    }

    @Test func `flipped bytes give tiles, nil or an error, never more`() throws {
        var random = SplitMix(seed: 20_240_611)
        let whole = PMTilesWriter.sample.bytes
        var opened = 0
        for _ in 0..<1000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 8..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            guard let archive = try? PMTilesArchive(path: try folder.write(bytes)) else { continue }
            opened += 1
            for (z, x, y) in [(0, 0, 0), (1, 0, 1), (2, 0, 0), (2, 1, 0), (6, 63, 63)] {
                let tile = try? archive.plainTile(z: z, x: x, y: y)
                #expect((tile?.count ?? 0) <= whole.count)
            }
        }
        #expect(opened > 50)
    }

    @Test func `several threads read one archive`() async throws {
        let archive = try open(.sample)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<200 {
                        let (near, behind) = (
                            try archive.tile(z: 1, x: 0, y: 0), try archive.tile(z: 2, x: 1, y: 0)
                        )
                        #expect(near == Array("one".utf8) && behind == Array("leafz".utf8))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `what is no archive, or of another kind, says so`() throws {
        #expect(try failure([]) == .malformed)
        #expect(try failure([UInt8](repeating: 0, count: 500)) == .malformed)
        var writer = PMTilesWriter.sample
        writer.version = 2
        #expect(try failure(writer.bytes) == .unsupported)
        writer = .sample
        writer.tileType = 2
        #expect(try failure(writer.bytes) == .unsupported)
        writer = .sample
        writer.tileCompression = 3
        #expect(try failure(writer.bytes) == .unsupported)
        writer = .sample
        writer.zooms = (3, 2)
        #expect(try failure(writer.bytes) == .malformed)
        writer = .sample
        writer.bounds = (10, 0, 5, 0)
        #expect(try failure(writer.bytes) == .malformed)
        writer = .sample
        writer.metadata = Array("[1".utf8)
        #expect(try failure(writer.bytes) == .malformed)
    }

    @Test(arguments: ["/no/such/file", "/dev/zero", "/"])
    func `a path that is no file is unreadable`(path: String) {
        let error = #expect(throws: MapError.self) { try PMTilesArchive(path: path) }
        #expect(error?.code == .unreadable)
        #expect(error?.description.contains(path + "/") == false)
    }
}
