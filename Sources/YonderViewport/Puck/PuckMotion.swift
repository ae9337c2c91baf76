public import YonderGeo
import YonderRules

/// How a puck gets from fix to fix: it glides, and is where the last fix says when the next one is due.
///
/// Times are seconds on any clock that does not jump.
public struct PuckMotion: Hashable, Sendable {
    private var place: PlaceGlide
    private var course: DirectionGlide?
    private var heading: DirectionGlide?
    private var lastFixAt: Double
    /// Seconds between fixes, as they come.
    private var interval: Double?
    private var nextWithin: Double?

    /// Seconds that a glide may last.
    static let glide = 0.3...2.0
    /// Seconds in which a heading is turned to.
    static let turn = 0.3
    /// Metres a second below which a course says nothing.
    static let courseSpeed = 1.0

    /// A puck that is shown at once.
    public init(_ fix: PuckFix, at now: Double) {
        place = PlaceGlide(at: fix.coordinate, accuracy: fix.accuracy)
        if let direction = Self.direction(of: fix) { course = DirectionGlide(at: direction) }
        lastFixAt = now
        nextWithin = fix.nextWithin
    }

    /// A new fix.
    ///
    /// - Parameters:
    ///   - fix: What it says.
    ///   - now: Seconds.
    ///   - farAway: Metres from where the puck is drawn, beyond which it is shown there at once; `nil`: never.
    ///   - isInstant: Whether it is shown there at once in any case: after a hidden page, with reduced motion.
    public mutating func move(
        to fix: PuckFix, at now: Double, farAway: Double? = nil, isInstant: Bool = false
    ) {
        let gap = max(0, now - lastFixAt)
        let jumps =
            isInstant || farAway.map { place.value(at: now).place.distance(to: fix.coordinate) > $0 } ?? false
        let seconds = jumps ? 0 : min(Self.glide.upperBound, max(Self.glide.lowerBound, gap))
        place.move(to: fix.coordinate, accuracy: fix.accuracy, within: seconds, at: now)
        if let direction = Self.direction(of: fix) {
            if course == nil { course = DirectionGlide(at: direction) }
            course?.turn(to: direction, within: seconds, at: now)
        } else if !Self.stands(fix) {
            course = nil
        }
        interval = interval.map { $0 + (gap - $0) * 0.25 } ?? gap
        lastFixAt = now
        nextWithin = fix.nextWithin
    }

    /// Where the device points now; `nil`, negative or not finite: it does not know.
    public mutating func turn(to degrees: Double?, at now: Double, isInstant: Bool = false) {
        guard let degrees, degrees.isFinite, degrees >= 0 else {
            heading = nil
            return
        }
        if heading == nil { heading = DirectionGlide(at: Bearing.normalized(degrees)) }
        heading?.turn(to: Bearing.normalized(degrees), within: isInstant ? 0 : Self.turn, at: now)
    }

    /// How it is to be drawn.
    public func drawn(at now: Double) -> DrawnPuck {
        let (coordinate, accuracy) = place.value(at: now)
        return DrawnPuck(
            coordinate: coordinate, accuracy: accuracy, course: course?.value(at: now),
            heading: heading?.value(at: now), isStale: isStale(at: now))
    }

    /// Whether it looks different a moment later without another fix.
    public func isMoving(at now: Double) -> Bool {
        place.isMoving(at: now) || course?.isMoving(at: now) ?? false || heading?.isMoving(at: now) ?? false
    }

    /// Whether the device knows where it points.
    var hasHeading: Bool { heading != nil }
    /// Whether it is known where it moves.
    var hasCourse: Bool { course != nil }

    /// Where the newest fix is, which the puck may still be on its way to.
    public var target: Coordinate { place.to }

    private func isStale(at now: Double) -> Bool {
        now - lastFixAt > Freshness.seconds(expectedWithin: nextWithin ?? interval)
    }

    /// Where it moves; `nil`: it stands, or does not say.
    private static func direction(of fix: PuckFix) -> Double? { stands(fix) ? nil : fix.course }

    /// Whether it is as good as still: then the course swings about, and that of before stays.
    private static func stands(_ fix: PuckFix) -> Bool { fix.speed.map { $0 < courseSpeed } ?? false }
}
