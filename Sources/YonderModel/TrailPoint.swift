package import YonderGeo

/// One place on the way that a share has gone.
package struct TrailPoint: Hashable, Sendable {
    package var coordinate: Coordinate
    /// Metres above mean sea level; `nil` = unknown.
    package var altitude: Double?
    package var recordedTime: Timestamp

    package init(coordinate: Coordinate, altitude: Double?, recordedTime: Timestamp) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.recordedTime = recordedTime
    }
}
