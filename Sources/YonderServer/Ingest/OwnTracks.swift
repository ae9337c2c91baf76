import Foundation
import YonderModel

/// OwnTracks in its HTTP mode: one message a request.
enum OwnTracks {
    /// Reads a request.
    ///
    /// - Parameters:
    ///   - body: As it came; empty where somebody has removed a friend in the app.
    ///   - open: Decrypts; `nil` where the passphrase is another one, or none is known.
    /// - Returns: One record.
    static func read(_ body: [UInt8], open: ([UInt8]) -> [UInt8]?) -> IngestBody {
        guard !body.isEmpty else { return IngestBody(records: [.refused(.empty)]) }
        guard let message = JSONValue(json: body), let type = message["_type"]?.text else {
            return IngestBody(records: [.refused(.malformed)])
        }
        guard type == "encrypted" else { return IngestBody(records: [record(message, type)]) }
        guard let data = message["data"]?.text, let box = Data(base64Encoded: data) else {
            return IngestBody(records: [.refused(.malformed)])
        }
        guard let inner = open(Array(box)) else {
            return IngestBody(records: [.refused(.undecipherable)])
        }
        let content = JSONValue(json: inner)
        let innerRecord = content?["_type"]?.text.map { record(content ?? .null, $0) }
        return IngestBody(
            records: [innerRecord ?? .refused(inner.isEmpty ? .empty : .malformed)], isEncrypted: true)
    }

    /// The app leaves out what is zero.
    private static func record(_ message: JSONValue, _ type: String) -> IngestRecord {
        guard type == "location" else {
            return .refused(type == "encrypted" ? .malformed : .notAFix)
        }
        var fix = AppFix()
        fix.position.latitude = message["lat"]?.number
        fix.position.longitude = message["lon"]?.number
        fix.position.accuracy = message["acc"]?.number
        fix.position.altitude = message["alt"]?.number
        fix.position.altitudeAccuracy = message["vac"]?.number
        fix.position.heading = message["cog"]?.number
        fix.position.speed = message["vel"]?.number.map(AppFix.speed(kilometresPerHour:))
        fix.position.battery = message["batt"]?.number.map { $0 / 100 }
        fix.time = AppTime(message["tst"])
        return fix.record
    }
}
