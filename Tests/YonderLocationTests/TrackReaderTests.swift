import Foundation
import Testing
import YonderGeo

@testable import YonderLocation

struct TrackReaderTests {
    private static func read(_ text: String) throws -> [Track] {
        try TrackReader.read(Data(text.utf8)).tracks
    }

    @Test func `a receiver's log is a track with its times and its gaps`() throws {
        guard let file = TestData.url("nmea/garmin-10x.nmea") else { return }
        let track = try #require(try TrackReader.read(contentsOf: file).tracks.first)
        #expect(track.pointCount == 9)
        let times = track.segments.flatMap(\.points).compactMap(\.time)
        #expect(times.count == 9 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(ReplaySchedule(track).entries.count == 9)
    }

    @Test func `GeoJSON is read with its heights and times, as a trail of the server's is told`() throws {
        let tracks = try Self.read(
            """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","geometry":{"type":"MultiLineString","coordinates":[[[179,1,5],[180,1.5]],[[-180,1.5],[-179,2]]]},
            "properties":{"name":"over the line","coordTimes":[["2026-01-01T00:00:00Z","2026-01-01T00:00:01Z"],
            ["2026-01-01T00:00:02Z","2026-01-01T00:00:03Z"]]}},
            {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":null},
            {"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,91],[5,6]]},"properties":{}}]}
            """)
        #expect(tracks.map(\.pointCount) == [4, 2])
        #expect(tracks[0].name == "over the line" && tracks[0].segments.count == 2)
        #expect(tracks[0].segments[0].points[0].altitude == 5)
        #expect(tracks[0].segments[1].points[1].time == Date(timeIntervalSince1970: 1_767_225_603))
        #expect(tracks[1].segments[0].points.allSatisfy { $0.time == nil })
        #expect(tracks[1].segments[0].points[1].coordinate == Coordinate(latitude: 6, longitude: 5))
    }

    @Test func `GPX is read as before, and what is none of the three is an error`() throws {
        #expect(
            try Self.read("<gpx version='1.1'><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>")
                .count == 1)
        for text in ["{", "{}", "{\"type\":\"Point\",\"coordinates\":[1,2]}", "hello", ""] {
            #expect(throws: LocationError.self) { _ = try Self.read(text) }
        }
        #expect(try Self.read("# a comment\n$nonsense").first?.pointCount == 0)
    }
}
