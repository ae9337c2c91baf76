import Testing
import YonderMap

/// Directories that lie, each in its own way.
@Suite struct TileDirectoryTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func code(root: [UInt8]) throws -> MapError.Code? {
        var writer = PMTilesWriter.sample
        writer.root = root
        let path = try folder.write(writer.bytes)
        do {
            let archive = try PMTilesArchive(path: path)
            _ = try archive.tile(z: 0, x: 0, y: 0)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: [
        PMTilesWriter.varint(.max), PMTilesWriter.varint(1 << 40) + [0, 1, 1, 1], [2, 0, 1, 1, 1],
        [UInt8](repeating: 0xff, count: 11), [0x80], [],
    ])
    func `a count the bytes cannot hold is malformed`(root: [UInt8]) throws {
        #expect(try code(root: root) == .malformed)
    }

    @Test func `ids that do not ascend are malformed`() throws {
        let twice = [
            PMTilesWriter.Entry(id: 3, length: 1, offsetField: 1), .init(id: 3, length: 1, offsetField: 0),
        ]
        #expect(try code(root: PMTilesWriter.directory(twice)) == .malformed)
        let over = [
            PMTilesWriter.Entry(id: 3, length: 1, offsetField: 1), .init(id: 2, length: 1, offsetField: 0),
        ]
        #expect(try code(root: PMTilesWriter.directory(over)) == .malformed)
    }

    @Test(arguments: [
        PMTilesWriter.Entry(id: 0, length: 0, offsetField: 1),  // empty
        .init(id: 0, length: 4, offsetField: 0),  // follows nothing
        .init(id: 0, length: 4, offsetField: 1 << 40),  // beyond the file
        .init(id: 0, length: 4, offsetField: .max), .init(id: 0, length: .max, offsetField: 1),
        .init(id: 0, runLength: 0, length: 4, offsetField: 9_000),  // a leaf beyond the leaves
    ])
    func `an entry that points nowhere is malformed`(entry: PMTilesWriter.Entry) throws {
        #expect(try code(root: PMTilesWriter.directory([entry])) == .malformed)
    }

    @Test func `offsets that run over 64 bits are malformed`() throws {
        let entries = [
            PMTilesWriter.Entry(id: 0, length: .max, offsetField: .max),
            .init(id: 1, length: 1, offsetField: 0),
        ]
        #expect(try code(root: PMTilesWriter.directory(entries)) == .malformed)
    }

    @Test func `bytes after the last entry are malformed`() throws {
        let one = PMTilesWriter.directory([.init(id: 0, length: 4, offsetField: 1)])
        #expect(try code(root: one) == nil)
        #expect(try code(root: one + [0]) == .malformed)
    }

    @Test func `a leaf that leads to itself ends`() throws {
        var writer = PMTilesWriter.sample
        let loop = PMTilesWriter.directory([.init(id: 0, runLength: 0, length: 5, offsetField: 1)])
        writer.root = loop
        writer.leaves = loop
        let archive = try PMTilesArchive(path: try folder.write(writer.bytes))
        let error = #expect(throws: MapError.self) { try archive.tile(z: 0, x: 0, y: 0) }
        #expect(error?.code == .malformed)
    }

    @Test func `a run longer than all tiles does no harm`() throws {
        var writer = PMTilesWriter.sample
        writer.root = PMTilesWriter.directory([.init(id: 0, runLength: .max, length: 4, offsetField: 1)])
        let archive = try PMTilesArchive(path: try folder.write(writer.bytes))
        #expect(try archive.tile(z: 6, x: 63, y: 63) == Array("zero".utf8))
    }
}
