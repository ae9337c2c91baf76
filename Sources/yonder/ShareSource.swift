import Foundation
import YonderLocation

/// What `yonder share` shares: a track that is replayed, a place, or what a receiver says.
struct ShareSource {
    enum Kind {
        case track(Track, speed: Double)
        case place(Coordinate)
        case receiver(Receiver)
    }

    static let options: [CommandDeclaration.Option] = [
        .init("--gpx", "FILE", "Replay a track of this file: GPX, an NMEA log or GeoJSON."),
        .init("--track", "K", "Which track, counted from 1. Default: the first with points."),
        .init("--speed", "N", "Replay N times faster. Default: 1."),
        .init("--at", "LAT,LON", "Stay at a place instead."),
        .init("--source", "SOURCE", "\(ReceiverOption.form)."),
    ]

    let kind: Kind
    /// What of the file was skipped, for people.
    let notes: [String]

    init(_ arguments: Arguments) throws(CommandFailure) {
        let place = try arguments.value("--at", expected: Values.placeForm, Values.place)
        let speed = try arguments.value("--speed", expected: Values.speedForm, Values.speed)
        let number = try arguments.value("--track", expected: Values.countForm, Values.count)
        var file = arguments.value("--gpx")
        var receiver: Receiver?
        if let source = try arguments.value("--source", expected: ReceiverOption.form, ReceiverOption.init) {
            switch source {
            case .track(let path) where file == nil: file = path
            case .track: throw .wrong("--source", expected: "no --gpx beside it")
            case .receiver(let named): receiver = named
            }
        }
        switch (file, place) {
        case (nil, nil) where receiver != nil:
            try Self.refuseTrackOptions(arguments)
            kind = .receiver(receiver!)
            notes = []
        case (let path?, nil) where receiver == nil:
            let document = try Self.read(path)
            let track = try Self.track(number, of: document, path)
            kind = .track(track, speed: speed ?? 1)
            notes = Self.notes(on: document, path)
        case (nil, let place?) where receiver == nil:
            try Self.refuseTrackOptions(arguments)
            kind = .place(place)
            notes = []
        default:
            throw CommandFailure(
                status: 2, message: "expected one of --gpx FILE, --at LAT,LON and --source SOURCE")
        }
    }

    private static func refuseTrackOptions(_ arguments: Arguments) throws(CommandFailure) {
        for option in ["--track", "--speed"] where arguments.isGiven(option) {
            throw .wrong(option, expected: "--gpx FILE beside it")
        }
        if arguments.flag("--stop-at-end") {
            throw .wrong("--stop-at-end", expected: "--gpx FILE beside it")
        }
    }

    /// Where it begins; `nil` = a receiver says.
    var start: Coordinate? {
        switch kind {
        case .place(let place): place
        case .track(let track, _): track.segments.first { !$0.points.isEmpty }!.points[0].coordinate
        case .receiver: nil
        }
    }

    /// The first position: a receiver is asked, and may need a while.
    func firstLocation(
        as command: String, goal: String, _ interrupts: Interrupts
    ) async throws(CommandFailure) -> LocationInfo {
        if let start { return LocationInfo(start) }
        guard case .receiver(let receiver) = kind else { preconditionFailure("only a receiver has no start") }
        let words = Receiver.Words(
            command: command, wanted: "a first location", goal: goal, replay: { "--gpx \($0)" })
        return LocationInfo(try await receiver.location(within: .seconds(60), words, interrupts))
    }

    private static func read(_ path: String) throws(CommandFailure) -> GPXDocument {
        do {
            return try TrackReader.read(contentsOf: URL(filePath: path))
        } catch {
            throw CommandFailure(status: 2, message: "--gpx: \(path): \(error)")
        }
    }

    private static func track(
        _ number: Int?, of document: GPXDocument, _ path: String
    ) throws(CommandFailure) -> Track {
        guard let number else {
            guard let track = document.tracks.first(where: { $0.pointCount > 0 }) else {
                throw CommandFailure(status: 2, message: "--gpx: \(path): there is no track with points")
            }
            return track
        }
        guard number <= document.tracks.count else {
            let count = document.tracks.count
            throw .wrong("--track", expected: count == 0 ? "a file with tracks" : "1 to \(count) for \(path)")
        }
        let track = document.tracks[number - 1]
        guard track.pointCount > 0 else {
            throw .wrong("--track", expected: "a track with points: number \(number) has none")
        }
        return track
    }

    private static func notes(on document: GPXDocument, _ path: String) -> [String] {
        let listed = 20
        var notes = document.issues.prefix(listed).map { "\(path): \($0)" }
        let more = document.issues.count - notes.count + document.unlistedIssues
        if more > 0 { notes.append("\(path): \(more) more were skipped") }
        return notes
    }
}
