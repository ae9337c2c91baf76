import Foundation
import YonderGeo
import YonderLocation

/// A track of a user's, as GPX, NMEA or GeoJSON: it is read with times that go on, or refused with a place.
func fuzzGPX(_ input: [UInt8]) throws(BrokenPromise) {
    let document: GPXDocument
    do {
        document = try TrackReader.read(Data(input))
    } catch {
        // JSON does not say where it breaks.
        if error.code == .noTrack || error.line == nil && input.contains(UInt8(ascii: "{")) { return }
        let hasPlace = error.line ?? 0 >= 1 && error.column ?? 1 >= 1
        return try check(
            error.code == .malformedTrack && hasPlace, "a file that is no GPX has a place for it")
    }
    try check(document.issues.count <= GPXDocument.maxIssues, "the list of issues is bounded")
    for track in document.tracks {
        let points = track.segments.flatMap(\.points)
        let times = points.compactMap(\.time)
        try check(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, "times go on")
        try checkReplay(of: track, points)
    }
}

/// Every entry of a replay comes after the one before. Long walks are left out: they only take long.
private func checkReplay(of track: Track, _ points: [Track.Point]) throws(BrokenPromise) {
    let way = zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.coordinate.distance(to: $1.1.coordinate) }
    guard points.contains(where: { $0.time != nil }) || way < 10_000 else { return }
    let entries = ReplaySchedule(track).entries
    let isInOrder = zip(entries, entries.dropFirst()).allSatisfy { $0.milliseconds < $1.milliseconds }
    try check(isInOrder, "a replay goes on")
    try check(entries.isEmpty == points.isEmpty, "a track with points can be replayed")
}
