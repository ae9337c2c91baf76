import Foundation
import YonderModel

/// Makes fixes of what gpsd reports as JSON, one object a line.
///
/// gpsd may tell of one moment several times, each time knowing more: its reports are merged by their time, and given
/// out when the next moment begins or the line falls silent. One without a time, as before the receiver knows the date,
/// is none.
struct GPSDReader: ReceiverReader {
    /// gpsd's own longest line is 10,240 bytes.
    static let maxLength = 16_384

    fileprivate struct Report: Decodable {
        var `class`: String
        var mode: Int?
        var status: Int?
        var time: String?
        var lat, lon, altMSL, alt, eph, epx, epy, epv, track, speed: Double?
        /// Of the class ATT.
        var heading, mheading: Double?
        var message: String?
    }

    private var line: [UInt8] = []
    private var isOverlong = false
    private var merged: Report?
    private var lastGiven: Date?

    /// Reads some bytes; lines may be cut anywhere.
    mutating func read(_ bytes: some Sequence<UInt8>, now: Date) -> [ReceiverOutput] {
        var outputs: [ReceiverOutput] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                if !line.isEmpty, !isOverlong { outputs += take(line, now) }
                line.removeAll(keepingCapacity: true)
                isOverlong = false
            } else if line.count < Self.maxLength {
                line.append(byte)
            } else {
                isOverlong = true
            }
        }
        return outputs
    }

    /// Nothing more is to come of this moment.
    mutating func finish(isCut: Bool = false, now: Date) -> [ReceiverOutput] {
        defer { merged = nil }
        return merged.flatMap { fix($0) }.map { [.fix($0)] } ?? []
    }

    private mutating func take(_ line: [UInt8], _ now: Date) -> [ReceiverOutput] {
        guard let report = try? JSONDecoder().decode(Report.self, from: Data(line)) else { return [] }
        switch report.class {
        case "TPV": return takePosition(report, now)
        case "ATT":
            if let degrees = report.heading, degrees.isFinite {
                return [.heading(Heading(degrees: degrees, timestamp: now))]
            }
            guard let degrees = report.mheading, degrees.isFinite else { return [] }
            return [.heading(Heading(degrees: degrees, reference: .magneticNorth, timestamp: now))]
        default: return []
        }
    }

    private mutating func takePosition(_ report: Report, _ now: Date) -> [ReceiverOutput] {
        guard report.mode ?? 0 >= 2 else { return finish(now: now) + [.noFix] }
        guard let known = merged, known.time == report.time else {
            let outputs = finish(now: now)
            merged = report
            return outputs
        }
        merged = known.merged(with: report)
        return []
    }

    private mutating func fix(_ report: Report) -> Fix? {
        guard let latitude = report.lat, let longitude = report.lon,
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        guard let time = report.time.flatMap({ Timestamp(rfc3339: $0) })?.date, lastGiven != time else {
            return nil
        }
        lastGiven = time
        func positive(_ value: Double?) -> Double? { value.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } }
        let spread = positive(report.epx).flatMap { x in positive(report.epy).map { hypot(x, $0) } }
        return Fix(
            coordinate: coordinate, horizontalAccuracy: positive(report.eph) ?? spread,
            altitude: report.altMSL ?? report.alt, verticalAccuracy: positive(report.epv),
            course: report.track.flatMap { (0...360).contains($0) ? ($0 == 360 ? 0 : $0) : nil },
            speed: report.speed.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }, timestamp: time,
            isSimulated: report.status == 8)
    }
}

extension GPSDReader.Report {
    fileprivate func merged(with other: Self) -> Self {
        var merged = self
        merged.mode = other.mode ?? mode
        merged.status = other.status ?? status
        for path in [\Self.lat, \.lon, \.altMSL, \.alt, \.eph, \.epx, \.epy, \.epv, \.track, \.speed] {
            if let value = other[keyPath: path] { merged[keyPath: path] = value }
        }
        return merged
    }
}
