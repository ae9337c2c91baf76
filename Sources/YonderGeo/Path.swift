/// A path over the Earth: what can be said of the order of its places.
public enum Path: Sendable {
    /// The places of a path that are enough to draw it within a tolerance, in one pass.
    ///
    /// From each place that is kept a straight line goes on as long as it passes every place on the way close
    /// enough and the path does not turn back (sleeve fitting, after Zhao and Saalfeld, 1997); in metres on a
    /// plane that touches the Earth at that place.
    ///
    /// - Parameters:
    ///   - places: The path.
    ///   - tolerance: Metres, > 0, that a left-out place may lie off the path that remains.
    /// - Returns: Indexes of the places to keep, in order; the ends always.
    public static func simplified(_ places: [Coordinate], tolerance: Double) -> [Int] {
        guard places.count > 2 else { return Array(places.indices) }
        var kept = [0]
        var sleeve = Sleeve(from: places[0], tolerance: tolerance)
        for index in 1..<places.count where !sleeve.takes(places[index]) {
            kept.append(index - 1)
            sleeve = Sleeve(from: places[index - 1], tolerance: tolerance)
            _ = sleeve.takes(places[index])
        }
        return kept + [places.count - 1]
    }

    /// The directions in which a straight line from a place passes all places taken so far.
    private struct Sleeve {
        private let origin: Coordinate
        private let shrink: Double
        /// Metres sideways, and as many beyond the line's end: both together are the tolerance.
        private let reach: Double
        private var farthest = 0.0
        /// Radians to the first place out of reach, and how far to its right and left a line may go.
        private var axis: (direction: Double, low: Double, high: Double)?

        init(from origin: Coordinate, tolerance: Double) {
            self.origin = origin
            shrink = PortableMath.cos(origin.latitude.radians)
            reach = tolerance / 2.0.squareRoot()
        }

        /// Whether a line may end at a place; if so, it counts as one on the way from then on.
        mutating func takes(_ place: Coordinate) -> Bool {
            let metresPerDegree = Coordinate.meanEarthRadius * .pi / 180
            let x =
                Bearing.delta(from: origin.longitude, to: place.longitude) * metresPerDegree * shrink
            let y = (place.latitude - origin.latitude) * metresPerDegree
            let distance = (x * x + y * y).squareRoot()
            guard distance + reach >= farthest else { return false }
            farthest = max(farthest, distance)
            guard distance > reach else { return axis == nil }
            let direction = PortableMath.atan2(y, x)
            let width = PortableMath.asin(reach / distance)
            guard let axis else {
                self.axis = (direction, -width, width)
                return true
            }
            let turn = Bearing.delta(from: axis.direction.degrees, to: direction.degrees).radians
            guard turn >= axis.low, turn <= axis.high else { return false }
            self.axis = (axis.direction, max(axis.low, turn - width), min(axis.high, turn + width))
            return true
        }
    }

    /// Where a step crosses the 180th meridian.
    public struct Crossing: Hashable, Sendable {
        /// How far along the step, in 0...1.
        public let fraction: Double
        /// Degrees.
        public let latitude: Double
        /// The side that is left: 180 or -180 degrees; the other side is entered.
        public let edge: Double

        /// Finds it, taking the step the shorter way.
        ///
        /// - Returns: `nil` where the step does not cross it.
        public init?(from start: Coordinate, to end: Coordinate) {
            guard abs(end.longitude - start.longitude) > 180 else { return nil }
            edge = start.longitude > 0 ? 180 : -180
            let turn = Bearing.delta(from: start.longitude, to: end.longitude)
            fraction = turn == 0 ? 0 : min(1, max(0, (edge - start.longitude) / turn))
            latitude = start.latitude + (end.latitude - start.latitude) * fraction
        }
    }
}
