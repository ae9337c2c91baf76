import Foundation
import YonderGeo
import YonderModel
import YonderRules

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// One pass over a GPX file: listens to the XML parser and collects tracks.
///
/// Lives inside one call of ``GPXReader/read(_:)``; not Sendable.
final class GPXScan: NSObject, XMLParserDelegate {
    private var document = GPXDocument()
    private var routes: [TrackDraft] = []
    private var tracks: [TrackDraft] = []
    private var failure: LocationError?

    /// The names of the open elements; `nil` for one that is not GPX's.
    private var path: [String?] = []
    private var rootPrefix = ""
    private var rootNamespace: String?
    private var rootHasEnded = false

    private var point: PointDraft?
    private var text: String?

    /// What was read, or why nothing was.
    func finish(line: Int, column: Int) throws(LocationError) -> GPXDocument {
        if let failure { throw failure }
        guard rootHasEnded else {
            throw LocationError(
                .malformedTrack, "the file breaks off", line: max(1, line), column: max(1, column))
        }
        for draft in tracks.isEmpty ? routes : tracks {
            document.tracks.append(draft.track(reportingTo: &document))
        }
        return document
    }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        // Names and prefixes that are not declared (libxml2's 99, 100 and 200 to 204) harm nothing.
        let code = (parseError as NSError).code
        if code == 99 || code == 100 || (200...204).contains(code) { return }
        fail("the file is not well-formed XML", parser)
    }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String] = [:]
    ) {
        guard failure == nil else { return }
        let (prefix, name) = Self.split(element)
        if path.isEmpty {
            guard name == "gpx" else { return fail("the file is not GPX", parser) }
            rootPrefix = prefix
            rootNamespace = attributes["xmlns"]
        }
        let isForeign =
            prefix != rootPrefix || attributes["xmlns"].map { $0 != rootNamespace } ?? false
        path.append(isForeign ? nil : name)
        if !path.contains(nil) { started(name, attributes, line: parser.lineNumber) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text?.append(string) }

    func parser(
        _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard failure == nil, !path.isEmpty else { return }
        if !path.contains(nil) { ended() }
        path.removeLast()
        if path.isEmpty { rootHasEnded = true }
    }

    private func fail(_ message: String, _ parser: XMLParser) {
        guard failure == nil else { return }
        failure = LocationError(
            .malformedTrack, message, line: max(1, parser.lineNumber), column: max(1, parser.columnNumber))
        parser.abortParsing()
    }

    private func started(_ name: String, _ attributes: [String: String], line: Int) {
        text = nil
        switch path {
        case ["gpx", "trk"]: tracks.append(TrackDraft(line: line))
        case ["gpx", "trk", "trkseg"]: tracks[tracks.count - 1].segments.append([])
        case ["gpx", "rte"]: routes.append(TrackDraft(line: line, segments: [[]]))
        case ["gpx", "trk", "trkseg", "trkpt"], ["gpx", "rte", "rtept"]:
            point = PointDraft(attributes, line: line)
        case ["gpx", "trk", "name"], ["gpx", "rte", "name"],
            ["gpx", "trk", "trkseg", "trkpt", "time"], ["gpx", "trk", "trkseg", "trkpt", "ele"],
            ["gpx", "rte", "rtept", "time"], ["gpx", "rte", "rtept", "ele"]:
            text = ""
        case _ where name == "trkpt": document.report(.outsideSegment, line: line)
        default: break
        }
    }

    private func ended() {
        let content = text?.trimmingCharacters(in: .whitespacesAndNewlines)
        text = nil
        switch path {
        case ["gpx", "trk", "name"]: tracks[tracks.count - 1].name = content
        case ["gpx", "rte", "name"]: routes[routes.count - 1].name = content
        case ["gpx", "trk", "trkseg", "trkpt"]: close { tracks[tracks.count - 1].append($0) }
        case ["gpx", "rte", "rtept"]: close { routes[routes.count - 1].append($0) }
        default:
            if path.last == "time" { point?.time = content }
            if path.last == "ele" { point?.elevation = content }
        }
    }

    private func close(_ append: (TrackDraft.Point) -> Void) {
        if let made = point?.made(reportingTo: &document) { append(made) }
        point = nil
    }

    private static func split(_ name: String) -> (prefix: String, local: String) {
        guard let colon = name.firstIndex(of: ":") else { return ("", name) }
        return (String(name[..<colon]), String(name[name.index(after: colon)...]))
    }
}

/// A point's text, before it is known to be one.
private struct PointDraft {
    let latitude: String?
    let longitude: String?
    let line: Int
    var time: String?
    var elevation: String?

    init(_ attributes: [String: String], line: Int) {
        latitude = attributes["lat"]
        longitude = attributes["lon"]
        self.line = line
    }

    /// The point; `nil` after saying what is wrong with it.
    func made(reportingTo document: inout GPXDocument) -> TrackDraft.Point? {
        guard let latitude else { return refuse(.missingLatitude, &document) }
        guard let longitude else { return refuse(.missingLongitude, &document) }
        guard let lat = Self.number(latitude), Coordinate.isLatitude(lat) else {
            return refuse(.badLatitude, &document)
        }
        guard let lng = Self.number(longitude), let place = Coordinate(latitude: lat, longitude: lng)
        else { return refuse(.badLongitude, &document) }
        var point = TrackDraft.Point(coordinate: place, line: line)
        if let elevation, !elevation.isEmpty {
            point.altitude = Self.number(elevation)
            if point.altitude == nil { document.report(.badElevation, line: line) }
        }
        if let time, !time.isEmpty {
            // GPX times are UTC; many loggers leave out the zone that says so.
            point.time = Timestamp(rfc3339: time) ?? Timestamp(rfc3339: time + "Z")
            if point.time == nil { document.report(.badTime, line: line) }
        }
        return point
    }

    private func refuse(_ kind: GPXIssue.Kind, _ document: inout GPXDocument) -> TrackDraft.Point? {
        document.report(kind, line: line)
        return nil
    }

    /// A decimal number; Swift alone would also take hexadecimal ones and `nan`.
    private static func number(_ text: String) -> Double? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard trimmed.utf8.allSatisfy({ "+-.eE0123456789".utf8.contains($0) }) else { return nil }
        return Double(trimmed).flatMap { $0.isFinite ? $0 : nil }
    }
}
