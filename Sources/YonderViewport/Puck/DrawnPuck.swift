public import YonderGeo

/// A puck as it is to be drawn at one moment; what is `nil` is not known, and is not drawn.
public struct DrawnPuck: Hashable, Sendable {
    /// Where.
    public let coordinate: Coordinate
    /// Metres of the ring around it, > 0.
    public let accuracy: Double?
    /// Where it moves: degrees in 0..<360.
    public let course: Double?
    /// Where the device points: degrees in 0..<360.
    public let heading: Double?
    /// Whether no fix came for so long that it must not look fresh.
    public let isStale: Bool

    /// Creates one.
    public init(
        coordinate: Coordinate, accuracy: Double? = nil, course: Double? = nil, heading: Double? = nil,
        isStale: Bool = false
    ) {
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.course = course
        self.heading = heading
        self.isStale = isStale
    }
}

/// What a receiver says of a place, as far as a map needs it.
public struct PuckFix: Hashable, Sendable {
    /// Where.
    public let coordinate: Coordinate
    /// Metres; `nil`, negative or not finite: unknown.
    public let accuracy: Double?
    /// Degrees; `nil`, negative or not finite: unknown.
    public let course: Double?
    /// Metres a second; `nil`, negative or not finite: unknown.
    public let speed: Double?
    /// Seconds within which the next one is promised; `nil`: nothing is.
    public let nextWithin: Double?

    /// Creates a fix; a negative number is none.
    public init(
        coordinate: Coordinate, accuracy: Double? = nil, course: Double? = nil, speed: Double? = nil,
        nextWithin: Double? = nil
    ) {
        self.coordinate = coordinate
        self.accuracy = accuracy.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        self.course = course.flatMap { $0.isFinite && $0 >= 0 ? Bearing.normalized($0) : nil }
        self.speed = speed.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        self.nextWithin = nextWithin.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }
}
