import YonderHTTP
import YonderModel

/// GPSLogger for Android: the parameters that its `%ALL` gives.
enum GPSLogger {
    static func read(query: HTTPQuery, body: [UInt8]) -> IngestBody {
        let parameters = AppParameters(query: query, body: body)
        guard parameters.text("lat", "lon") != nil else {
            return IngestBody(records: [.refused(parameters.isEmpty ? .empty : .malformed)])
        }
        var fix = AppFix()
        fix.position.latitude = parameters.number("lat")
        fix.position.longitude = parameters.number("lon")
        fix.position.accuracy = parameters.number("acc")
        fix.position.altitude = parameters.number("alt")
        fix.position.heading = parameters.number("dir")
        fix.position.speed =
            parameters.number("spd") ?? parameters.number("spd_kph").map(AppFix.speed(kilometresPerHour:))
        fix.position.battery = parameters.number("batt").map { $0 / 100 }
        fix.time = parameters.text("timestamp", "time").map(AppTime.init(text:)) ?? .missing
        return IngestBody(records: [fix.record])
    }
}
