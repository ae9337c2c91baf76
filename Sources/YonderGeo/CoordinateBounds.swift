/// A box on the Earth between two meridians and two parallels; one whose west lies east of its east crosses ±180.
public struct CoordinateBounds: Hashable, Sendable {
    /// Degrees.
    public let west, south, east, north: Double

    /// Creates a box; `nil` where a value is out of its range, or south lies north of north.
    public init?(west: Double, south: Double, east: Double, north: Double) {
        guard Coordinate.isLongitude(west), Coordinate.isLongitude(east), Coordinate.isLatitude(south),
            Coordinate.isLatitude(north), south <= north
        else { return nil }
        (self.west, self.south, self.east, self.north) = (west, south, east, north)
    }

    /// The narrowest box around places, also over ±180; `nil` for none.
    public init?(containing places: [Coordinate]) {
        guard let first = places.first else { return nil }
        let longitudes = places.map { $0.longitude }.sorted()
        var widest = 360 - (longitudes[longitudes.count - 1] - longitudes[0])
        var (west, east) = (longitudes[0], longitudes[longitudes.count - 1])
        for (earlier, later) in zip(longitudes, longitudes.dropFirst()) where later - earlier > widest {
            widest = later - earlier
            (west, east) = (later, earlier)
        }
        let south = places.reduce(first.latitude) { min($0, $1.latitude) }
        let north = places.reduce(first.latitude) { max($0, $1.latitude) }
        self.init(west: west, south: south, east: east, north: north)
    }

    /// Degrees of longitude from west to east, in 0...360.
    public var width: Double { east >= west ? east - west : east - west + 360 }

    /// Whether a place lies in it or on its edge.
    public func contains(_ place: Coordinate) -> Bool {
        guard place.latitude >= south, place.latitude <= north else { return false }
        let isBetween = place.longitude >= west && place.longitude <= east
        let isAround = place.longitude >= west || place.longitude <= east
        // The 180th meridian is one and the same, from whichever side.
        let isEdge = abs(place.longitude) == 180 && (abs(west) == 180 || abs(east) == 180)
        return isEdge || (west <= east ? isBetween : isAround)
    }

    /// Its middle in degrees.
    public var center: Coordinate {
        let turned = west + width / 2
        return Coordinate(latitude: (south + north) / 2, longitude: turned > 180 ? turned - 360 : turned)!
    }
}
