import Foundation
import Testing
import YonderMap

@Suite struct MapStyleTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A world and a town, each with the layers its builder gives it.
    private func style() throws -> MapStyle {
        var world = PMTilesWriter.sample
        world.metadata = metadata("Natural Earth", ["land", "country_label", "city"])
        _ = try folder.write(world.bytes, as: "world.pmtiles")
        var town = PMTilesWriter.sample
        town.zooms = (10, 15)
        town.metadata = metadata(
            "© OpenStreetMap contributors",
            ["water", "green", "plaza", "building", "rail", "road", "poi", "place"])
        _ = try folder.write(town.bytes, as: "helsinki.pmtiles")
        return MapStyle(library: try MapLibrary(directory: folder.path))
    }

    private func metadata(_ attribution: String, _ layers: [String]) -> [UInt8] {
        let list = layers.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        return Array(#"{"attribution":"\#(attribution)","vector_layers":[\#(list)]}"#.utf8)
    }

    private func document(_ json: [UInt8]) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    }

    private func layers(_ appearance: MapStyle.Appearance) throws -> [[String: Any]] {
        try #require(try document(try style().json(appearance))["layers"] as? [[String: Any]])
    }

    @Test(arguments: MapStyle.Appearance.allCases)
    func `the style asks no server for letters or icons`(appearance: MapStyle.Appearance) throws {
        let document = try document(try style().json(appearance))
        #expect(document["glyphs"] == nil && document["sprite"] == nil)
        #expect(document["version"] as? Int == 8)
    }

    @Test func `both appearances have the same layers in the same order, and other colours`() throws {
        let light = try layers(.light)
        let dark = try layers(.dark)
        let ids = light.compactMap { $0["id"] as? String }
        #expect(ids == dark.compactMap { $0["id"] as? String })
        #expect(ids.count == light.count && Set(ids).count == ids.count)
        #expect(ids.first == "background" && ids.last == "world-country")
        for (day, night) in zip(light, dark) {
            #expect(day["paint"] as? NSDictionary != night["paint"] as? NSDictionary)
        }
    }

    @Test func `every tile layer of both maps is drawn from its own source`() throws {
        var drawn: [String: Set<String>] = [:]
        for layer in try layers(.light) {
            guard let source = layer["source"] as? String, let tiles = layer["source-layer"] as? String else {
                continue
            }
            drawn[source, default: []].insert(tiles)
        }
        #expect(drawn["world"] == ["land", "country_label", "city"])
        #expect(
            drawn["helsinki"] == ["water", "green", "plaza", "building", "rail", "road", "poi", "place"])
    }

    @Test func `sources say where tiles are, how deep they go and whom to thank`() throws {
        let document = try document(try style().json(.dark, base: "https://example.org"))
        let sources = try #require(document["sources"] as? [String: [String: Any]])
        let town = try #require(sources["helsinki"])
        #expect(town["tiles"] as? [String] == ["https://example.org/tiles/helsinki/{z}/{x}/{y}.mvt"])
        #expect(town["minzoom"] as? Int == 10 && town["maxzoom"] as? Int == 15)
        #expect(town["attribution"] as? String == "© OpenStreetMap contributors")
        #expect(town["bounds"] as? [Double] == [-180, -85, 180, 85])
        #expect(Set(sources.keys) == ["world", "helsinki"])
    }

    @Test func `the same maps give the same bytes`() throws {
        let (first, second) = (try style(), try style())
        #expect(first.json(.light) == second.json(.light))
    }

    @Test func `without maps there is only the ground`() throws {
        let empty = try TemporaryFolder()
        let style = MapStyle(library: try MapLibrary(directory: empty.path))
        let layers = try document(style.json(.light))["layers"] as? [[String: Any]]
        #expect(layers?.compactMap { $0["id"] as? String } == ["background"])
    }
}
