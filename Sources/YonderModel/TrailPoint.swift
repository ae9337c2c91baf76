public import Foundation

/// One place on the way that a share has gone.
public struct TrailPoint: Hashable, Sendable {
    /// The place, WGS 84.
    public var coordinate: Coordinate
    /// Metres above mean sea level; `nil` = unknown.
    public var altitude: Double?
    package var recordedTime: Timestamp

    /// When it was measured.
    public var recordedAt: Date { recordedTime.date }

    package init(coordinate: Coordinate, altitude: Double?, recordedTime: Timestamp) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.recordedTime = recordedTime
    }
}
