import YonderGeo

/// The way from one camera to another.
///
/// The turn and the way across the 180th meridian are kept as they are, not taken modulo a whole turn: a target
/// that moves on past the opposite side does not make the camera swing back.
struct CameraWay: Sendable {
    let start: Camera
    private(set) var end: Camera
    let size: ScreenSize
    let lowestZoom: Double
    let flies: Bool
    /// ρ of its flight.
    var curve = FlyPath.curve
    /// Eastwards, in parts of the world's width.
    private var across: Double
    /// Clockwise, in degrees.
    private var turn: Double

    init(from start: Camera, to end: Camera, in size: ScreenSize, lowestZoom: Double, flies: Bool) {
        self.start = start
        self.end = end
        self.size = size
        self.lowestZoom = lowestZoom
        self.flies = flies
        across = Self.shorter(from: start.center, to: end.center)
        turn = Bearing.delta(from: start.bearing, to: end.bearing)
    }

    /// Aims anew at a target that has moved.
    mutating func aim(at target: Camera) {
        guard target != end else { return }
        across += Self.shorter(from: end.center, to: target.center)
        turn += Bearing.delta(from: end.bearing, to: target.bearing)
        end = target
    }

    /// The camera at a part of the way, in 0...1; exactly the ends at the ends.
    func camera(at part: Double) -> Camera {
        if part <= 0 { return start }
        if part >= 1 { return end }
        let (zoom, crossed) = flies ? path.at(part) : straight(part)
        let from = start.center.worldPoint
        let down = end.center.worldPoint.y - from.y
        return Camera(
            center: Coordinate(WorldPoint(x: from.x + across * crossed, y: from.y + down * crossed)),
            zoom: zoom,
            bearing: start.bearing + turn * part,
            pitch: start.pitch + (end.pitch - start.pitch) * part,
            padding: start.padding.mixed(with: end.padding, part))
    }

    /// Seconds that it takes where nobody says so: that of its longest part, of which those nobody sees are left out.
    var naturalDuration: Double {
        let zoomed = abs(PortableMath.exp2(end.zoom - start.zoom) - 1) * screenful / 2
        let isMoved = max(distance, zoomed) >= Self.leastPixels
        let degrees = max(abs(turn) / Self.turnSpeed, abs(end.pitch - start.pitch) / Self.pitchSpeed)
        let isTurned = max(abs(turn), abs(end.pitch - start.pitch)) >= Self.leastDegrees
        let covered = start.padding.change(to: end.padding)
        return max(
            max(isMoved ? path.length / FlyPath.speed : 0, isTurned ? degrees : 0),
            covered >= Self.leastPixels ? covered / Self.paddingSpeed : 0)
    }

    private static let leastPixels = 1.0
    private static let leastDegrees = 0.01
    /// Degrees a second.
    private static let turnSpeed = 180.0
    private static let pitchSpeed = 90.0
    /// Pixels a second.
    private static let paddingSpeed = 800.0

    private var screenful: Double { max(1, max(size.width, size.height)) }

    /// Pixels at the zoom of the start.
    private var distance: Double {
        let down = end.center.worldPoint.y - start.center.worldPoint.y
        return (across * across + down * down).squareRoot() * Mercator.worldSize(zoom: start.zoom)
    }

    private var path: FlyPath {
        FlyPath(
            distance: distance, startZoom: start.zoom, endZoom: end.zoom, screenful: screenful, curve: curve,
            minZoom: lowestZoom)
    }

    /// Zooms around the one point of the map that stays where it is, so that nothing swings.
    private func straight(_ part: Double) -> (zoom: Double, crossed: Double) {
        let change = end.zoom - start.zoom
        let zoom = start.zoom + change * part
        guard abs(change) > 1e-6 else { return (zoom, part) }
        return (zoom, (1 - PortableMath.exp2(-change * part)) / (1 - PortableMath.exp2(-change)))
    }

    /// The shorter way around the Earth, in parts of its circumference; a half turn goes east.
    private static func shorter(from: Coordinate, to: Coordinate) -> Double {
        Bearing.delta(from: from.longitude, to: to.longitude) / 360
    }
}
