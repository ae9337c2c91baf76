extension Coordinate {
    /// The place that lies so far away on the sphere of ``meanEarthRadius``.
    ///
    /// - Parameters:
    ///   - bearing: Degrees clockwise from true north, along a great circle.
    ///   - distance: Metres; negative ones go backwards.
    /// - Returns: The place, its longitude in -180..<180.
    /// - Precondition: Both are finite.
    public func destination(bearing: Double, distance: Double) -> Coordinate {
        precondition(bearing.isFinite && distance.isFinite, "a way is finite")
        let angle = distance / Self.meanEarthRadius
        let (sinAngle, cosAngle) = (PortableMath.sin(angle), PortableMath.cos(angle))
        let (sinLat, cosLat) = (PortableMath.sin(latitude.radians), PortableMath.cos(latitude.radians))
        let (sinTurn, cosTurn) = (PortableMath.sin(bearing.radians), PortableMath.cos(bearing.radians))
        let north = sinLat * cosAngle + cosLat * sinAngle * cosTurn
        let ahead = cosLat * cosAngle - sinLat * sinAngle * cosTurn
        let side = sinAngle * sinTurn
        // By both parts of the direction: near a pole the sine alone would not be exact.
        let lat = PortableMath.atan2(north, (ahead * ahead + side * side).squareRoot()).degrees
        let lng = longitude + PortableMath.atan2(side, ahead).degrees
        return Coordinate(
            latitude: min(90, max(-90, lat)), longitude: Bearing.delta(from: 180, to: lng + 180)) ?? self
    }

    /// The place at a fraction of the great circle to another one.
    ///
    /// - Parameters:
    ///   - other: Where it ends. Opposite places have many; then it leaves by ``initialBearing(to:)``.
    ///   - fraction: 0 is here, 1 is there; values outside are clamped.
    /// - Returns: The place; at the ends exactly the ends.
    public func alongGreatCircle(to other: Coordinate, fraction: Double) -> Coordinate {
        if fraction <= 0 { return self }
        if fraction >= 1 || self == other { return other }
        return destination(bearing: initialBearing(to: other), distance: distance(to: other) * fraction)
    }

    /// Metres a second that somebody would have had to go to be at another place so many seconds later.
    ///
    /// - Returns: `nil` where no time, or less than none, has passed.
    public func impliedSpeed(to other: Coordinate, seconds: Double) -> Double? {
        seconds > 0 ? distance(to: other) / seconds : nil
    }

    /// The ring of places at a distance: a true circle on the ground, closed.
    ///
    /// - Parameters:
    ///   - radius: Metres, ≥ 0.
    ///   - corners: How many; 3 at least.
    /// - Returns: Longitudes and latitudes in degrees, `corners` + 1, northmost first, clockwise. Longitudes run on
    ///   past ±180 instead of leaping, but for a circle around a pole.
    public func circle(radius: Double, corners: Int = 64) -> [(longitude: Double, latitude: Double)] {
        let corners = max(3, corners)
        return (0...corners).map { corner in
            let turn = 360 * Double(corner % corners) / Double(corners)
            let place = destination(bearing: turn, distance: radius)
            return (longitude + Bearing.delta(from: longitude, to: place.longitude), place.latitude)
        }
    }
}
