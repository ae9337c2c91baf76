public import Foundation
import YonderGeo
import YonderModel

/// Reads a recorded way in whatever form it was kept: GPX, a log of NMEA 0183, or GeoJSON.
///
/// What the file is shows in its first character. Of NMEA all fixes are read, with a gap where there was none; of
/// GeoJSON (RFC 7946) each LineString and MultiLineString, with the times of `properties.coordTimes` where they are
/// there.
public enum TrackReader: Sendable {
    /// Reads a file.
    ///
    /// - Throws: `LocationError` with code `.fileUnreadable`, `.fileTooLarge`, `.malformedTrack`.
    public static func read(contentsOf url: URL) throws(LocationError) -> GPXDocument {
        try read(GPXReader.data(of: url))
    }

    /// Reads a file's bytes.
    ///
    /// - Throws: `LocationError` with code `.fileTooLarge` or `.malformedTrack`.
    public static func read(_ data: Data) throws(LocationError) -> GPXDocument {
        guard data.count <= GPXReader.maxBytes else { throw GPXReader.tooLarge }
        let blank = Set("\u{FEFF} \t\r\n".utf8)
        switch data.first(where: { !blank.contains($0) }) {
        case UInt8(ascii: "$"), UInt8(ascii: "#"), UInt8(ascii: "!"): return nmea(data)
        case UInt8(ascii: "{"): return try geoJSON(data)
        default: return try GPXReader.read(data)
        }
    }

    private static func nmea(_ data: Data) -> GPXDocument {
        var reader = NMEAReader()
        let outputs = reader.read(data, now: .distantPast) + reader.finish(isCut: true)
        // A time that goes back begins another track.
        var tracks: [[Track.Segment]] = [[Track.Segment()]]
        var last: Date?
        for output in outputs {
            switch output {
            case .fix(let fix):
                if let last, fix.timestamp <= last { tracks.append([Track.Segment()]) }
                last = fix.timestamp
                let (track, segment) = (tracks.count - 1, tracks[tracks.count - 1].count - 1)
                tracks[track][segment].points.append(
                    Track.Point(coordinate: fix.coordinate, altitude: fix.altitude, time: fix.timestamp))
            case .noFix:
                if tracks.last?.last?.points.isEmpty == false { tracks[tracks.count - 1].append(.init()) }
            case .heading: break
            }
        }
        var document = GPXDocument()
        document.tracks = tracks.map { Track(segments: $0.filter { !$0.points.isEmpty }) }
        return document
    }

    private static func geoJSON(_ data: Data) throws(LocationError) -> GPXDocument {
        guard let root = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw LocationError(.malformedTrack, "the file is no JSON that can be read")
        }
        var document = GPXDocument()
        let features = (root["features"] as? [[String: Any]]) ?? [root]
        for feature in features {
            let geometry = feature["geometry"] as? [String: Any] ?? feature
            let properties = feature["properties"] as? [String: Any] ?? [:]
            let lines: [[[Double]]]
            switch geometry["type"] as? String {
            case "LineString": lines = [geometry["coordinates"] as? [[Double]] ?? []]
            case "MultiLineString": lines = geometry["coordinates"] as? [[[Double]]] ?? []
            default: continue
            }
            let times = properties["coordTimes"]
            let nested = times as? [[String]] ?? (times as? [String]).map { [$0] } ?? []
            var segments = lines.enumerated().map { index, line in
                segment(line, nested.indices.contains(index) ? nested[index] : [])
            }
            let points = segments.flatMap(\.points)
            let known = points.compactMap(\.time)
            // Times that do not advance, or are not known of all, are none.
            if known.count < points.count || !zip(known, known.dropFirst()).allSatisfy({ $0 < $1 }) {
                for segment in segments.indices {
                    for point in segments[segment].points.indices {
                        segments[segment].points[point].time = nil
                    }
                }
            }
            document.tracks.append(
                Track(name: properties["name"] as? String, segments: segments.filter { !$0.points.isEmpty }))
        }
        guard !document.tracks.isEmpty else {
            throw LocationError(
                .noTrack, "there is no line in the file: GeoJSON's LineString or MultiLineString")
        }
        return document
    }

    private static func segment(_ line: [[Double]], _ times: [String]) -> Track.Segment {
        let points = line.enumerated().compactMap { index, position -> Track.Point? in
            guard position.count >= 2,
                let place = Coordinate(latitude: position[1], longitude: position[0])
            else { return nil }
            let time = times.count == line.count ? Timestamp(rfc3339: times[index]) : nil
            return Track.Point(
                coordinate: place, altitude: position.count > 2 ? position[2] : nil, time: time?.date)
        }
        return Track.Segment(points: points)
    }
}
