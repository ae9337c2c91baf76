/// The box a map covers, in degrees, WGS 84.
///
/// A plain value.
public struct MapBounds: Hashable, Sendable {
    /// -180...180.
    public let west: Double
    /// -90...90.
    public let south: Double
    /// -180...180; not west of `west`.
    public let east: Double
    /// -90...90; not south of `south`.
    public let north: Double

    var isValid: Bool {
        -180 <= west && west <= east && east <= 180 && -90 <= south && south <= north && north <= 90
    }
}
