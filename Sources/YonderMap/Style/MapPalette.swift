/// The colours of the base map, one role a property, as CSS colours.
///
/// Two palettes, one set of layers: a role that only one of them had would not compile.
package struct MapPalette: Hashable, Sendable {
    package let water: String
    package let land: String
    /// Borders between countries, and the coast.
    package let border: String
    package let green: String
    package let plaza: String
    package let building: String
    package let buildingEdge: String
    package let road: String
    package let roadCasing: String
    package let path: String
    package let rail: String
    /// Names of cities and districts.
    package let text: String
    /// Names of countries, streets and places to go.
    package let quietText: String
    package let halo: String

    package static let light = MapPalette(
        water: "#bfd4e1", land: "#ebe8e2", border: "#c9c4b9", green: "#d0dec3", plaza: "#f3f1ec",
        building: "#ddd8cf", buildingEdge: "#cfc9be", road: "#ffffff", roadCasing: "#d3cdc2",
        path: "#faf8f4", rail: "#bcb6aa", text: "#24272c", quietText: "#5a606b", halo: "#f6f5f2")

    package static let dark = MapPalette(
        water: "#0e202e", land: "#171a1f", border: "#3b424c", green: "#17261f", plaza: "#1d2127",
        building: "#21262d", buildingEdge: "#2d333c", road: "#373e49", roadCasing: "#101216",
        path: "#2b313a", rail: "#3d444f", text: "#cdd2da", quietText: "#959daa", halo: "#14161a")
}
