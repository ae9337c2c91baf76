import YonderGeo
import YonderViewport

/// How far apart two cameras are, each part in its own unit; written anew here, without the engine's paths.
struct CameraStep {
    /// Pixels, at the closer zoom of the two.
    let pixels: Double
    let zoom: Double
    /// Degrees, the shorter way; absolute.
    let bearing: Double
    let pitch: Double
    /// Pixels at the edge where most changes.
    let padding: Double

    init(_ a: Camera, _ b: Camera) {
        let (from, to) = (a.center.worldPoint, b.center.worldPoint)
        var dx = to.x - from.x
        dx -= dx.rounded()
        let dy = to.y - from.y
        pixels = (dx * dx + dy * dy).squareRoot() * Mercator.worldSize(zoom: max(a.zoom, b.zoom))
        zoom = abs(a.zoom - b.zoom)
        bearing = abs(Bearing.delta(from: a.bearing, to: b.bearing))
        pitch = abs(a.pitch - b.pitch)
        padding = max(
            max(abs(a.padding.top - b.padding.top), abs(a.padding.right - b.padding.right)),
            max(abs(a.padding.bottom - b.padding.bottom), abs(a.padding.left - b.padding.left)))
    }

    /// Whether it is none: 0.01 pixels, 1e-9 of zoom, 1e-9 degrees.
    var isNone: Bool { pixels <= 0.01 && zoom <= 1e-9 && bearing <= 1e-9 && pitch <= 1e-9 && padding <= 1e-9 }
}

extension Camera {
    /// Whether it is one that a map can show, within these limits.
    func isSound(_ limits: CameraLimits) -> Bool {
        limits.zoom.contains(zoom) && bearing >= 0 && bearing < 360 && pitch >= 0 && pitch <= limits.maxPitch
            && Coordinate.isLatitude(center.latitude) && Coordinate.isLongitude(center.longitude)
            && padding.top >= 0 && padding.right >= 0 && padding.bottom >= 0 && padding.left >= 0
    }
}
