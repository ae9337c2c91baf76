import Foundation
import Testing
import YonderLocation
import YonderTestSupport

struct GPXReaderTests {
    @Test(arguments: [
        "<gpx xmlns='http://www.topografix.com/GPX/1/0' version='1.0'>%</gpx>",
        "<gpx xmlns='http://www.topografix.com/GPX/1/1' version='1.1'>%</gpx>",
        "\u{FEFF}<?xml version='1.0' encoding='utf-8'?>\r\n<gpx>%</gpx>\n",
        "<?xml version='1.0'?><!-- a comment --><gpx creator='é'>%</gpx>",
    ])
    func `points are read in every dress of a file`(_ dress: String) throws {
        let body = """
            <trk><name> Über &amp; zurück </name><trkseg>
            <trkpt lat="60.1" lon="24.9"><ele>12.5</ele><time>2026-01-02T03:04:05Z</time></trkpt>
            <trkpt lon="0" lat="-0.5"/></trkseg></trk>
            """
        let document = try GPXReader.read(Data(dress.replacing("%", with: body).utf8))
        #expect(document.issues == [])
        let track = try #require(document.tracks.first)
        #expect(track.name == "Über & zurück")
        let points = track.segments[0].points
        #expect(points.count == 2)
        #expect(points[0].coordinate == Coordinate(latitude: 60.1, longitude: 24.9))
        #expect(points[0].altitude == 12.5)
        #expect(points[1].coordinate == Coordinate(latitude: -0.5, longitude: 0))
    }

    @Test func `a prefix of its own is no hindrance and other names are no points`() throws {
        let file = """
            <g:gpx xmlns:g='http://www.topografix.com/GPX/1/1' xmlns:x='urn:x'><g:trk><g:trkseg>
            <g:trkpt lat='1' lon='2'><x:time>nonsense</x:time><g:extensions><trkpt lat='9' lon='9'/>
            </g:extensions></g:trkpt><x:trkpt lat='3' lon='4'/></g:trkseg></g:trk></g:gpx>
            """
        let document = try GPXReader.read(Data(file.utf8))
        #expect(document.issues == [])
        #expect(document.tracks.map(\.pointCount) == [1])
    }

    @Test func `an undeclared prefix of a sloppy logger does not cost the file`() throws {
        let document = try gpx(
            "<trk><trkseg><trkpt lat='1' lon='2'><tpx:hr>90</tpx:hr></trkpt></trkseg></trk>")
        #expect(document.tracks.map(\.pointCount) == [1])
    }

    @Test(arguments: [
        ("<trkpt lon='1'/>", GPXIssue.Kind.missingLatitude),
        ("<trkpt lat='91' lon='1'/>", .badLatitude),
        ("<trkpt lat='nan' lon='1'/>", .badLatitude),
        ("<trkpt lat='0x10' lon='1'/>", .badLatitude),
        ("<trkpt lat='60,1' lon='1'/>", .badLatitude),
        ("<trkpt lat='1'/>", .missingLongitude),
        ("<trkpt lat='1' lon='180.1'/>", .badLongitude),
        ("<trkpt lat='1' lon=''/>", .badLongitude),
        ("<trkpt lat='1' lon='1e999'/>", .badLongitude),
    ])
    func `a wrong point is skipped and said with its line`(_ point: String, _ kind: GPXIssue.Kind) throws {
        let document = try gpx("\n<trk><trkseg>\n\(point)\n<trkpt lat='1' lon='2'/></trkseg></trk>")
        #expect(document.tracks.map(\.pointCount) == [1])
        #expect(document.issues.map(\.line) == [3])
        #expect(document.issues.map(\.kind) == [kind])
    }

    @Test(arguments: [
        ("<time>yesterday</time>", GPXIssue.Kind.badTime),
        ("<time>2026-02-30T00:00:00Z</time>", .badTime),
        ("<ele>high</ele>", .badElevation),
    ])
    func `a wrong value costs the value and not the point`(_ value: String, _ kind: GPXIssue.Kind) throws {
        let document = try gpx("<trk><trkseg><trkpt lat='1' lon='2'>\(value)</trkpt></trkseg></trk>")
        #expect(document.tracks[0].segments[0].points.map(\.time) == [nil])
        #expect(document.tracks[0].segments[0].points.map(\.altitude) == [nil])
        #expect(document.issues.map(\.kind) == [kind])
    }

    @Test func `a point outside a segment is said`() throws {
        let document = try gpx("<trk><trkpt lat='1' lon='2'/></trk>")
        #expect(document.issues.map(\.kind) == [.outsideSegment])
    }

    @Test(arguments: [
        ([1, 2, 3, 4], [true, true, true, true]),
        ([1, 900, 2, 3], [true, false, true, true]),
        ([900, 1, 2, 3], [false, true, true, true]),
        ([1, 2, 2, 3], [true, true, true, true]),
        ([5, 5, 5], [false, false, false]),
        ([5], [false]),
    ])
    func `one time out of order does not cost the others`(_ seconds: [Int], _ kept: [Bool]) throws {
        let points = seconds.map {
            "<trkpt lat='1' lon='2'><time>2026-01-01T00:\($0 / 60 + 10):\($0 % 60 + 10)Z</time></trkpt>"
        }
        let document = try gpx("<trk><trkseg>\(points.joined())</trkseg></trk>")
        #expect(document.tracks[0].segments[0].points.map { $0.time != nil } == kept)
    }

    @Test func `a time without a zone is UTC as GPX says`() throws {
        func time(_ text: String) -> String { "<trkpt lat='1' lon='2'><time>\(text)</time></trkpt>" }
        let document = try gpx(
            "<trk><trkseg>\(time("2026-01-01T00:00:00"))\(time("2026-01-01T02:00:01+02:00"))</trkseg></trk>")
        let times = document.tracks[0].segments[0].points.compactMap(\.time)
        #expect(times.map { $0.timeIntervalSince(times[0]) } == [0, 1])
    }

    @Test func `routes count only where there is no track`() throws {
        let route = "<rte><name>r</name><rtept lat='1' lon='2'/><rtept lat='1' lon='3'/></rte>"
        #expect(try gpx(route).tracks.map(\.pointCount) == [2])
        #expect(try gpx(route + "<trk><name>t</name></trk>").tracks.map(\.name) == ["t"])
    }

    @Test(arguments: [
        ("", 1, 1), ("<html></html>", 1, 6), ("<gpx>\n <trk>", 2, 7), ("<gpx>\n  <a></b></gpx>", 2, 10),
        ("<gpx></gpx>junk", 1, 12), ("{\"type\": \"FeatureCollection\"}", 1, 1),
    ])
    func `a file that is no GPX is refused with a place`(_ text: String, _ line: Int, _ column: Int) throws {
        let error = try #require(throws: LocationError.self) { try GPXReader.read(Data(text.utf8)) }
        #expect(error.code == .malformedTrack)
        #expect(error.line == line)
        #expect(error.column == column)
    }

    @Test(arguments: [
        "<!DOCTYPE g [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><gpx><trk><name>&a;</name></trk></gpx>",
        "<!DOCTYPE g [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]>\n<gpx><trk><name>&b;</name></trk></gpx>",
        "<gpx>\0</gpx>", "<?xml version='1.0' encoding='UTF-7'?><gpx>+ADw-trk/+AD4-</gpx>",
        "<?xml version='1.0' encoding = \"IBM037\"?><gpx/>", "Lo\u{A7}",
    ])
    func `entities and other encodings are refused`(_ text: String) {
        let error = #expect(throws: LocationError.self) { try GPXReader.read(Data(text.utf8)) }
        #expect(error?.code == .malformedTrack)
    }

    @Test(arguments: [
        "<?hello?><gpx/>", "<gpx>\n<?hello?></gpx>",
        "<?xml version='1.0' encoding='UTF-7'?><gpx>+ADw?a?+AD4</gpx>",
        "<!DOCTYPE g [<!NOTATION n SYSTEM 'x'>]><gpx/>",
        "<!DOCTYPE g [<!ATTLIST gpx b CDATA #IMPLIED>]><gpx/>",
    ])
    func `what Foundation's parser does not survive is refused`(_ text: String) {
        let error = #expect(throws: LocationError.self) { try GPXReader.read(Data(text.utf8)) }
        #expect(error?.code == .malformedTrack)
    }

    @Test(arguments: [
        "<?xml version=\"1.0\" encoding=\"ISO-8859-15\" standalone=\"no\"?>",
        "<?xml version='1.0' encoding='GB2312'?>",
        "\n <?hello there?><!-- <?x --><!DOCTYPE gpx [<!ELEMENT gpx ANY>]>", "<?xml version='1.0'?>",
    ])
    func `what is said before the track does not cost it`(_ start: String) throws {
        #expect(try GPXReader.read(Data("\(start)<gpx><trk/></gpx>".utf8)).tracks.count == 1)
    }

    @Test func `an external document type is not opened`() throws {
        let file = "<!DOCTYPE gpx SYSTEM 'http://127.0.0.1:1/x.dtd'><gpx><trk/></gpx>"
        #expect(try GPXReader.read(Data(file.utf8)).tracks.count == 1)
    }

    @Test func `a file over the limit is refused`() {
        let error = #expect(throws: LocationError.self) {
            try GPXReader.read(Data(count: GPXReader.maxBytes + 1))
        }
        #expect(error?.code == .fileTooLarge)
    }

    @Test func `a file that is not there is said`() {
        let error = #expect(throws: LocationError.self) {
            try GPXReader.read(contentsOf: URL(filePath: "/nowhere/at/all.gpx"))
        }
        #expect(error?.code == .fileUnreadable)
    }

    @Test func `thousands of wrong points are counted and not all listed`() throws {
        let document = try gpx(
            "<trk><trkseg>\(String(repeating: "<trkpt/>", count: 1_500))</trkseg></trk>")
        #expect(document.issues.count == GPXDocument.maxIssues)
        #expect(document.unlistedIssues == 500)
    }

    private static let sample = """
        <?xml version="1.0"?><gpx version="1.1"><trk><name>n</name><trkseg>
        <trkpt lat="1.5" lon="2"><ele>3</ele><time>2026-01-01T00:00:00Z</time></trkpt>
        <trkpt lat="1.6" lon="2"><time>2026-01-01T00:00:09.5Z</time></trkpt></trkseg></trk></gpx>
        """

    @Test func `a file cut anywhere is an error with a place`() throws {
        let bytes = Data(Self.sample.utf8)
        #expect(try GPXReader.read(bytes).tracks[0].pointCount == 2)
        for length in 0..<bytes.count {
            let error = #expect(throws: LocationError.self) { try GPXReader.read(bytes.prefix(length)) }
            #expect(error?.code == .malformedTrack && error?.line != nil, "cut at \(length)")
        }
    }

    @Test func `flipped bytes never end in anything but tracks or an error`() {
        var random = SplitMix(seed: 7)
        var whole = 0
        for _ in 0..<1_500 {
            var bytes = Data(Self.sample.utf8)
            for _ in 0...Int.random(in: 0...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(
                    in: 1...255, using: &random)
            }
            do {
                let document = try GPXReader.read(bytes)
                for track in document.tracks { _ = ReplaySchedule(track) }
                whole += 1
            } catch {
                #expect([.malformedTrack, .noTrack].contains(error.code))
            }
        }
        #expect(whole > 0 && whole < 1_500)
    }

    @Test func `real files give the tracks that they hold`() throws {
        try TestData.withGPX("korita-zbevnica.gpx") { document in
            #expect(document.tracks.map(\.pointCount) == [0, 358, 176, 337])
            #expect(document.tracks.map { $0.segments.count { $0.time != nil } } == [0, 0, 176, 337])
        }
        try TestData.withGPX("Mojstrovka.gpx") { document in
            #expect(document.tracks[0].segments.count { $0.time != nil } == 0)
            #expect(document.issues.map(\.kind) == [.timesDoNotAdvance])
        }
        try TestData.withGPX("cerknicko-without-times.gpx") { document in
            let track = try #require(document.tracks.first { $0.pointCount > 0 })
            #expect(track.segments.count { $0.time != nil } == 0)
        }
        try TestData.withGPX("route.gpx") { #expect($0.tracks[0].pointCount > 10) }
        try TestData.withGPX("track-with-empty-segment.gpx") { document in
            #expect(document.tracks[0].segments.map(\.points.count) == [9, 0])
        }
        try TestData.withGPX("unicode_with_bom.gpx") { #expect($0.tracks == []) }
        try TestData.withGPX("gpx1.1_with_all_fields.gpx") { #expect(!$0.tracks.isEmpty) }
    }
}

extension [Track.Segment] {
    fileprivate func count(_ matches: (Track.Point) -> Bool) -> Int {
        reduce(0) { $0 + $1.points.count(where: matches) }
    }
}
