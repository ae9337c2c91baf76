import Foundation
import Testing
import YonderGeo
import YonderModel
import YonderTestSupport

@testable import YonderLocation

struct NMEASentenceTests {
    private struct Vectors: Decodable {
        struct Sentence: Decodable { var body, checksum, full: String }
        struct Angle: Decodable {
            var field, hemisphere: String
            var degrees: Double
        }
        struct Knots: Decodable { var knots, mps: Double }
        var sentences: [Sentence]
        var ddmm: [Angle]
        var knots: [Knots]

        enum CodingKeys: String, CodingKey {
            case sentences, ddmm
            case knots = "knots_to_mps"
        }
    }

    private struct Orientation: Decodable {
        var heading: Double
        var orientation: String
        var expected: Double
    }

    private struct File: Decodable {
        var nmea: Vectors
        var orientations: [Orientation]

        enum CodingKeys: String, CodingKey {
            case nmea
            case orientations = "heading_orientation_adjust"
        }
    }

    private static func vectors() throws -> File? {
        try TestData.vectors.map { try JSONDecoder().decode(File.self, from: Data(contentsOf: $0)) }
    }

    @Test func `sentences, angles, speeds and headings are read as the vectors say`() throws {
        guard let file = try Self.vectors() else { return }
        for sentence in file.nmea.sentences {
            #expect(NMEASentence.checksum(Array(sentence.body.utf8)) == UInt8(sentence.checksum, radix: 16))
            let read = try #require(NMEASentence(sentence.full))
            #expect("\(read.talker)\(read.type)," + read.fields.joined(separator: ",") == sentence.body)
        }
        for angle in file.nmea.ddmm {
            let degrees = try #require(NMEA.degrees(angle.field, angle.hemisphere))
            #expect(abs(degrees - angle.degrees) < 1e-12)
        }
        for speed in file.nmea.knots { #expect(abs(speed.knots * NMEA.knot - speed.mps) < 1e-12) }
        for row in file.orientations {
            let orientation = try #require(Heading.ScreenOrientation(rawValue: row.orientation))
            let heading = Heading(degrees: row.heading, timestamp: .now)
            #expect(heading.seen(in: orientation).degrees == row.expected)
        }
    }

    @Test(
        arguments: [
            "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*48",
            "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
            "GPGGA,123519*47", "$*00", "$GP*17", "$PGRME,9.1,M,15.0,M,12.0,M*21", "",
            "$GPRMC,,V,,,,,,,,,,N*5",
        ])
    func `what is no sentence of a receiver or has another checksum is none`(_ line: String) {
        #expect(NMEASentence(line) == nil)
    }

    @Test(
        arguments: [
            ("36000.0000", "N"), ("9000.001", "N"), ("4860.0", "N"), ("18000.001", "E"), ("-100.0", "N"),
            ("nan", "N"), ("4807.0", "X"), ("", "N"),
        ])
    func `an angle that is none on Earth is none`(_ field: String, _ hemisphere: String) {
        #expect(NMEA.degrees(field, hemisphere) == nil)
    }

    @Test(
        arguments: [
            ("310299", nil), ("290200", 11_016), ("010170", 36_525), ("0101", nil), ("010180", 3_652),
        ]
            as [(String, Int64?)])
    func `a date is a day of the calendar`(_ field: String, _ day: Int64?) {
        #expect(NMEA.day(field) == day)
    }
}

struct NMEAReaderTests {
    private static func sentence(_ body: String) -> String {
        let sum = String(NMEASentence.checksum(Array(body.utf8)), radix: 16, uppercase: true)
        return "$\(body)*\(sum.count == 1 ? "0" : "")\(sum)\r\n"
    }

    private static func read(_ bodies: [String]) -> [ReceiverOutput] {
        var reader = NMEAReader()
        let outputs = bodies.flatMap { reader.read(Array(sentence($0).utf8), now: .distantPast) }
        return outputs + reader.finish()
    }

    private static func fixes(_ bodies: [String]) -> [Fix] {
        read(bodies).compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
    }

    @Test func `the sentences of one moment are one fix`() throws {
        let fixes = Self.fixes([
            "GPRMC,120000,A,4807.038,N,01131.000,E,010.0,084.4,230394,003.1,W",
            "GPGGA,120000,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
            "GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,0.9,2.0",
        ])
        let fix = try #require(fixes.first)
        #expect(fixes.count == 1)
        #expect(abs(fix.coordinate.latitude - 48.1173) < 1e-9)
        #expect(fix.horizontalAccuracy == 0.9 * 19 && fix.verticalAccuracy == 46)
        #expect(fix.altitude == 545.4 && fix.course == 84.4)
        #expect(abs(fix.speed! - 5.144444) < 1e-5)
        #expect(fix.timestamp == Date(timeIntervalSince1970: 764_424_000))
    }

    @Test(
        arguments: [
            ["GPRMC,120000,V,4807.0,N,01131.0,E,,,230394,,"],
            ["GPRMC,120000,A,4807.0,N,01131.0,E,,,230394,,", "GPGGA,120000,4807.0,N,01131.0,E,0,,,,M,,M,,"],
            ["GPRMC,120000,A,4807.0,N,01131.0,E,,,230394,,", "GPGSA,A,1,,,,,,,,,,,,,,,"],
            ["GPRMC,120000,A,4807.0,N,01131.0,E,,,230394,,,N"],
        ])
    func `an epoch that any sentence calls without a fix is none`(_ bodies: [String]) {
        #expect(Self.read(bodies) == [.noFix])
    }

    @Test func `a time that does not advance is no second fix`() {
        let frozen = "GPRMC,120000,A,4807.0,N,01131.0,E,,,230394,,"
        var reader = NMEAReader()
        var count = 0
        for _ in 0..<5 {
            count += reader.read(Array(Self.sentence(frozen).utf8), now: .now).count + reader.finish().count
        }
        #expect(count == 1)
    }

    @Test func `a date that was said once is not carried, and past midnight it is the next day`() {
        let rmc = { (time: String) in "GPRMC,\(time),A,4807.0,N,01131.0,E,,,310799,," }
        let gga = { (time: String) in "GPGGA,\(time),4807.0,N,01131.0,E,1,08,0.9,5,M,4,M,," }
        #expect(Self.fixes([rmc("235957"), gga("235958")]).count == 1)
        let fixes = Self.fixes([rmc("235957"), rmc("235958"), gga("235959"), gga("000000")])
        #expect(fixes.map { $0.timestamp.timeIntervalSince1970 } == [0, 1, 2, 3].map { 933_465_597 + $0 })
    }

    @Test func `a heading is told with what it counts from`() {
        let headings = Self.read([
            "HCHDG,98.3,0.0,E,12.6,W", "HEHDT,274.07,T", "HCHDM,10,M", "HCHDG,355,,,10,E",
        ])
        .compactMap { output -> String? in
            guard case .heading(let heading) = output else { return nil }
            return "\((heading.degrees * 100).rounded() / 100) \(heading.reference)"
        }
        #expect(headings == ["85.7 trueNorth", "274.07 trueNorth", "10.0 magneticNorth", "5.0 trueNorth"])
    }

    @Test func `wherever the bytes are cut, and whatever lies between, the fixes are the same`() {
        let bodies = (0..<30).map { "GPRMC,1200\($0 < 10 ? "0" : "")\($0),A,4807.0,N,01131.0,E,1,2,230394,," }
        let whole = Array(bodies.map(Self.sentence).joined().utf8)
        var random = SplitMix(seed: 7)
        for _ in 0..<50 {
            var reader = NMEAReader()
            var outputs: [ReceiverOutput] = []
            var rest = whole[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...90, using: &random))
                rest = rest.dropFirst(piece.count)
                outputs += reader.read(piece, now: .now)
            }
            outputs += reader.finish()
            #expect(outputs.count == 30)
        }
        var noisy = NMEAReader()
        let noise = Array(repeating: UInt8(0xFF), count: 100_000) + [10] + whole
        #expect(noisy.read(noise, now: .now).count == 29)
    }

    /// gpsd's own reading of the same recordings, merged by time.
    @Test(arguments: TestData.nmea)
    func `a receiver's recording is read as gpsd reads it`(_ name: String) throws {
        guard let recording = TestData.url("nmea/\(name).nmea"),
            let theirs = TestData.url("nmea/\(name).gpsd.json")
        else { return }
        var reader = NMEAReader()
        let outputs = reader.read(try Data(contentsOf: recording), now: .now) + reader.finish(isCut: true)
        let fixes = outputs.compactMap { output -> Fix? in
            if case .fix(let fix) = output { fix } else { nil }
        }
        var merged: [String: [String: Any]] = [:]
        var places: [Coordinate] = []
        for line in try String(contentsOf: theirs, encoding: .utf8).split(whereSeparator: \.isNewline)
        where line.hasPrefix("{") {
            guard let report = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                report["class"] as? String == "TPV",
                let latitude = (report["lat"] as? NSNumber)?.doubleValue,
                let longitude = (report["lon"] as? NSNumber)?.doubleValue,
                let place = Coordinate(latitude: latitude, longitude: longitude)
            else { continue }
            places.append(place)
            if let time = report["time"] as? String {
                merged[time, default: [:]].merge(report) { _, new in new }
            }
        }
        for fix in fixes {
            func isSame(_ place: Coordinate) -> Bool {
                abs(fix.coordinate.latitude - place.latitude) < 1e-6
                    && abs(fix.coordinate.longitude - place.longitude) < 1e-6
            }
            let time = Timestamp(fix.timestamp).rfc3339
            guard let report = merged[time] else {
                // gpsd says some places before it is sure of the time, and joins some epochs to the next one.
                let isKnown = places.contains(where: isSame)
                #expect(isKnown, "a fix of \(time) that gpsd does not have")
                continue
            }
            func value(_ key: String) -> Double? { (report[key] as? NSNumber)?.doubleValue }
            #expect(abs(fix.coordinate.latitude - value("lat")!) < 1e-6)
            #expect(abs(fix.coordinate.longitude - value("lon")!) < 1e-6)
            if let ours = fix.speed, let speed = value("speed") { #expect(abs(ours - speed) < 0.01) }
            if let ours = fix.course, let track = value("track") { #expect(abs(ours - track) < 0.1) }
            if let ours = fix.altitude, let altitude = value("altMSL") { #expect(abs(ours - altitude) < 0.5) }
        }
        // What gpsd has and this reader has not: the first epochs, until the date is sure.
        #expect(fixes.count >= merged.count - 2)
    }
}
