public import Foundation

/// One measurement of where the device is, as a location source reports it.
public struct Fix: Hashable, Sendable {
    /// The place, WGS 84 degrees.
    public var coordinate: Coordinate
    /// Radius of uncertainty in metres, > 0; `nil` = unknown.
    public var horizontalAccuracy: Double?
    /// Metres above mean sea level; `nil` = unknown.
    public var altitude: Double?
    /// Metres, > 0; `nil` = unknown.
    public var verticalAccuracy: Double?
    /// Direction of travel in degrees clockwise from true north, in 0..<360; `nil` = unknown.
    public var course: Double?
    /// Metres a second, ≥ 0; `nil` = unknown.
    public var speed: Double?
    /// When it was measured.
    public var timestamp: Date
    /// Whether it comes from a simulation or a replay.
    public var isSimulated: Bool

    /// Creates a fix; what is not given is unknown.
    public init(
        coordinate: Coordinate, horizontalAccuracy: Double? = nil, altitude: Double? = nil,
        verticalAccuracy: Double? = nil, course: Double? = nil, speed: Double? = nil,
        timestamp: Date, isSimulated: Bool = false
    ) {
        self.coordinate = coordinate
        self.horizontalAccuracy = horizontalAccuracy
        self.altitude = altitude
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.speed = speed
        self.timestamp = timestamp
        self.isSimulated = isSimulated
    }
}
