import YonderModel
import YonderRules

/// A fix as an app says it, in our units but unchecked.
struct AppFix {
    /// What is negative and cannot be, and an accuracy of 0, say nothing: see `Position`.
    var position = RawPosition()
    var time = AppTime.missing

    /// The record: what is out of its range beside the place is left out, and never costs the fix.
    var record: IngestRecord {
        guard position.latitude != nil, position.longitude != nil else { return .refused(.malformed) }
        var raw = position
        raw.accuracy = Self.finite(position.accuracy)
        raw.altitude = Self.finite(position.altitude)
        raw.altitudeAccuracy = Self.finite(position.altitudeAccuracy)
        raw.heading = Self.finite(position.heading, upTo: 360)
        raw.speed = Self.finite(position.speed)
        raw.battery = Self.finite(position.battery, upTo: 1)
        guard let position = try? Position(raw, at: "") else { return .refused(.badPosition) }
        if raw.latitude == 0, raw.longitude == 0, position.accuracy == nil { return .refused(.noFix) }
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

    private static func finite(_ value: Double?, upTo most: Double = .infinity) -> Double? {
        value.flatMap { $0.isFinite && $0 <= most ? $0 : nil }
    }
}
