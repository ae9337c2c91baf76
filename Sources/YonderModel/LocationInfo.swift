public import Foundation

/// A position that an app hands to the SDK to be shared.
///
/// Values are taken as a device reports them: negative ones mean unknown. The
/// server checks ranges and names the field that is wrong.
public struct LocationInfo: Hashable, Sendable {
    /// Degrees, in -90...90.
    public var latitude: Double
    /// Degrees, in -180...180.
    public var longitude: Double
    /// Metres, > 0; `nil` = unknown.
    public var accuracy: Double?
    /// Metres above mean sea level; `nil` = unknown.
    public var altitude: Double?
    /// Metres, > 0; `nil` = unknown.
    public var altitudeAccuracy: Double?
    /// Degrees clockwise from true north; `nil` = unknown.
    public var heading: Double?
    /// Metres a second; `nil` = unknown.
    public var speed: Double?
    /// In 0...1; `nil` = unknown.
    public var battery: Double?
    /// When it was measured; `nil` = now.
    public var recordedAt: Date?
    /// Seconds within which the next one will follow; `nil` = not promised.
    public var nextWithin: Double?

    /// Creates a position of which only the place is known.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Creates a position of which only the place is known.
    public init(_ coordinate: Coordinate) {
        self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }

    /// Creates a position from a fix; its course becomes the heading.
    public init(_ fix: Fix) {
        self.init(latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude)
        accuracy = fix.horizontalAccuracy
        altitude = fix.altitude
        altitudeAccuracy = fix.verticalAccuracy
        heading = fix.course
        speed = fix.speed
        recordedAt = fix.timestamp
    }
}

extension LocationInfo: Codable {
    private enum Key: String, CodingKey {
        case recordedAt = "recorded_at"
    }

    public init(from decoder: any Decoder) throws {
        let raw = try RawPosition(from: decoder)
        let container = try decoder.container(keyedBy: Key.self)
        self.init(latitude: raw.latitude ?? .nan, longitude: raw.longitude ?? .nan)
        (accuracy, altitude, altitudeAccuracy) = (raw.accuracy, raw.altitude, raw.altitudeAccuracy)
        (heading, speed, battery, nextWithin) = (raw.heading, raw.speed, raw.battery, raw.nextWithin)
        recordedAt = try container.decodeIfPresent(Timestamp.self, forKey: .recordedAt)?.date
    }

    public func encode(to encoder: any Encoder) throws {
        try RawPosition(self).encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(recordedAt.map(Timestamp.init), forKey: .recordedAt)
    }
}

extension RawPosition {
    /// What an app has handed over, unchecked; a value that is no finite number is unknown.
    package init(_ location: LocationInfo) {
        self.init()
        (latitude, longitude) = (location.latitude, location.longitude)
        accuracy = location.accuracy
        altitude = location.altitude
        altitudeAccuracy = location.altitudeAccuracy
        heading = location.heading
        speed = location.speed
        battery = location.battery
        nextWithin = location.nextWithin
        for key in PositionKey.allCases where self[keyPath: key.path]?.isFinite == false {
            self[keyPath: key.path] = nil
        }
    }
}
