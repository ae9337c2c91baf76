import YonderHTTP
import YonderModel

/// OsmAnd and Traccar Client: parameters, speeds in knots; newer clients send JSON, speeds in metres a second.
enum OsmAnd {
    static func read(query: HTTPQuery, body: [UInt8]) -> IngestBody {
        if let json = AppParameters.json(in: body), let location = json["location"], location.text == nil {
            let locations = location.list ?? [location]
            return IngestBody(records: locations.isEmpty ? [.refused(.empty)] : locations.map(record))
        }
        let parameters = AppParameters(query: query, body: body)
        var fix = AppFix()
        fix.position.latitude = parameters.number("lat")
        fix.position.longitude = parameters.number("lon")
        if let place = parameters.text("location")?.split(separator: ",").map({ Double(decimal: $0) }),
            place.count == 2
        {
            fix.position.latitude = fix.position.latitude ?? place[0]
            fix.position.longitude = fix.position.longitude ?? place[1]
        }
        guard parameters.text("lat", "lon", "location") != nil else {
            return IngestBody(records: [.refused(parameters.isEmpty ? .empty : .malformed)])
        }
        fix.position.accuracy = parameters.number("accuracy")
        fix.position.altitude = parameters.number("altitude")
        fix.position.heading = parameters.number("bearing", "heading")
        fix.position.speed = parameters.number("speed").map(AppFix.speed(knots:))
        fix.position.battery = parameters.number("batt").map { $0 / 100 }
        fix.time = parameters.text("timestamp").map(AppTime.init(text:)) ?? .missing
        return IngestBody(records: [fix.record])
    }

    private static func record(_ location: JSONValue) -> IngestRecord {
        guard let coords = location["coords"] else { return .refused(.malformed) }
        var fix = AppFix()
        fix.position.latitude = coords["latitude"]?.number
        fix.position.longitude = coords["longitude"]?.number
        fix.position.accuracy = coords["accuracy"]?.number
        fix.position.altitude = coords["altitude"]?.number
        fix.position.altitudeAccuracy = coords["altitude_accuracy"]?.number
        fix.position.heading = coords["heading"]?.number
        fix.position.speed = coords["speed"]?.number
        fix.position.battery = location["battery"]?["level"]?.number
        fix.time = AppTime(location["timestamp"])
        return fix.record
    }
}
