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

/// WGS 84.
enum Ellipsoid {
    static let a = 6_378_137.0
    static let f = 1 / 298.257_223_563
    static let b = a * (1 - f)
    /// The second eccentricity, squared.
    static let e2 = f * (2 - f) / ((1 - f) * (1 - f))
}

/// A direction as its sine and cosine, which keep more than the angle where one of them is small.
struct UnitVector {
    var sine, cosine: Double

    init(_ sine: Double, _ cosine: Double) {
        let length = (sine * sine + cosine * cosine).squareRoot()
        (self.sine, self.cosine) = (sine / length, cosine / length)
    }

    init(degrees: Double) { self.init(PortableMath.sin(degrees.radians), PortableMath.cos(degrees.radians)) }

    /// The latitude on the auxiliary sphere.
    init(reduced latitude: Double) {
        // At a pole a hair is left of the parallel, so that it has directions.
        self.init(
            (1 - Ellipsoid.f) * PortableMath.sin(latitude.radians),
            abs(latitude) == 90 ? 1e-160 : PortableMath.cos(latitude.radians))
    }

    var angle: Double { PortableMath.atan2(sine, cosine) }
}

/// A geodesic on the auxiliary sphere, where it is a great circle that leaves the equator at its node.
struct GeodesicLine {
    /// The direction in which it crosses the equator northwards.
    let node: UnitVector
    /// How far along from the node, in radians, it begins.
    let start: Double
    private let k2: Double

    init(through latitude: UnitVector, direction: UnitVector) {
        let sine = direction.sine * latitude.cosine
        let rest = direction.sine * latitude.sine
        node = UnitVector(sine, (direction.cosine * direction.cosine + rest * rest).squareRoot())
        start = PortableMath.atan2(latitude.sine, direction.cosine * latitude.cosine)
        k2 = Ellipsoid.e2 * node.cosine * node.cosine
    }

    /// The length of an arc from the start, in units of the polar radius.
    func length(_ arc: Double) -> Double { GaussRule.sum(from: start, over: arc, speed) }

    /// How far the longitude on the ellipsoid stays behind that on the sphere over an arc from the start, in radians.
    func lag(_ arc: Double) -> Double {
        Ellipsoid.f * node.sine
            * GaussRule.sum(from: start, over: arc) {
                (2 - Ellipsoid.f) / (1 + (1 - Ellipsoid.f) * speed($0))
            }
    }

    private func speed(_ angle: Double) -> Double {
        let sine = PortableMath.sin(angle)
        return (1 + k2 * sine * sine).squareRoot()
    }

    /// The arc from the start that is so long, by Newton's method; whole turns are taken out first.
    func arc(of length: Double) -> Double {
        let turn = self.length(2 * .pi)
        let turns = (length / turn).rounded(.toNearestOrEven)
        let rest = length - turns * turn
        var arc = rest / turn * 2 * .pi
        for _ in 0..<8 {
            let error = self.length(arc) - rest
            arc -= error / speed(start + arc)
            if abs(error) < 1e-16 { break }
        }
        return arc + turns * 2 * .pi
    }

    /// The longitude on the sphere at an angle from the node, in radians; goes on over whole turns.
    func longitude(at angle: Double) -> Double {
        let turns = (angle / (2 * .pi)).rounded(.toNearestOrEven)
        let rest = angle - turns * 2 * .pi
        let way = PortableMath.atan2(node.sine * PortableMath.sin(rest), PortableMath.cos(rest))
        return way + (node.sine < 0 ? -turns : turns) * 2 * .pi
    }
}

/// The triangle of two places and a pole: the first in the south and at least as far from the equator as the second.
struct GeodesicTriangle {
    struct Solution {
        let distance: Double
        let leaving, arriving: UnitVector
    }

    private let first, second: UnitVector
    /// Sine of the difference of the reduced latitudes, exact also where they are close.
    private let rise: Double
    /// Radians in 0...π.
    private let turn: Double
    private let isMeridian: Bool

    init(_ firstLatitude: Double, _ secondLatitude: Double, _ degrees: Double) {
        var first = UnitVector(reduced: firstLatitude)
        var second = UnitVector(reduced: secondLatitude)
        // Kept off the equator by a hair, southwards: there a line has a side that it comes from.
        if first.sine == 0 { first.sine = -1e-160 }
        if abs(firstLatitude) == abs(secondLatitude) {
            second = UnitVector(secondLatitude == firstLatitude ? first.sine : -first.sine, first.cosine)
        }
        (self.first, self.second) = (first, second)
        let scale = Self.scale(firstLatitude) * Self.scale(secondLatitude)
        rise = (1 - Ellipsoid.f) * PortableMath.sin((secondLatitude - firstLatitude).radians) / scale
        turn = degrees.radians
        isMeridian = degrees == 0 || degrees == 180 || firstLatitude == -90
    }

    private static func scale(_ latitude: Double) -> Double {
        let sine = (1 - Ellipsoid.f) * PortableMath.sin(latitude.radians)
        let cosine = PortableMath.cos(latitude.radians)
        return (sine * sine + cosine * cosine).squareRoot()
    }

    var solution: Solution {
        if isMeridian { return alongMeridian }
        if first.sine > -1e-150, turn <= (1 - Ellipsoid.f) * .pi {
            return Solution(
                distance: Ellipsoid.a * turn, leaving: UnitVector(1, 0), arriving: UnitVector(1, 0))
        }
        return short ?? found
    }

    private var alongMeridian: Solution {
        let leaving = UnitVector(PortableMath.sin(turn), turn == .pi ? -1 : PortableMath.cos(turn))
        // From a pole it leaves in any direction and goes along the other place's meridian.
        let isSouth = leaving.cosine < 0
        let line = GeodesicLine(through: first, direction: UnitVector(0, isSouth ? -1 : 1))
        let level = first.cosine * second.cosine + first.sine * second.sine
        let arc = isSouth ? second.angle - line.start : PortableMath.atan2(rise, level)
        return Solution(
            distance: Ellipsoid.b * max(0, line.length(arc)), leaving: leaving, arriving: UnitVector(0, 1))
    }

    /// On a sphere that fits in the middle: exact where the places are less than 60 m apart; `nil` elsewhere.
    private var short: Solution? {
        let sum = (first.sine + second.sine) * (first.sine + second.sine)
        let middle = sum / (sum + (first.cosine + second.cosine) * (first.cosine + second.cosine))
        let scale = (1 + Ellipsoid.e2 * middle).squareRoot()
        let turn = self.turn / ((1 - Ellipsoid.f) * scale)
        let (sine, cosine) = (PortableMath.sin(turn), PortableMath.cos(turn))
        guard cosine > 0.5 else { return nil }
        let bend = sine * sine / (1 + cosine)
        let across = second.cosine * sine
        let along = rise + second.cosine * first.sine * bend
        let size = (across * across + along * along).squareRoot()
        guard size < 1e-5 else { return nil }
        guard size > 0 else {
            return Solution(distance: 0, leaving: UnitVector(0, 1), arriving: UnitVector(0, 1))
        }
        return Solution(
            distance: Ellipsoid.b * scale * PortableMath.asin(size), leaving: UnitVector(across, along),
            arriving: UnitVector(first.cosine * sine, rise - first.cosine * second.sine * bend))
    }

    /// The azimuth whose line arrives on the right meridian, by halving; counted from east, near which a hair of a
    /// degree decides between the two sides of the Earth.
    private var found: Solution {
        var (low, high) = (-Double.pi / 2, Double.pi / 2)
        var line = crossing(0)
        for _ in 0..<200 {
            let middle = (low + high) / 2
            guard middle > low, middle < high else { break }
            line = crossing(middle)
            if line.turn < turn { low = middle } else { high = middle }
        }
        return Solution(
            distance: Ellipsoid.b * line.line.length(line.arc), leaving: line.leaving, arriving: line.arriving
        )
    }

    private struct Crossing {
        let line: GeodesicLine
        let leaving, arriving: UnitVector
        let arc, turn: Double
    }

    /// Where a line that leaves so many radians south of east reaches the second place's parallel, going north.
    private func crossing(_ south: Double) -> Crossing {
        let leaving = UnitVector(PortableMath.cos(south), -PortableMath.sin(south))
        let line = GeodesicLine(through: first, direction: leaving)
        let sine = leaving.sine * first.cosine
        let gap =
            first.cosine < -first.sine
            ? (second.cosine - first.cosine) * (first.cosine + second.cosine)
            : (first.sine - second.sine) * (first.sine + second.sine)
        let cosine = leaving.cosine * first.cosine
        let isLevel = second.cosine == first.cosine && abs(second.sine) == -first.sine
        let arriving =
            isLevel
            ? UnitVector(leaving.sine, abs(leaving.cosine))
            : UnitVector(sine, max(0, cosine * cosine + gap).squareRoot())
        let from = UnitVector(first.sine, cosine)
        let to = UnitVector(second.sine, arriving.cosine * second.cosine)
        let arc = Self.forward(from, to)
        let sphere = Self.forward(
            UnitVector(sine * first.sine, cosine),
            UnitVector(sine * second.sine, arriving.cosine * second.cosine))
        return Crossing(
            line: line, leaving: leaving, arriving: arriving, arc: arc, turn: sphere - line.lag(arc))
    }

    /// The angle from one direction to another, in 0...π.
    private static func forward(_ from: UnitVector, _ to: UnitVector) -> Double {
        PortableMath.atan2(
            max(0, from.cosine * to.sine - from.sine * to.cosine),
            from.cosine * to.cosine + from.sine * to.sine)
    }
}

/// Gauss and Legendre's rule with 16 nodes (Abramowitz and Stegun, table 25.4).
enum GaussRule {
    private static let nodes: [(Double, Double)] = [
        (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
        (0.281_603_550_779_258_9, 0.182_603_415_044_923_6),
        (0.458_016_777_657_227_4, 0.169_156_519_395_002_5),
        (0.617_876_244_402_643_7, 0.149_595_988_816_576_7),
        (0.755_404_408_355_003, 0.124_628_971_255_533_9), (0.865_631_202_387_831_7, 0.095_158_511_682_492_8),
        (0.944_575_023_073_232_6, 0.062_253_523_938_647_9),
        (0.989_400_934_991_649_9, 0.027_152_459_411_754_1),
    ]

    /// The integral of a smooth function over an arc, in pieces of at most half a turn.
    static func sum(from start: Double, over arc: Double, _ function: (Double) -> Double) -> Double {
        let pieces = max(1, (abs(arc) / .pi).rounded(.up))
        let half = arc / pieces / 2
        var sum = 0.0
        for piece in 0..<Int(pieces) {
            let middle = start + half * (2 * Double(piece) + 1)
            for (node, weight) in nodes {
                sum += weight * (function(middle - half * node) + function(middle + half * node))
            }
        }
        return sum * half
    }
}
