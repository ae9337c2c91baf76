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
        fix.latitude = parameters.number("lat")
        fix.longitude = parameters.number("lon")
        fix.accuracy = parameters.number("acc")
        fix.altitude = parameters.number("alt")
        fix.heading = parameters.number("dir")
        fix.speed =
            parameters.number("spd") ?? parameters.number("spd_kph").map(AppFix.speed(kilometresPerHour:))
        fix.battery = parameters.number("batt").map { $0 / 100 }
        fix.time = parameters.text("timestamp", "time").map(AppTime.init(text:)) ?? .missing
        return IngestBody(records: [fix.record])
    }
}
