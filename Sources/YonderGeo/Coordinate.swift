/// A place on the Earth: WGS 84 degrees, always finite and in range.
public struct Coordinate: Hashable, Sendable {
    /// Degrees north, in -90...90. Zero is a latitude like any other.
    public let latitude: Double
    /// Degrees east, in -180...180.
    public let longitude: Double

    /// Creates a place from degrees.
    ///
    /// - Returns: `nil` if a value is not finite or out of its range.
    public init?(latitude: Double, longitude: Double) {
        guard Self.isLatitude(latitude), Self.isLongitude(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether the value is a latitude: finite and in -90...90.
    public static func isLatitude(_ degrees: Double) -> Bool {
        degrees.isFinite && degrees >= -90 && degrees <= 90
    }

    /// Whether the value is a longitude: finite and in -180...180.
    public static func isLongitude(_ degrees: Double) -> Bool {
        degrees.isFinite && degrees >= -180 && degrees <= 180
    }
}
