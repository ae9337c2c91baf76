import YonderModel
import YonderRules

/// A trail as the server tells it: a GeoJSON Feature whose times stand in `properties.coordTimes`, nested as its
/// coordinates are. Where it crosses the 180th meridian it is cut, with a point on the meridian at both sides.
struct TrailFeature: Decodable {
    let points: [TrailPoint]

    private enum Key: String, CodingKey {
        case geometry, properties, type, coordinates, coordTimes
    }

    init(from decoder: any Decoder) throws {
        let feature = try decoder.container(keyedBy: Key.self)
        guard try !feature.decodeNil(forKey: .geometry) else {
            points = []
            return
        }
        let geometry = try feature.nestedContainer(keyedBy: Key.self, forKey: .geometry)
        let properties = try feature.nestedContainer(keyedBy: Key.self, forKey: .properties)
        let coordinates: [[[Double]]]
        let times: [[Timestamp]]
        switch try geometry.decode(String.self, forKey: .type) {
        case "Point":
            coordinates = [[try geometry.decode([Double].self, forKey: .coordinates)]]
            times = [try properties.decode([Timestamp].self, forKey: .coordTimes)]
        case "LineString":
            coordinates = [try geometry.decode([[Double]].self, forKey: .coordinates)]
            times = [try properties.decode([Timestamp].self, forKey: .coordTimes)]
        default:
            coordinates = try geometry.decode([[[Double]]].self, forKey: .coordinates)
            times = try properties.decode([[Timestamp]].self, forKey: .coordTimes)
        }
        points = zip(coordinates, times).flatMap { line, times in
            zip(line, times).compactMap { position, time in
                guard position.count >= 2,
                    let place = Coordinate(latitude: position[1], longitude: position[0])
                else { return nil }
                return TrailPoint(
                    coordinate: place, altitude: position.count > 2 ? position[2] : nil, recordedTime: time)
            }
        }
    }
}
