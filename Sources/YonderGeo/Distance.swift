extension Coordinate {
    /// Mean radius of the Earth in metres (IUGG), used for distances.
    public static let meanEarthRadius = 6_371_008.8

    /// The great-circle distance to another place in metres, ≥ 0.
    ///
    /// The haversine formula on a sphere of ``meanEarthRadius``: within 0.6 % of
    /// the geodesic on the WGS 84 ellipsoid.
    public func distance(to other: Coordinate) -> Double {
        let sinLat = PortableMath.sin((other.latitude - latitude).radians / 2)
        let sinLng = PortableMath.sin((other.longitude - longitude).radians / 2)
        let cosines =
            PortableMath.cos(latitude.radians) * PortableMath.cos(other.latitude.radians)
        let h = sinLat * sinLat + cosines * sinLng * sinLng
        return 2 * Self.meanEarthRadius * PortableMath.asin(min(1, h.squareRoot()))
    }

    /// The course in degrees, in 0..<360, on which a great circle leaves here
    /// for another place; 0 where the two are the same.
    public func initialBearing(to other: Coordinate) -> Double {
        let deltaLng = (other.longitude - longitude).radians
        let from = latitude.radians
        let to = other.latitude.radians
        let y = PortableMath.sin(deltaLng) * PortableMath.cos(to)
        // sin(φ₂ − φ₁) + sin φ₁ cos φ₂ (1 − cos Δλ): its terms do not cancel where the two are close.
        let half = PortableMath.sin(deltaLng / 2)
        let x =
            PortableMath.sin((other.latitude - latitude).radians)
            + 2 * PortableMath.sin(from) * PortableMath.cos(to) * half * half
        return Bearing.normalized(PortableMath.atan2(y, x).degrees)
    }

    /// The place at a fraction of the straight way, on the map, to another one.
    ///
    /// Latitude runs linearly, longitude the shorter way over ±180.
    ///
    /// - Parameters:
    ///   - other: Where the way ends.
    ///   - fraction: 0 is here, 1 is there; values outside are clamped.
    /// - Returns: The place, its longitude in -180..<180 unless it is an end.
    public func interpolated(to other: Coordinate, fraction: Double) -> Coordinate {
        let f = min(1, max(0, fraction))
        if f == 0 { return self }
        if f == 1 { return other }
        let lat = latitude + (other.latitude - latitude) * f
        var lng = longitude + Bearing.delta(from: longitude, to: other.longitude) * f
        if lng >= 180 { lng -= 360 }
        if lng < -180 { lng += 360 }
        return Coordinate(latitude: min(90, max(-90, lat)), longitude: lng) ?? self
    }
}
