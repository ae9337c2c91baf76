import YonderGeo
import YonderModel
import YonderRules

/// A fix as an app says it, in our units but unchecked: what is unknown is settled here for all of them.
struct AppFix {
    var latitude: Double?
    var longitude: Double?
    /// Metres; 0 and less say nothing.
    var accuracy: Double?
    /// Metres.
    var altitude: Double?
    /// Metres; 0 and less say nothing.
    var altitudeAccuracy: Double?
    /// Degrees clockwise from true north; less than 0 says nothing.
    var heading: Double?
    /// Metres a second; less than 0 says nothing.
    var speed: Double?
    /// 0...1; less than 0 says nothing.
    var battery: Double?
    var time = AppTime.missing

    /// The record: what is out of its range beside the place is left out, and never costs the fix.
    var record: IngestRecord {
        guard let latitude, let longitude else { return .refused(.malformed) }
        guard Coordinate(latitude: latitude, longitude: longitude) != nil else {
            return .refused(.badPosition)
        }
        var raw = RawPosition()
        raw.latitude = latitude
        raw.longitude = longitude
        raw.accuracy = Self.known(accuracy, in: Double.leastNonzeroMagnitude...Double.greatestFiniteMagnitude)
        raw.altitude = Self.known(
            altitude, in: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
        raw.altitudeAccuracy = Self.known(
            altitudeAccuracy, in: Double.leastNonzeroMagnitude...Double.greatestFiniteMagnitude)
        raw.heading = Self.known(heading, in: 0...360)
        raw.speed = Self.known(speed, in: 0...Double.greatestFiniteMagnitude)
        raw.battery = Self.known(battery, in: 0...1)
        if latitude == 0, longitude == 0, raw.accuracy == nil { return .refused(.noFix) }
        guard let position = try? Position(raw, at: "") else { return .refused(.badPosition) }
        var report = FixReport(position: position)
        switch time {
        case .missing: break
        case .unreadable: return .refused(.badTime)
        case .at(let time): report.recordedAt = time
        }
        return .fix(report)
    }

    /// Metres a second, to the millimetre: the apps' own numbers are rounded, too.
    static func speed(kilometresPerHour speed: Double) -> Double { (speed / 3.6 * 1_000).rounded() / 1_000 }

    /// Metres a second, to the millimetre.
    static func speed(knots speed: Double) -> Double { (speed * 1_852 / 3_600 * 1_000).rounded() / 1_000 }

    private static func known(_ value: Double?, in range: ClosedRange<Double>) -> Double? {
        value.flatMap { range.contains($0) ? $0 : nil }
    }
}
