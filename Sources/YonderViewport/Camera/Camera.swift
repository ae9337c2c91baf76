public import YonderGeo

/// From where a map is looked at: a value that MapLibre, MapKit and the snapshot drawer all understand.
public struct Camera: Hashable, Sendable {
    /// The place that is drawn in the middle of what the padding leaves free.
    public let center: Coordinate
    /// Web Mercator with tiles of 512 pixels: one more makes everything twice as large.
    public let zoom: Double
    /// The direction that is up, in degrees clockwise from true north, in 0..<360.
    public let bearing: Double
    /// Degrees that the map is tilted away from the eye; 0 is straight down.
    public let pitch: Double
    /// What is covered at the edges.
    public let padding: Padding

    /// Creates a camera; north is up, straight down, nothing covered, unless said otherwise.
    ///
    /// - Parameters:
    ///   - center: The place in the middle.
    ///   - zoom: How close.
    ///   - bearing: Degrees, taken modulo 360.
    ///   - pitch: Degrees, in 0...85.
    ///   - padding: What is covered.
    /// - Precondition: Zoom and bearing are finite, pitch is in its range.
    public init(
        center: Coordinate, zoom: Double, bearing: Double = 0, pitch: Double = 0, padding: Padding = .zero
    ) {
        precondition(zoom.isFinite, "a zoom is finite")
        precondition(pitch >= 0 && pitch <= 85, "a pitch is in 0...85 degrees")
        self.center = center
        self.zoom = zoom
        self.bearing = Bearing.normalized(bearing)
        self.pitch = pitch
        self.padding = padding
    }
}

/// How far a camera may go.
public struct CameraLimits: Hashable, Sendable {
    /// Default 0...22.
    public let zoom: ClosedRange<Double>
    /// Degrees, in 0...85. Default 60.
    public let maxPitch: Double

    /// Creates limits.
    ///
    /// - Precondition: The zooms are in -10...30, `maxPitch` is in its range.
    public init(zoom: ClosedRange<Double> = 0...22, maxPitch: Double = 60) {
        precondition(zoom.lowerBound >= -10 && zoom.upperBound <= 30, "zooms are in -10...30")
        precondition(maxPitch >= 0 && maxPitch <= 85, "a pitch is in 0...85 degrees")
        self.zoom = zoom
        self.maxPitch = maxPitch
    }

    /// The camera within the limits.
    public func limited(_ camera: Camera) -> Camera {
        Camera(
            center: camera.center, zoom: limited(zoom: camera.zoom), bearing: camera.bearing,
            pitch: min(maxPitch, camera.pitch), padding: camera.padding)
    }

    func limited(zoom value: Double) -> Double { min(zoom.upperBound, max(zoom.lowerBound, value)) }
}
