extension Timestamp {
    /// Reads an RFC 3339 time: any offset, any length of fraction (cut to
    /// milliseconds). A time without a zone is refused.
    ///
    /// - Returns: `nil` if the text is no such time or names a day that does not exist.
    public init?(rfc3339 text: some StringProtocol) {
        var reader = RFC3339Reader(bytes: Array(text.utf8))
        guard let time = reader.timestamp() else { return nil }
        self = time
    }

    /// The time in UTC with milliseconds: `2026-11-30T12:00:00.000Z`.
    ///
    /// Years outside 0...9999 have no such form and are clamped to its ends.
    public var rfc3339: String {
        String(unsafeUninitializedCapacity: 24) { buffer in
            var bytes = [UInt8]()
            bytes.reserveCapacity(24)
            appendRFC3339(to: &bytes)
            return buffer.initialize(fromContentsOf: bytes)
        }
    }

    /// Appends ``rfc3339`` as 24 ASCII bytes.
    package func appendRFC3339(to bytes: inout [UInt8]) {
        let clamped = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let day = clamped.flooredQuotient(86_400_000)
        let ofDay = clamped - day * 86_400_000
        let date = CivilDate(daysSinceEpoch: day)
        func append(_ value: Int64, _ digits: Int) {
            var divisor: Int64 = digits == 4 ? 1000 : digits == 3 ? 100 : 10
            while divisor > 0 {
                bytes.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
                divisor /= 10
            }
        }
        append(date.year, 4)
        bytes.append(UInt8(ascii: "-"))
        append(date.month, 2)
        bytes.append(UInt8(ascii: "-"))
        append(date.day, 2)
        bytes.append(UInt8(ascii: "T"))
        append(ofDay / 3_600_000, 2)
        bytes.append(UInt8(ascii: ":"))
        append(ofDay / 60_000 % 60, 2)
        bytes.append(UInt8(ascii: ":"))
        append(ofDay / 1000 % 60, 2)
        bytes.append(UInt8(ascii: "."))
        append(ofDay % 1000, 3)
        bytes.append(UInt8(ascii: "Z"))
    }
}

/// A day of the proleptic Gregorian calendar.
///
/// The conversions count eras of 400 years that begin on 1 March, so that the
/// leap day is the last of its year (the method of Howard Hinnant's
/// "chrono-Compatible Low-Level Date Algorithms").
package struct CivilDate: Hashable, Sendable {
    package let year: Int64
    package let month: Int64
    package let day: Int64

    package init(daysSinceEpoch days: Int64) {
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// A day by its numbers; `nil` if the calendar has no such day.
    package init?(year: Int64, month: Int64, day: Int64) {
        guard (1...12).contains(month), day >= 1 else { return nil }
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[Int(month - 1)] else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    package var daysSinceEpoch: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.flooredQuotient(400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension Int64 {
    /// The quotient rounded towards minus infinity.
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

/// Reads one RFC 3339 time from bytes.
private struct RFC3339Reader {
    let bytes: [UInt8]
    var index = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func timestamp() -> Timestamp? {
        guard let year = digits(4), eat("-"), let month = digits(2), eat("-"),
            let day = digits(2), eat("T") || eat("t"),
            let hour = digits(2), eat(":"), let minute = digits(2), eat(":"),
            let second = digits(2), hour < 24, minute < 60, second <= 60,
            let date = CivilDate(year: year, month: month, day: day),
            let fraction = fractionMilliseconds(), let offset = offsetMinutes(),
            index == bytes.count
        else { return nil }
        let minutes = (date.daysSinceEpoch * 24 + hour) * 60 + minute - offset
        return Timestamp(milliseconds: (minutes * 60 + second) * 1000 + fraction)
    }

    private mutating func eat(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func digit() -> Int64? {
        guard index < bytes.count, bytes[index] &- 48 < 10 else { return nil }
        defer { index += 1 }
        return Int64(bytes[index] - 48)
    }

    private mutating func digits(_ count: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<count {
            guard let next = digit() else { return nil }
            value = value * 10 + next
        }
        return value
    }

    /// The fraction, cut to milliseconds; 0 where there is none, `nil` for a bare dot.
    private mutating func fractionMilliseconds() -> Int64? {
        guard eat(".") else { return 0 }
        var value: Int64 = 0
        var count = 0
        while let next = digit() {
            if count < 3 { value = value * 10 + next }
            count += 1
        }
        guard count > 0 else { return nil }
        return value * (count == 1 ? 100 : count == 2 ? 10 : 1)
    }

    private mutating func offsetMinutes() -> Int64? {
        if eat("Z") || eat("z") { return 0 }
        let east = eat("+")
        guard east || eat("-"), let hours = digits(2), eat(":"), let minutes = digits(2),
            hours < 24, minutes < 60
        else { return nil }
        return (east ? 1 : -1) * (hours * 60 + minutes)
    }
}
