public import YonderGeo

extension Camera {
    /// The vertical field of view in radians: that of MapLibre's and Mapbox's maps, 36.87°.
    static let fieldOfView = 0.643_501_108_793_284_4

    /// Where a place is drawn.
    ///
    /// - Returns: `nil` for a place behind the eye of a tilted camera, and where the map has no size.
    public func screenPoint(of place: Coordinate, in size: ScreenSize) -> ScreenPoint? {
        guard !size.isEmpty else { return nil }
        let world = Mercator.worldSize(zoom: zoom)
        let here = center.worldPoint
        let there = place.worldPoint
        var dx = there.x - here.x
        dx -= dx.rounded()
        let ground = rotated(x: dx * world, y: (there.y - here.y) * world)
        let eye = Self.eyeDistance(size)
        let depth = eye - ground.y * PortableMath.sin(pitch.radians)
        guard depth > 0 else { return nil }
        let focus = padding.focus(in: size)
        return ScreenPoint(
            x: focus.x + eye * ground.x / depth,
            y: focus.y + eye * ground.y * PortableMath.cos(pitch.radians) / depth)
    }

    /// The place that is drawn at a point.
    ///
    /// - Returns: `nil` above the horizon of a tilted camera, beyond the map's upper and lower edges, and where
    ///   the map has no size.
    public func coordinate(at point: ScreenPoint, in size: ScreenSize) -> Coordinate? {
        guard !size.isEmpty, let offset = groundOffset(at: point, in: size) else { return nil }
        let world = Mercator.worldSize(zoom: zoom)
        let here = center.worldPoint
        let there = WorldPoint(x: here.x + offset.x / world, y: here.y + offset.y / world)
        guard there.x.isFinite, there.y >= 0, there.y <= 1 else { return nil }
        return Coordinate(there)
    }

    /// How far east (x) and south (y) of the center the ground at a point lies, in the pixels of this zoom.
    func groundOffset(at point: ScreenPoint, in size: ScreenSize) -> (x: Double, y: Double)? {
        let focus = padding.focus(in: size)
        let right = point.x - focus.x
        let down = point.y - focus.y
        let eye = Self.eyeDistance(size)
        let slope = eye * PortableMath.cos(pitch.radians) + down * PortableMath.sin(pitch.radians)
        guard slope > 0 else { return nil }
        let y = down * eye / slope
        let x = right * (eye - y * PortableMath.sin(pitch.radians)) / eye
        let turn = bearing.radians
        return (
            x * PortableMath.cos(turn) - y * PortableMath.sin(turn),
            x * PortableMath.sin(turn) + y * PortableMath.cos(turn)
        )
    }

    /// A way on the map, east and south in pixels, as it lies on the turned screen, right and down.
    private func rotated(x: Double, y: Double) -> (x: Double, y: Double) {
        let turn = bearing.radians
        return (
            x * PortableMath.cos(turn) + y * PortableMath.sin(turn),
            y * PortableMath.cos(turn) - x * PortableMath.sin(turn)
        )
    }

    /// From the eye to the center, in pixels.
    private static func eyeDistance(_ size: ScreenSize) -> Double {
        let half = fieldOfView / 2
        return size.height / 2 * PortableMath.cos(half) / PortableMath.sin(half)
    }
}
