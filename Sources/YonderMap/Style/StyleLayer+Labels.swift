extension StyleLayer {
    /// CSS families, drawn by the browser itself: with no `glyphs` in the style MapLibre asks no server
    /// for letters. The first is the one the page is set in.
    private static let font: JSONValue = ["system-ui", "Noto Sans"]

    /// All text; what comes later wins where two names do not fit.
    static func labels(_ palette: MapPalette) -> [StyleLayer] {
        [
            poi("poi", rank: 1, minZoom: 17, palette), poi("landmark", rank: 0, minZoom: 15, palette),
            roadName(palette), place(palette), city(palette), country(palette),
        ]
    }

    private static func poi(
        _ id: String, rank: JSONValue, minZoom: Double, _ palette: MapPalette
    ) -> StyleLayer {
        StyleLayer(
            id: id, kind: .symbol, tileLayer: "poi", minZoom: minZoom,
            filter: ["==", ["get", "rank"], rank],
            layout: [
                "text-field": ["get", "name"], "text-font": font, "text-size": 11, "text-padding": 14,
                "text-max-width": 8,
            ],
            paint: textPaint(palette.quietText, palette))
    }

    private static func place(_ palette: MapPalette) -> StyleLayer {
        let isCity: JSONValue = ["==", ["get", "kind"], "city"]
        return StyleLayer(
            id: "place", kind: .symbol, tileLayer: "place", minZoom: 11, maxZoom: 17,
            // A district's name says nothing before its streets are in sight.
            filter: ["any", isCity, [">=", ["zoom"], 13]],
            layout: [
                "text-field": ["get", "name"], "text-font": font,
                "text-size": Expression.zoom([
                    (11, ["case", isCity, 16, 11]), (16, ["case", isCity, 20, 14]),
                ]),
                "text-padding": 6, "text-max-width": 8, "symbol-sort-key": ["case", isCity, 0, 1],
            ],
            paint: textPaint(palette.text, palette))
    }

    private static func roadName(_ palette: MapPalette) -> StyleLayer {
        StyleLayer(
            id: "road-name", kind: .symbol, tileLayer: "road", minZoom: 14.5,
            filter: ["all", ["has", "name"], ["<", ["get", "rank"], 6]],
            layout: [
                "symbol-placement": "line", "symbol-spacing": 320, "text-field": ["get", "name"],
                "text-font": font, "text-size": Expression.zoom([(14, 10), (17, 13)]),
                "text-padding": 6, "text-max-angle": 30, "symbol-sort-key": ["get", "rank"],
            ],
            paint: textPaint(palette.quietText, palette))
    }

    private static func city(_ palette: MapPalette) -> StyleLayer {
        StyleLayer(
            id: "city", kind: .symbol, tileLayer: "city", minZoom: 3, maxZoom: 11,
            layout: [
                "text-field": ["get", "name"], "text-font": font,
                "text-size": Expression.zoom([
                    (3, Expression.byRank([12, 12, 12, 11])),
                    (7, Expression.byRank([18, 18, 17, 16, 15, 14, 13, 12])),
                    (11, Expression.byRank([22, 22, 22, 21, 20, 18, 16, 15])),
                ]),
                "text-padding": 8, "text-max-width": 7, "symbol-sort-key": ["get", "rank"],
            ],
            paint: textPaint(palette.text, palette))
    }

    private static func country(_ palette: MapPalette) -> StyleLayer {
        StyleLayer(
            id: "country", kind: .symbol, tileLayer: "country_label", maxZoom: 7,
            layout: [
                "text-field": ["get", "name"], "text-font": font,
                "text-size": Expression.zoom([
                    (1, Expression.byRank([10, 10, 10, 9])),
                    (5, Expression.byRank([17, 17, 16, 15, 14, 13, 12])),
                ]),
                "text-transform": "uppercase", "text-letter-spacing": 0.08, "text-padding": 8,
                "text-max-width": 7, "symbol-sort-key": ["get", "rank"],
            ],
            paint: textPaint(palette.quietText, palette))
    }

    private static func textPaint(_ color: String, _ palette: MapPalette) -> [String: JSONValue] {
        [
            "text-color": .string(color), "text-halo-color": .string(palette.halo),
            "text-halo-width": 1.4, "text-halo-blur": 0.4,
        ]
    }
}
