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
