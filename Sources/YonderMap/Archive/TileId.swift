/// Where a tile stands in a PMTiles archive: a number along a Hilbert curve, zoom after zoom.
package enum TileId {
    /// Deepest zoom whose ids fit 64 bits.
    package static let maxZoom = 31

    /// The id of a tile.
    ///
    /// - Parameters:
    ///   - z: Zoom, 0...31.
    ///   - x: Column from the west, 0..<2^z.
    ///   - y: Row from the north, 0..<2^z.
    /// - Returns: `nil` if no such tile exists.
    package static func id(z: Int, x: Int, y: Int) -> UInt64? {
        guard (0...maxZoom).contains(z) else { return nil }
        let side = UInt64(1) << UInt64(z)
        guard x >= 0, y >= 0, UInt64(x) < side, UInt64(y) < side else { return nil }
        var (column, row) = (UInt64(x), UInt64(y))
        // All shallower zooms come first: 1 + 4 + … + 4^(z-1) = (4^z - 1) / 3.
        var id = (side * side - 1) / 3
        var half = side / 2
        while half > 0 {
            let right: UInt64 = column & half == 0 ? 0 : 1
            let lower: UInt64 = row & half == 0 ? 0 : 1
            id += half * half * ((3 * right) ^ lower)
            if lower == 0 {
                if right == 1 {
                    column = side - 1 - column
                    row = side - 1 - row
                }
                swap(&column, &row)
            }
            half /= 2
        }
        return id
    }
}
