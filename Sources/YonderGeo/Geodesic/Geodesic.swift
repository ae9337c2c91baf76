/// The shortest line between two places on the WGS 84 ellipsoid.
///
/// After Karney, "Algorithms for geodesics" (2013): on the auxiliary sphere, the one azimuth at the first place whose
/// line meets the second place's meridian is found by halving, which converges for all pairs, also antipodal ones,
/// where Vincenty's iteration does not. The two elliptic integrals are summed by Gauss's rule. Exact to some
/// nanometres; about a hundred times dearer than ``Coordinate/distance(to:)``.
public struct Geodesic: Hashable, Sendable {
    /// Metres, ≥ 0.
    public let distance: Double
    /// The direction in which it leaves the first place: degrees in 0..<360; 0 where both are the same. Between
    /// opposite places, where many lines are shortest, one over a pole.
    public let initialBearing: Double
    /// The direction in which it arrives: degrees in 0..<360.
    public let finalBearing: Double

    /// The line from one place to another.
    public init(from start: Coordinate, to end: Coordinate) {
        let turn = Bearing.delta(from: start.longitude, to: end.longitude)
        // The first place is made the southern one, and the one farther from the equator; east is ahead.
        let isSwapped = abs(start.latitude) < abs(end.latitude)
        var east: Double = turn < 0 ? -1 : 1
        if isSwapped { east = -east }
        let (first, second) = isSwapped ? (end.latitude, start.latitude) : (start.latitude, end.latitude)
        let north: Double = first < 0 ? 1 : -1
        let solved = GeodesicTriangle(first * north, second * north, abs(turn)).solution
        distance = solved.distance
        guard distance > 0 else {
            (initialBearing, finalBearing) = (0, 0)
            return
        }

        var (leaving, arriving) = (solved.leaving, solved.arriving)
        if isSwapped { (leaving, arriving) = (arriving, leaving) }
        let flip: Double = isSwapped ? -1 : 1
        initialBearing = Self.bearing(leaving, flip * east, flip * north)
        finalBearing = Self.bearing(arriving, flip * east, flip * north)
    }

    private static func bearing(_ direction: UnitVector, _ east: Double, _ north: Double) -> Double {
        Bearing.normalized(PortableMath.atan2(direction.sine * east, direction.cosine * north).degrees)
    }
}

extension Coordinate {
    /// The shortest line to another place on the WGS 84 ellipsoid.
    public func geodesic(to other: Coordinate) -> Geodesic { Geodesic(from: self, to: other) }

    /// The place at the end of a geodesic of the WGS 84 ellipsoid.
    ///
    /// - Parameters:
    ///   - bearing: Degrees clockwise from true north. At a pole, where all directions are one, the meridian that is
    ///     left by counts: the longitude of this place.
    ///   - distance: Metres; negative ones go backwards, long ones around the Earth.
    /// - Returns: The place, its longitude in -180..<180.
    /// - Precondition: Both are finite.
    public func geodesicDestination(bearing: Double, distance: Double) -> Coordinate {
        precondition(distance.isFinite, "a distance is finite")
        let start = UnitVector(reduced: latitude)
        let leaving = UnitVector(degrees: Bearing.normalized(bearing))
        let line = GeodesicLine(through: start, direction: leaving)
        let arc = line.arc(of: distance / Ellipsoid.b)
        let end = line.start + arc
        let (sine, cosine) = (PortableMath.sin(end), PortableMath.cos(end))
        let reduced = UnitVector(
            line.node.cosine * sine,
            (line.node.sine * line.node.sine + line.node.cosine * line.node.cosine * cosine * cosine)
                .squareRoot())
        let lng = longitude.radians + line.longitude(at: end) - line.longitude(at: line.start) - line.lag(arc)
        let lat = PortableMath.atan2(reduced.sine, (1 - Ellipsoid.f) * reduced.cosine).degrees
        return Coordinate(
            latitude: min(90, max(-90, lat)), longitude: Bearing.delta(from: 180, to: lng.degrees + 180))
            ?? self
    }
}
