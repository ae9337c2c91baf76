import YonderGeo

/// A direction on its way to another one, the shorter way around.
struct DirectionGlide: Hashable, Sendable {
    private var from: Double
    private(set) var to: Double
    private var startedAt: Double
    private var seconds: Double

    init(at degrees: Double) {
        (from, to, startedAt, seconds) = (degrees, degrees, 0, 0)
    }

    func value(at now: Double) -> Double {
        guard isMoving(at: now) else { return to }
        let part = max(0, (now - startedAt) / seconds)
        return Bearing.normalized(from + Bearing.delta(from: from, to: to) * part)
    }

    func isMoving(at now: Double) -> Bool { now < startedAt + seconds }

    mutating func turn(to degrees: Double, within seconds: Double, at now: Double) {
        from = value(at: now)
        (to, startedAt, self.seconds) = (degrees, now, seconds)
    }
}

/// A place and its accuracy on their way to another fix.
struct PlaceGlide: Hashable, Sendable {
    private var from: Coordinate
    private(set) var to: Coordinate
    private var fromAccuracy, toAccuracy: Double?
    private var startedAt = 0.0
    private var seconds = 0.0

    init(at place: Coordinate, accuracy: Double?) {
        (from, to, fromAccuracy, toAccuracy) = (place, place, accuracy, accuracy)
    }

    func isMoving(at now: Double) -> Bool { now < startedAt + seconds }

    func value(at now: Double) -> (place: Coordinate, accuracy: Double?) {
        guard isMoving(at: now) else { return (to, toAccuracy) }
        let part = max(0, (now - startedAt) / seconds)
        let place = from.interpolated(to: to, fraction: part)
        guard let fromAccuracy, let toAccuracy else { return (place, toAccuracy) }
        return (place, fromAccuracy + (toAccuracy - fromAccuracy) * part)
    }

    mutating func move(to place: Coordinate, accuracy: Double?, within seconds: Double, at now: Double) {
        (from, fromAccuracy) = value(at: now)
        (to, toAccuracy, startedAt, self.seconds) = (place, accuracy, now, seconds)
    }
}
