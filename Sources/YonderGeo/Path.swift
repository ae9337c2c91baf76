/// A path over the Earth: what can be said of the order of its places.
public enum Path: Sendable {
    /// The places of a path that are enough to draw it within a tolerance.
    ///
    /// Douglas and Peucker's method, in metres on a plane that touches the Earth at each piece's start.
    ///
    /// - Parameters:
    ///   - places: The path.
    ///   - tolerance: Metres, > 0, that a left-out place may lie off the path that remains.
    /// - Returns: Indexes of the places to keep, in order; the ends always.
    public static func simplified(_ places: [Coordinate], tolerance: Double) -> [Int] {
        guard places.count > 2 else { return Array(places.indices) }
        var isKept = [Bool](repeating: false, count: places.count)
        isKept[0] = true
        isKept[places.count - 1] = true
        var pieces = [(0, places.count - 1)]
        while let (first, last) = pieces.popLast() {
            var farthest = (index: first, distance: tolerance)
            for index in first + 1..<max(first + 1, last) {
                let distance = distance(of: places[index], from: places[first], to: places[last])
                if distance > farthest.distance { farthest = (index, distance) }
            }
            guard farthest.index != first else { continue }
            isKept[farthest.index] = true
            pieces.append((first, farthest.index))
            pieces.append((farthest.index, last))
        }
        return places.indices.filter { isKept[$0] }
    }

    /// Metres between a place and a straight line.
    private static func distance(of place: Coordinate, from start: Coordinate, to end: Coordinate) -> Double {
        let metresPerDegree = Coordinate.meanEarthRadius * .pi / 180
        let shrink = PortableMath.cos(start.latitude.radians)
        func plane(_ other: Coordinate) -> (x: Double, y: Double) {
            (
                Bearing.delta(from: start.longitude, to: other.longitude) * metresPerDegree * shrink,
                (other.latitude - start.latitude) * metresPerDegree
            )
        }
        let (p, e) = (plane(place), plane(end))
        let length = e.x * e.x + e.y * e.y
        let t = length == 0 ? 0 : min(1, max(0, (p.x * e.x + p.y * e.y) / length))
        let (dx, dy) = (p.x - t * e.x, p.y - t * e.y)
        return (dx * dx + dy * dy).squareRoot()
    }

    /// Where a step from one place to another crosses the 180th meridian.
    ///
    /// - Returns: The fraction of the step, in 0...1, and the latitude in degrees; `nil` where it does not
    ///   cross it, taking the shorter way.
    public static func crossing(from start: Coordinate, to end: Coordinate) -> (
        fraction: Double, latitude: Double
    )? {
        guard abs(end.longitude - start.longitude) > 180 else { return nil }
        let edge = start.longitude > 0 ? 180.0 : -180
        let turn = Bearing.delta(from: start.longitude, to: end.longitude)
        let fraction = turn == 0 ? 0 : min(1, max(0, (edge - start.longitude) / turn))
        return (fraction, start.latitude + (end.latitude - start.latitude) * fraction)
    }
}
