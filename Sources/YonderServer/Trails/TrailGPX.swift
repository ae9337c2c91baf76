import Foundation
import YonderModel
import YonderRules

/// A trail as GPX 1.1: one track of one segment.
struct TrailGPX {
    let points: [TrailPoint]
    let message: MessageId

    /// The document's bytes. Ids and numbers need no escaping: their alphabets hold nothing that XML escapes.
    var bytes: [UInt8] {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Yonder" xmlns="http://www.topografix.com/GPX/1/1">
            <trk><name>\(message)</name><trkseg>

            """
        for point in points {
            let latitude = Self.decimal(point.coordinate.latitude)
            let longitude = Self.decimal(point.coordinate.longitude)
            let altitude = point.altitude.map { "<ele>\(Self.decimal($0))</ele>" } ?? ""
            text += "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\">\(altitude)"
            text += "<time>\(point.recordedTime.rfc3339)</time></trkpt>\n"
        }
        return Array((text + "</trkseg></trk>\n</gpx>\n").utf8)
    }

    /// A number as XML Schema's `decimal` writes it: without an exponent.
    private static func decimal(_ value: Double) -> String {
        let text = value.description
        return text.contains("e") ? String(format: "%.20f", value) : text
    }
}
