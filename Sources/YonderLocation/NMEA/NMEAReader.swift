import Foundation
import YonderModel
import YonderRules

/// Makes fixes of what a receiver says in NMEA 0183.
///
/// The sentences of one time of day are one epoch, and one epoch is at most one fix: it is given out when the next
/// epoch begins, or when the line falls silent. An epoch of which any sentence says that there is no fix is none. One
/// without a date of its own takes the last one, once two sentences have said it: a single date may be garbled. A time
/// that does not advance, as some receivers repeat after they have lost the satellites, gives no second fix.
struct NMEAReader: ReceiverReader {
    /// What is known of one epoch.
    private struct Epoch {
        /// Milliseconds since midnight; `nil` = no sentence has said it.
        var timeOfDay: Int64?
        /// Days since 1970-01-01, of a sentence of this epoch.
        var day: Int64?
        var coordinate: Coordinate?
        var isWithoutFix = false
        var isSimulated = false
        var isDifferential = false
        var altitude: Double?
        var speed: Double?
        var course: Double?
        var hdop: Double?
        var vdop: Double?
        var errors: (horizontal: Double, vertical: Double?)?
        /// The sentences that have told of it.
        var types: Set<String> = []
    }

    private var line: [UInt8] = []
    private var isOverlong = false
    private var epoch = Epoch()
    /// The last date that a sentence has said, and how often in a row.
    private var date: (day: Int64, count: Int)?
    private var lastGiven: Timestamp?
    private var lastTimeOfDay: Int64?
    /// The sentences of the last epoch that was complete.
    private var lastTypes: Set<String> = []

    /// Reads some bytes; lines may be cut anywhere.
    ///
    /// - Parameters:
    ///   - bytes: What has come.
    ///   - now: The time of its arrival, for headings, which say none.
    /// - Returns: What is complete by that, in order.
    mutating func read(_ bytes: some Sequence<UInt8>, now: Date) -> [ReceiverOutput] {
        var outputs: [ReceiverOutput] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                if !isOverlong, let text = String(validating: line, as: UTF8.self),
                    let sentence = NMEASentence(text)
                {
                    outputs += take(sentence, now)
                }
                line.removeAll(keepingCapacity: true)
                isOverlong = false
            } else if line.count < NMEASentence.maxLength {
                line.append(byte)
            } else {
                isOverlong = true
            }
        }
        return outputs
    }

    /// The line is silent, or at its end: nothing more of this epoch is to come.
    ///
    /// - Parameters:
    ///   - isCut: Whether the line may end in the middle of an epoch, as a file does: then one that lacks a
    ///     sentence of the epoch before it is none. Default `false`.
    ///   - now: Of no interest here.
    /// - Returns: What that completes.
    mutating func finish(isCut: Bool = false, now: Date = .distantPast) -> [ReceiverOutput] {
        defer {
            lastTypes = epoch.types
            epoch = Epoch()
        }
        if isCut, !epoch.types.isSuperset(of: lastTypes) { return [] }
        guard epoch.timeOfDay != nil || epoch.isWithoutFix else { return [] }
        if epoch.isWithoutFix { return [.noFix] }
        return fix().map { [.fix($0)] } ?? []
    }

    private mutating func take(_ sentence: NMEASentence, _ now: Date) -> [ReceiverOutput] {
        let outputs = understand(sentence, now)
        epoch.types.insert(sentence.type)
        return outputs
    }

    private mutating func understand(_ sentence: NMEASentence, _ now: Date) -> [ReceiverOutput] {
        switch sentence.type {
        case "GGA":
            let outputs = begin(NMEA.timeOfDay(sentence[0]))
            place(sentence, 1)
            readGGA(sentence)
            return outputs
        case "RMC":
            let outputs = begin(NMEA.timeOfDay(sentence[0]))
            place(sentence, 2)
            readRMC(sentence)
            return outputs
        case "GLL":
            let outputs = begin(NMEA.timeOfDay(sentence[4]))
            place(sentence, 0)
            if sentence[5].map({ $0 != "A" }) ?? false { epoch.isWithoutFix = true }
            readMode(sentence[6])
            return outputs
        case "GST":
            let outputs = begin(NMEA.timeOfDay(sentence[0]))
            if let latitude = sentence.number(5), let longitude = sentence.number(6) {
                epoch.errors = (hypot(latitude, longitude), sentence.number(7))
            }
            return outputs
        case "ZDA":
            let outputs = begin(NMEA.timeOfDay(sentence[0]))
            if let day = sentence[1].flatMap({ Int($0) }), let month = sentence[2].flatMap({ Int($0) }),
                let year = sentence[3].flatMap({ Int($0) })
            {
                note(NMEA.day(day, month, year))
            }
            return outputs
        case "VTG": readVTG(sentence)
        case "GSA":
            if sentence[1] == "1" { epoch.isWithoutFix = true }
            if let hdop = sentence.number(15), hdop > 0 { epoch.hdop = hdop }
            if let vdop = sentence.number(16), vdop > 0 { epoch.vdop = vdop }
        case "HDT": return heading(sentence.number(0), .trueNorth, now)
        case "HDM": return heading(sentence.number(0), .magneticNorth, now)
        case "HDG":
            let deviation = (sentence.number(1) ?? 0) * (sentence[2] == "W" ? -1 : 1)
            let degrees = sentence.number(0).map { $0 + deviation }
            guard let variation = sentence.number(3) else { return heading(degrees, .magneticNorth, now) }
            return heading(degrees.map { $0 + variation * (sentence[4] == "W" ? -1 : 1) }, .trueNorth, now)
        default: break
        }
        return []
    }

    private func heading(_ degrees: Double?, _ reference: Heading.Reference, _ now: Date) -> [ReceiverOutput]
    {
        degrees.map { [.heading(Heading(degrees: $0, reference: reference, timestamp: now))] } ?? []
    }

    /// A sentence of a time of day: the epoch that is open, or the next one.
    private mutating func begin(_ time: Int64?) -> [ReceiverOutput] {
        guard let time else { return [] }
        guard let open = epoch.timeOfDay, open != time else {
            epoch.timeOfDay = time
            return []
        }
        let outputs = finish()
        epoch.timeOfDay = time
        return outputs
    }

    private mutating func place(_ sentence: NMEASentence, _ index: Int) {
        guard let latitude = NMEA.degrees(sentence[index], sentence[index + 1]),
            let longitude = NMEA.degrees(sentence[index + 2], sentence[index + 3])
        else { return }
        epoch.coordinate = Coordinate(latitude: latitude, longitude: longitude)
    }

    private mutating func readGGA(_ sentence: NMEASentence) {
        switch sentence[5] {
        case nil, "0": epoch.isWithoutFix = true
        case "8": epoch.isSimulated = true
        case "2", "4", "5": epoch.isDifferential = true
        default: break
        }
        if let hdop = sentence.number(7), hdop > 0 { epoch.hdop = hdop }
        epoch.altitude = sentence.number(8)
    }

    private mutating func readRMC(_ sentence: NMEASentence) {
        if sentence[1] != "A" { epoch.isWithoutFix = true }
        epoch.speed = sentence.number(6).map { $0 * NMEA.knot }
        epoch.course = sentence.number(7)
        note(NMEA.day(sentence[8]))
        readMode(sentence[11])
    }

    private mutating func readVTG(_ sentence: NMEASentence) {
        guard sentence[8] != "N" else { return }
        if epoch.course == nil { epoch.course = sentence.number(0) }
        if epoch.speed == nil {
            epoch.speed = sentence.number(4).map { $0 * NMEA.knot } ?? sentence.number(6).map { $0 / 3.6 }
        }
    }

    private mutating func readMode(_ mode: String?) {
        switch mode {
        case "N": epoch.isWithoutFix = true
        case "S": epoch.isSimulated = true
        case "D", "R", "F": epoch.isDifferential = true
        default: break
        }
    }

    private mutating func note(_ day: Int64?) {
        guard let day else { return }
        epoch.day = day
        date = (day, date?.day == day ? (date?.count ?? 0) + 1 : 1)
    }

    private mutating func fix() -> Fix? {
        guard let timeOfDay = epoch.timeOfDay else { return nil }
        defer { lastTimeOfDay = timeOfDay }
        guard let coordinate = epoch.coordinate, let day = epoch.day ?? carriedDay(at: timeOfDay) else {
            return nil
        }
        let time = Timestamp(milliseconds: day * 86_400_000 + timeOfDay)
        guard lastGiven != time else { return nil }
        lastGiven = time
        let isDifferential = epoch.isDifferential
        return Fix(
            coordinate: coordinate,
            // What gpsd assumes of a receiver's errors where it says none: metres for a DOP of 1.
            horizontalAccuracy: epoch.errors?.horizontal
                ?? epoch.hdop.map { $0 * (isDifferential ? 4.75 : 19) },
            altitude: epoch.altitude,
            verticalAccuracy: epoch.errors?.vertical ?? epoch.vdop.map { $0 * (isDifferential ? 5.75 : 23) },
            course: epoch.course.flatMap { (0...360).contains($0) ? ($0 == 360 ? 0 : $0) : nil },
            speed: epoch.speed.flatMap { $0 >= 0 ? $0 : nil }, timestamp: time.date,
            isSimulated: epoch.isSimulated)
    }

    /// The last date that was said, past midnight the next one.
    private func carriedDay(at timeOfDay: Int64) -> Int64? {
        guard let date, date.count >= 2 else { return nil }
        let isPastMidnight = lastTimeOfDay.map { $0 - timeOfDay > 43_200_000 } ?? false
        return isPastMidnight ? date.day + 1 : date.day
    }
}
