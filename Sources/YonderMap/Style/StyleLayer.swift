/// One layer of the style, not yet bound to a map: it is drawn for every map that has its tile layer.
struct StyleLayer {
    enum Kind: String {
        case fill, line, symbol
    }

    let id: String
    let kind: Kind
    /// The layer of the tiles it draws.
    let tileLayer: String
    var minZoom: Double?
    var maxZoom: Double?
    var filter: JSONValue?
    var layout: [String: JSONValue] = [:]
    let paint: [String: JSONValue]

    /// The layer as MapLibre reads it, drawing from one source.
    func json(source: String) -> JSONValue {
        var object: [String: JSONValue] = [
            "id": .string("\(source)-\(id)"), "type": .string(kind.rawValue), "source": .string(source),
            "source-layer": .string(tileLayer), "paint": .object(paint),
        ]
        if let minZoom { object["minzoom"] = .number(minZoom) }
        if let maxZoom { object["maxzoom"] = .number(maxZoom) }
        if let filter { object["filter"] = filter }
        if !layout.isEmpty { object["layout"] = .object(layout) }
        return .object(object)
    }
}

/// Shorthands for MapLibre's expressions.
enum Expression {
    /// A value that grows with the zoom: exponential between stops, constant beyond them.
    static func zoom(_ stops: [(Double, JSONValue)], base: Double = 1) -> JSONValue {
        .array(
            ["interpolate", ["exponential", .number(base)], ["zoom"]]
                + stops.flatMap { [.number($0.0), $0.1] })
    }

    /// A value for each rank from 0 on; the last one also for all ranks beyond.
    static func byRank(_ values: [Double]) -> JSONValue {
        let cases = values.dropLast().enumerated().flatMap { rank, value -> [JSONValue] in
            [.number(Double(rank)), .number(value)]
        }
        return .array(["match", ["get", "rank"]] + cases + [.number(values.last ?? 0)])
    }
}
