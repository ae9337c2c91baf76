import YonderModel

/// Overland: many features a request, and with a long queue the newest one beside them.
enum Overland {
    static func read(_ body: [UInt8]) -> IngestBody {
        guard !body.isEmpty else { return IngestBody(records: [.refused(.empty)]) }
        guard let batch = JSONValue(json: body), let features = batch["locations"]?.list else {
            return IngestBody(records: [.refused(.malformed)])
        }
        let all = features + (batch["current"].map { [$0] } ?? [])
        return IngestBody(records: all.isEmpty ? [.refused(.empty)] : all.map(record))
    }

    private static func record(_ feature: JSONValue) -> IngestRecord {
        guard let geometry = feature["geometry"], geometry["type"]?.text == "Point",
            let place = geometry["coordinates"]?.list, place.count >= 2,
            let properties = feature["properties"], case .object = properties
        else { return .refused(.malformed) }
        // Visits and the like: a place where somebody was, with times of its own.
        if properties["action"] != nil { return .refused(.notAFix) }
        var fix = AppFix()
        fix.position.longitude = place[0].number
        fix.position.latitude = place[1].number
        fix.position.accuracy = properties["horizontal_accuracy"]?.number
        fix.position.altitude = properties["altitude"]?.number
        fix.position.altitudeAccuracy = properties["vertical_accuracy"]?.number
        fix.position.heading = properties["course"]?.number
        fix.position.speed = properties["speed"]?.number
        fix.position.battery = properties["battery_level"]?.number
        fix.time = AppTime(properties["timestamp"])
        return fix.record
    }
}
