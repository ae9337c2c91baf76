/// One sentence of NMEA 0183 whose checksum is right: `$ttSSS,field,field*hh`.
struct NMEASentence: Hashable {
    /// Longest sentence that is read, in bytes. The standard says 82; receivers send longer ones.
    static let maxLength = 256

    /// Two letters: who says it; `GP` for GPS, `GN` for several systems.
    let talker: String
    /// Three letters: what is said.
    let type: String
    /// The fields behind the type, each as it stands there; empty = unknown.
    let fields: [String]

    /// Reads a line without its end; `nil` for what is no sentence of a satellite receiver or has no right checksum.
    init?(_ line: some StringProtocol) {
        let bytes = Array(line.utf8)
        guard bytes.count <= Self.maxLength, bytes.first == UInt8(ascii: "$"),
            let star = bytes.lastIndex(of: UInt8(ascii: "*")), bytes.count == star + 3,
            let sum = UInt8(String(decoding: bytes[(star + 1)...], as: UTF8.self), radix: 16),
            sum == Self.checksum(bytes[1..<star])
        else { return nil }
        let parts = String(decoding: bytes[1..<star], as: UTF8.self)
            .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts[0].utf8.count == 5 else { return nil }
        talker = String(parts[0].prefix(2))
        type = String(parts[0].suffix(3))
        guard Self.talkers.contains(talker) else { return nil }
        fields = Array(parts.dropFirst())
    }

    /// GPS, GLONASS, Galileo, BeiDou (two names), NavIC, QZSS, several at once; a compass.
    private static let talkers: Set = ["GP", "GL", "GA", "GB", "BD", "GI", "GQ", "GN", "HC", "HE", "II"]

    /// The exclusive or of all bytes between `$` and `*`.
    static func checksum(_ body: some Sequence<UInt8>) -> UInt8 { body.reduce(0, ^) }

    /// A field; `nil` where it is empty or missing.
    subscript(_ index: Int) -> String? {
        guard fields.indices.contains(index), !fields[index].isEmpty else { return nil }
        return fields[index]
    }

    /// A field as a number; `nil` where it is none.
    func number(_ index: Int) -> Double? {
        guard let text = self[index], let value = Double(text), value.isFinite else { return nil }
        return value
    }
}

/// What the fields of NMEA 0183 mean.
enum NMEA {
    /// Metres a second in a knot: 1,852 m an hour.
    static let knot = 1852.0 / 3600

    /// Degrees of `ddmm.mmmm` or `dddmm.mmmm` with its hemisphere.
    ///
    /// - Returns: `nil` where it is none, or lies outside of -90...90 or -180...180.
    static func degrees(_ field: String?, _ hemisphere: String?) -> Double? {
        guard let field, let hemisphere, let value = Double(field), value.isFinite, value >= 0 else {
            return nil
        }
        let whole = (value / 100).rounded(.down)
        let minutes = value - whole * 100
        let limit: Double
        let sign: Double
        switch hemisphere {
        case "N": (limit, sign) = (90, 1)
        case "S": (limit, sign) = (90, -1)
        case "E": (limit, sign) = (180, 1)
        case "W": (limit, sign) = (180, -1)
        default: return nil
        }
        let degrees = whole + minutes / 60
        guard minutes < 60, degrees <= limit else { return nil }
        return sign * degrees
    }

    /// Milliseconds since midnight of `hhmmss` or `hhmmss.sss`; a leap second counts as the one after.
    static func timeOfDay(_ field: String?) -> Int64? {
        guard let field, field.utf8.count >= 6, let value = Double(field), value >= 0 else { return nil }
        guard field.utf8.prefix(6).allSatisfy({ (48...57).contains($0) }), let whole = Int64(field.prefix(6))
        else { return nil }
        let (hours, minutes, seconds) = (whole / 10_000, whole / 100 % 100, whole % 100)
        guard hours < 24, minutes < 60, seconds <= 60 else { return nil }
        let fraction = (value - value.rounded(.down)) * 1000
        return ((hours * 60 + minutes) * 60 + seconds) * 1000 + Int64(fraction.rounded())
    }

    /// Days since 1970-01-01 of `ddmmyy`: 1980 to 2079.
    static func day(_ field: String?) -> Int64? {
        guard let field, field.utf8.count == 6, field.utf8.allSatisfy({ (48...57).contains($0) }),
            let value = Int(field)
        else { return nil }
        let year = value % 100
        return day(value / 10_000, value / 100 % 100, year < 80 ? 2000 + year : 1900 + year)
    }

    /// Days since 1970-01-01 of a date of the Gregorian calendar; `nil` where there is no such day.
    static func day(_ day: Int, _ month: Int, _ year: Int) -> Int64? {
        let lengths = [
            31, year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30,
            31, 30, 31,
        ]
        guard (1...12).contains(month), (1...lengths[month - 1]).contains(day) else { return nil }
        // Days from the civil date, counted in years that begin in March.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }
}
