extension StyleLayer {
    /// Roads, paths and rails, casings first so that crossings stay open.
    static func ways(_ palette: MapPalette) -> [StyleLayer] {
        let round: [String: JSONValue] = ["line-cap": "round", "line-join": "round"]
        let isRoad: JSONValue = ["<", ["get", "rank"], 7]
        return [
            StyleLayer(
                id: "road-casing", kind: .line, tileLayer: "road", minZoom: 12, filter: isRoad,
                layout: round,
                paint: [
                    "line-color": .string(palette.roadCasing),
                    "line-width": roadWidth(casing: 1.2),
                    "line-opacity": Expression.zoom([(12, 0), (13.5, 1)]),
                ]),
            StyleLayer(
                id: "path", kind: .line, tileLayer: "road", minZoom: 15,
                filter: ["==", ["get", "rank"], 7], layout: round,
                paint: [
                    "line-color": .string(palette.path),
                    "line-width": Expression.zoom([(15, 0.6), (17, 1.6), (20, 5)], base: 1.5),
                    "line-opacity": Expression.zoom([(15, 0), (15.7, 1)]),
                ]),
            StyleLayer(
                id: "road", kind: .line, tileLayer: "road", filter: isRoad,
                layout: round.merging(["line-sort-key": ["-", 0, ["get", "rank"]]]) { $1 },
                paint: ["line-color": .string(palette.road), "line-width": roadWidth(casing: 0)]),
            StyleLayer(
                id: "rail", kind: .line, tileLayer: "rail", minZoom: 12,
                paint: [
                    "line-color": .string(palette.rail),
                    "line-width": Expression.zoom([(12, 0.4), (16, 0.8), (20, 2)]),
                    "line-opacity": ["match", ["get", "kind"], "rail", 1, 0.7],
                ]),
        ]
    }

    /// Width in pixels by rank 0...6, doubling with each zoom once streets have room.
    private static func roadWidth(casing: Double) -> JSONValue {
        let stops: [(Double, [Double])] = [
            (10, [1.4, 1.1, 0.8, 0.6, 0.4, 0.3, 0.2]),
            (13, [3.2, 2.8, 2.2, 1.8, 1.1, 0.8, 0.5]),
            (15, [7, 6.4, 5.4, 4.8, 3.8, 2.8, 1.6]),
            (17, [18, 16, 14, 13, 10, 8, 4.5]),
            (20, [90, 80, 70, 64, 52, 40, 22]),
        ]
        return Expression.zoom(
            stops.map { ($0, Expression.byRank($1.map { $0 + casing })) }, base: 1.6)
    }
}
