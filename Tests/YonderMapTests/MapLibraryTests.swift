import Testing
import YonderMap

@Suite struct MapLibraryTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `maps go by their file's name and nothing else is opened`() throws {
        for name in [
            "world.pmtiles", "town-2.pmtiles", "notes.txt", "a b.pmtiles", ".pmtiles", "x%2f.pmtiles",
        ] {
            _ = try folder.write(name.hasPrefix("notes") ? [1] : PMTilesWriter.sample.bytes, as: name)
        }
        let library = try MapLibrary(directory: folder.path)
        #expect(library.entries.map(\.name) == ["town-2", "world"])
        #expect(try library["world"]?.tile(z: 0, x: 0, y: 0) == Array("zero".utf8))
        #expect(library["world.pmtiles"] == nil && library["../world"] == nil)
    }

    @Test func `a damaged map is an error, not a gap`() throws {
        _ = try folder.write([1, 2, 3], as: "world.pmtiles")
        let error = #expect(throws: MapError.self) { try MapLibrary(directory: folder.path) }
        #expect(error?.code == .malformed)
    }

    @Test func `a folder that is not there is unreadable`() {
        let error = #expect(throws: MapError.self) { try MapLibrary(directory: "\(folder.path)/none") }
        #expect(error?.code == .unreadable)
    }
}
