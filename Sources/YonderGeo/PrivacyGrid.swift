/// A fixed grid over the Earth, whose cells stand in for the places in them.
///
/// Bands of equal height run around the Earth, each cut into as many equal cells as make them about
/// square: some 1.2 km at every latitude. The grid is the same for everybody and never moves, so the
/// average of many positions tells no more than one of them does.
public enum PrivacyGrid: Sendable {
    /// Wished length of a cell's side in metres.
    public static let cellSize = 1_200.0
    /// How far a place may be outside its cell, as a part of the cell's side, before it changes to
    /// another: so that whoever stands at a border does not go to and fro.
    public static let hysteresis = 0.1

    /// Bands from pole to pole.
    static let bandCount = Int((.pi * Coordinate.meanEarthRadius / cellSize).rounded())
    /// Degrees.
    static let bandHeight = 180 / Double(bandCount)

    /// One cell.
    public struct Cell: Hashable, Sendable {
        /// Counted from the south pole.
        let band: Int
        /// Counted from the 180th meridian eastwards.
        let column: Int
        /// How many cells its band has.
        let columnCount: Int

        /// The cell that a place lies in.
        public init(containing place: Coordinate) {
            band = min(
                Int(((place.latitude + 90) / PrivacyGrid.bandHeight).rounded(.down)),
                PrivacyGrid.bandCount - 1)
            let middle = (Double(band) + 0.5) * PrivacyGrid.bandHeight - 90
            let length = 2 * .pi * Coordinate.meanEarthRadius * PortableMath.cos(middle.radians)
            columnCount = max(1, Int((length / PrivacyGrid.cellSize).rounded()))
            let part = (place.longitude + 180) / 360
            // The 180th meridian is one and the same, from whichever side.
            column = Int((part * Double(columnCount)).rounded(.down)) % columnCount
        }

        /// Its middle.
        public var center: Coordinate {
            Coordinate(
                latitude: (Double(band) + 0.5) * PrivacyGrid.bandHeight - 90,
                longitude: (Double(column) + 0.5) * width - 180)!
        }

        /// Metres from its middle to a corner: every place in it is at most so far away.
        public var radius: Double {
            let middle = center
            let south = middle.latitude - PrivacyGrid.bandHeight / 2
            let north = middle.latitude + PrivacyGrid.bandHeight / 2
            // The corners towards the equator are the farther ones.
            let corner = Coordinate(
                latitude: min(90, max(-90, abs(south) < abs(north) ? south : north)),
                longitude: max(-180, middle.longitude - width / 2))
            return corner.map(middle.distance(to:)) ?? PrivacyGrid.cellSize
        }

        /// Whether a place lies in it or next to it, within ``PrivacyGrid/hysteresis``.
        public func holds(_ place: Coordinate) -> Bool {
            let reach = 0.5 + PrivacyGrid.hysteresis
            let turn = abs(Bearing.delta(from: center.longitude, to: place.longitude))
            return abs(place.latitude - center.latitude) <= reach * PrivacyGrid.bandHeight
                && turn <= reach * width
        }

        /// The cell of a place that was in this one before: this one while it holds the place.
        public func next(for place: Coordinate) -> Cell {
            holds(place) ? self : Cell(containing: place)
        }

        /// Degrees of longitude.
        private var width: Double { 360 / Double(columnCount) }
    }
}
