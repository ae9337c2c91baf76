/// A place on the square map of the whole world (spherical Web Mercator, EPSG:3857), in parts of its side.
public struct WorldPoint: Hashable, Sendable {
    /// From the 180th meridian eastwards; 0...1, outside on a further turn around the Earth.
    public var x: Double
    /// From the northern edge southwards, in 0...1.
    public var y: Double

    /// Creates a point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// The Web Mercator projection and its scale.
public enum Mercator: Sendable {
    /// The latitude, in degrees, at which the square map ends, north and south.
    public static let latitudeLimit = 85.051_128_779_806_6
    /// Side of a tile in pixels: at zoom 0 the whole world is so wide.
    public static let tileSize = 512.0
    /// Equatorial radius of WGS 84 in metres, that of the projection's sphere.
    public static let earthRadius = 6_378_137.0

    /// The world's side at a zoom, in pixels.
    public static func worldSize(zoom: Double) -> Double { tileSize * PortableMath.exp2(zoom) }

    /// Metres on the ground that a pixel is wide: cos φ · 2πR ÷ (512 · 2^zoom).
    ///
    /// - Parameters:
    ///   - latitude: Degrees; beyond ``latitudeLimit`` it counts as that.
    ///   - zoom: With tiles of 512 pixels.
    /// - Returns: > 0.
    public static func metresPerPixel(latitude: Double, zoom: Double) -> Double {
        let limited = min(latitudeLimit, max(-latitudeLimit, latitude))
        return PortableMath.cos(limited.radians) * 2 * .pi * earthRadius / worldSize(zoom: zoom)
    }
}

extension Coordinate {
    /// Where this place lies on the square map; the latitude is limited to ±``Mercator/latitudeLimit`` for that.
    public var worldPoint: WorldPoint {
        WorldPoint(x: longitude / 360 + 0.5, y: Self.worldY(latitude))
    }

    private static func worldY(_ latitude: Double) -> Double {
        if abs(latitude) >= Mercator.latitudeLimit { return latitude > 0 ? 0 : 1 }
        if latitude == 0 { return 0.5 }
        // From the pole, whose distance is exact: near it the radians of the latitude are not exact enough.
        let fromPole = (90 - abs(latitude)).radians
        let up = PortableMath.asinh(PortableMath.cos(fromPole) / PortableMath.sin(fromPole)) / (2 * .pi)
        return latitude > 0 ? 0.5 - up : 0.5 + up
    }

    /// The place that a point of the square map shows.
    ///
    /// Points on further turns around the Earth are the same places; beyond the upper and lower edges lies the edge.
    ///
    /// - Precondition: Both parts are finite.
    public init(_ point: WorldPoint) {
        precondition(point.x.isFinite && point.y.isFinite, "a point of the map is finite")
        let y = min(1, max(0, point.y))
        let latitude = PortableMath.atan2(PortableMath.sinh((1 - 2 * y) * .pi), 1).degrees
        let limited = min(Mercator.latitudeLimit, max(-Mercator.latitudeLimit, latitude))
        var longitude = (point.x - point.x.rounded(.down)) * 360 - 180
        // What was just under a whole turn may have become one.
        if longitude >= 180 { longitude = -180 }
        self.init(latitude: limited, longitude: longitude)!
    }
}
