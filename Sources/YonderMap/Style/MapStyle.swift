import Foundation

/// The look of the base map: a MapLibre style (version 8) for a library of maps.
///
/// A plain value, made once when the library is opened. Both appearances have the same layers under the
/// same ids, so the page can swap one for the other without losing anything drawn on top. The style has
/// no `glyphs` and no `sprite`: MapLibre GL JS 5.24 draws names with the viewer's own fonts.
public struct MapStyle: Sendable {
    /// Which of the two palettes; the raw value stands in the style's URL.
    public enum Appearance: String, CaseIterable, Sendable {
        case light, dark

        var palette: MapPalette {
            switch self {
            case .light: .light
            case .dark: .dark
            }
        }
    }

    private let maps: [MapLibrary.Entry]

    /// - Parameter library: The maps to draw. Each is drawn with those layers of the style whose tiles
    ///   it has, so a folder of other maps with the same tile layers works as well.
    public init(library: MapLibrary) {
        maps = library.entries
    }

    /// The style as JSON, keys sorted: equal input gives equal bytes.
    ///
    /// - Parameters:
    ///   - appearance: Light or dark.
    ///   - base: What stands before `/tiles/{map}/{z}/{x}/{y}.mvt` in the sources: an origin with no
    ///     slash at the end. Default empty, for pages that complete the address themselves.
    /// - Returns: UTF-8.
    public func json(_ appearance: Appearance, base: String = "") -> [UInt8] {
        let style: JSONValue = [
            "version": 8,
            "name": .string("Yonder \(appearance.rawValue)"),
            "sources": .object(sources(base: base)),
            "layers": .array(layers(appearance.palette)),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(style) else {
            preconditionFailure("a style holds finite numbers and strings alone")
        }
        return [UInt8](data)
    }

    private func sources(base: String) -> [String: JSONValue] {
        var sources: [String: JSONValue] = [:]
        for map in maps {
            var source: [String: JSONValue] = [
                "type": "vector",
                "tiles": [.string("\(base)/tiles/\(map.name)/{z}/{x}/{y}.mvt")],
                "minzoom": .number(Double(map.archive.minZoom)),
                "maxzoom": .number(Double(map.archive.maxZoom)),
            ]
            if let attribution = map.archive.metadata.attribution {
                source["attribution"] = .string(attribution)
            }
            let bounds = map.archive.bounds
            // All zeros is how an archive says that it does not know.
            if bounds.west < bounds.east, bounds.south < bounds.north {
                source["bounds"] = .array(
                    [bounds.west, bounds.south, bounds.east, bounds.north].map(JSONValue.number))
            }
            sources[map.name] = .object(source)
        }
        return sources
    }

    private func layers(_ palette: MapPalette) -> [JSONValue] {
        var layers: [JSONValue] = [
            ["id": "background", "type": "background", "paint": ["background-color": .string(palette.water)]]
        ]
        let drawn = StyleLayer.ground(palette) + StyleLayer.ways(palette) + StyleLayer.labels(palette)
        for layer in drawn {
            for map in maps where map.archive.metadata.layers.contains(where: { $0.id == layer.tileLayer }) {
                layers.append(layer.json(source: map.name))
            }
        }
        return layers
    }
}
