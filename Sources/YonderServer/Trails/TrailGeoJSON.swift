import YonderGeo
import YonderModel
import YonderRules

/// A trail as a GeoJSON Feature (RFC 7946): a LineString, a Point where there is one point, a MultiLineString
/// where the trail crosses the 180th meridian (section 3.1.9), no geometry where there is no point.
///
/// `properties.coordTimes` holds the points' times, nested as the coordinates are; of one point a list of one.
struct TrailGeoJSON: Encodable {
    private let message: MessageId
    private let lines: [[TrailPoint]]

    init(_ points: [TrailPoint], of message: MessageId) {
        self.message = message
        lines = Self.cut(points)
    }

    /// The pieces between crossings of the 180th meridian; each crossing ends one and begins the next.
    private static func cut(_ points: [TrailPoint]) -> [[TrailPoint]] {
        var lines: [[TrailPoint]] = []
        for point in points {
            guard let last = lines.last?.last else {
                lines.append([point])
                continue
            }
            if let crossing = Path.Crossing(from: last.coordinate, to: point.coordinate) {
                let (leaving, entering) = Self.edges(of: crossing, from: last, to: point)
                lines[lines.count - 1].append(leaving)
                lines.append([entering, point])
            } else {
                lines[lines.count - 1].append(point)
            }
        }
        return lines
    }

    private static func edges(
        of crossing: Path.Crossing, from start: TrailPoint, to end: TrailPoint
    ) -> (TrailPoint, TrailPoint) {
        let milliseconds = Double(end.recordedTime.milliseconds(since: start.recordedTime))
        let time = start.recordedTime.advanced(byMilliseconds: Int64(milliseconds * crossing.fraction))
        func point(_ longitude: Double) -> TrailPoint {
            TrailPoint(
                coordinate: Coordinate(latitude: crossing.latitude, longitude: longitude)
                    ?? start.coordinate, altitude: nil, recordedTime: time)
        }
        return (point(crossing.edge), point(-crossing.edge))
    }

    private enum Key: String, CodingKey {
        case type, geometry, properties, coordinates, coordTimes
        case messageId = "message_id"
    }

    func encode(to encoder: any Encoder) throws {
        var feature = encoder.container(keyedBy: Key.self)
        try feature.encode("Feature", forKey: .type)
        var properties = feature.nestedContainer(keyedBy: Key.self, forKey: .properties)
        try properties.encode(message, forKey: .messageId)
        let times = lines.map { $0.map(\.recordedTime) }
        if lines.count > 1 {
            try properties.encode(times, forKey: .coordTimes)
        } else {
            try properties.encode(times.first ?? [], forKey: .coordTimes)
        }
        guard let first = lines.first, let point = first.first else {
            return try feature.encodeNil(forKey: .geometry)
        }
        var geometry = feature.nestedContainer(keyedBy: Key.self, forKey: .geometry)
        if lines.count > 1 {
            try geometry.encode("MultiLineString", forKey: .type)
            try geometry.encode(lines.map { $0.map(Self.position) }, forKey: .coordinates)
        } else if first.count > 1 {
            try geometry.encode("LineString", forKey: .type)
            try geometry.encode(first.map(Self.position), forKey: .coordinates)
        } else {
            try geometry.encode("Point", forKey: .type)
            try geometry.encode(Self.position(point), forKey: .coordinates)
        }
    }

    /// Longitude, latitude and, where it is known, altitude.
    private static func position(_ point: TrailPoint) -> [Double] {
        [point.coordinate.longitude, point.coordinate.latitude] + (point.altitude.map { [$0] } ?? [])
    }
}
