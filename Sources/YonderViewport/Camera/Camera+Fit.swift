public import YonderGeo

/// What an overview shows.
public enum OverviewGeometry: Hashable, Sendable {
    /// Places; the narrowest box around them may lie over ±180.
    case coordinates([Coordinate])
    /// A box, whose western edge may lie east of its eastern one: over ±180.
    case bounds(CoordinateBounds)
}

extension Camera {
    /// The closest camera from which all of a geometry is seen.
    ///
    /// The padding of the map and that of the geometry are free of it. The camera depends on nothing but what is
    /// passed in: the same again gives the same.
    ///
    /// - Parameters:
    ///   - geometry: What is to be seen.
    ///   - size: The map's.
    ///   - padding: The map's; becomes the camera's. Default none.
    ///   - geometryPadding: Free pixels around the geometry beside that. Default none.
    ///   - bearing: Degrees, modulo 360. Default 0.
    ///   - pitch: Degrees, in 0...85. Default 0.
    ///   - maxZoom: For a single place; `nil`, the default: the limits' largest.
    ///   - limits: How far it may go. Default those of ``CameraLimits``.
    ///   - offset: Pixels by which the geometry's middle lies right of and below the middle. Default none.
    /// - Returns: `nil` where there is no geometry, or no room for it.
    public static func fitting(
        _ geometry: OverviewGeometry, in size: ScreenSize, padding: Padding = .zero,
        geometryPadding: Padding = .zero, bearing: Double = 0, pitch: Double = 0, maxZoom: Double? = nil,
        limits: CameraLimits = CameraLimits(), offset: ScreenPoint = ScreenPoint(x: 0, y: 0)
    ) -> Camera? {
        let points = geometry.worldPoints
        guard let first = points.first else { return nil }
        let width = size.width - padding.left - padding.right - geometryPadding.left - geometryPadding.right
        let height =
            size.height - padding.top - padding.bottom - geometryPadding.top - geometryPadding.bottom
        guard width > 0, height > 0 else { return nil }

        let turn = Bearing.normalized(bearing).radians
        let (sine, cosine) = (PortableMath.sin(turn), PortableMath.cos(turn))
        var low = WorldPoint(x: .infinity, y: .infinity)
        var high = WorldPoint(x: -.infinity, y: -.infinity)
        for point in points {
            let (x, y) = (point.x - first.x, point.y - first.y)
            let turned = WorldPoint(x: x * cosine + y * sine, y: y * cosine - x * sine)
            low = WorldPoint(x: min(low.x, turned.x), y: min(low.y, turned.y))
            high = WorldPoint(x: max(high.x, turned.x), y: max(high.y, turned.y))
        }
        let scale = min(width / (high.x - low.x), height / (high.y - low.y)) / Mercator.tileSize
        let closest = min(maxZoom ?? limits.zoom.upperBound, limits.zoom.upperBound)
        let zoom = limits.limited(zoom: scale.isFinite ? min(closest, PortableMath.log2(scale)) : closest)

        let world = Mercator.worldSize(zoom: zoom)
        let right = (geometryPadding.left - geometryPadding.right) / 2
        let down = (geometryPadding.top - geometryPadding.bottom) / 2
        let x = (low.x + high.x) / 2 - right / world
        let y = (low.y + high.y) / 2 - down / world
        // The offset is meant on the map as it lies, north up.
        let center = WorldPoint(
            x: first.x + x * cosine - y * sine - offset.x / world,
            y: first.y + x * sine + y * cosine - offset.y / world)
        let flat = Camera(
            center: Coordinate(center), zoom: zoom, bearing: bearing, pitch: min(pitch, limits.maxPitch),
            padding: padding)
        return flat.pitch > 0 ? flat.widened(toShow: points, in: size, geometryPadding, limits) : flat
    }

    /// Steps back until a tilted camera shows everything; what is nearer than the middle is drawn larger.
    private func widened(
        toShow points: [WorldPoint], in size: ScreenSize, _ geometryPadding: Padding, _ limits: CameraLimits
    ) -> Camera {
        if shows(points, in: size, geometryPadding) { return self }
        var near = zoom
        var far = limits.zoom.lowerBound
        for _ in 0..<40 {
            let middle = (near + far) / 2
            if zoomed(to: middle).shows(points, in: size, geometryPadding) {
                far = middle
            } else {
                near = middle
            }
        }
        return zoomed(to: far)
    }

    private func shows(_ points: [WorldPoint], in size: ScreenSize, _ geometryPadding: Padding) -> Bool {
        points.allSatisfy { point in
            guard let at = screenPoint(of: Coordinate(point), in: size) else { return false }
            return at.x >= padding.left + geometryPadding.left
                && at.x <= size.width - padding.right - geometryPadding.right
                && at.y >= padding.top + geometryPadding.top
                && at.y <= size.height - padding.bottom - geometryPadding.bottom
        }
    }

    func zoomed(to zoom: Double) -> Camera {
        Camera(center: center, zoom: zoom, bearing: bearing, pitch: pitch, padding: padding)
    }
}

extension OverviewGeometry {
    /// Its places on the map, side by side also where they lie on both sides of the 180th meridian.
    fileprivate var worldPoints: [WorldPoint] {
        switch self {
        case .coordinates(let places):
            guard let bounds = CoordinateBounds(containing: places) else { return [] }
            return places.map { place in
                Self.worldPoint(
                    place, east: Bearing.normalized(place.longitude - bounds.west), of: bounds.west)
            }
        case .bounds(let bounds):
            return [bounds.south, bounds.north].flatMap { latitude in
                [0, bounds.width].map { east in
                    Self.worldPoint(
                        Coordinate(latitude: latitude, longitude: bounds.west)!, east: east, of: bounds.west)
                }
            }
        }
    }

    private static func worldPoint(_ place: Coordinate, east: Double, of west: Double) -> WorldPoint {
        WorldPoint(x: (west + east) / 360 + 0.5, y: place.worldPoint.y)
    }
}
