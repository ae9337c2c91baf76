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
