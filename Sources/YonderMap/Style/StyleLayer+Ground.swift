extension StyleLayer {
    /// Everything that lies flat and is drawn first: land, parks, water, squares, houses.
    static func ground(_ palette: MapPalette) -> [StyleLayer] {
        [
            StyleLayer(
                id: "land", kind: .fill, tileLayer: "land", paint: ["fill-color": .string(palette.land)]),
            StyleLayer(
                id: "border", kind: .line, tileLayer: "land", maxZoom: 10,
                layout: ["line-join": "round"],
                paint: [
                    "line-color": .string(palette.border),
                    "line-width": Expression.zoom([(1, 0.4), (6, 0.9)]),
                ]),
            StyleLayer(
                id: "green", kind: .fill, tileLayer: "green", minZoom: 12,
                paint: ["fill-color": .string(palette.green)]),
            StyleLayer(
                id: "water", kind: .fill, tileLayer: "water", minZoom: 12,
                paint: ["fill-color": .string(palette.water)]),
            StyleLayer(
                id: "plaza", kind: .fill, tileLayer: "plaza", paint: ["fill-color": .string(palette.plaza)]),
            StyleLayer(
                id: "building", kind: .fill, tileLayer: "building", minZoom: 13,
                paint: [
                    "fill-color": .string(palette.building),
                    "fill-opacity": Expression.zoom([(13, 0), (14, 1)]),
                ]),
            StyleLayer(
                id: "building-edge", kind: .line, tileLayer: "building", minZoom: 15,
                layout: ["line-join": "round"],
                paint: [
                    "line-color": .string(palette.buildingEdge),
                    "line-width": Expression.zoom([(15, 0.4), (18, 1)]),
                ]),
        ]
    }
}
