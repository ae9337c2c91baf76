import Foundation
import Testing
import YonderLocation

/// Real files, from `YONDER_TEST_DATA` or a folder beside the package.
enum TestData {
    private static let root =
        ProcessInfo.processInfo.environment["YONDER_TEST_DATA"]
        .map { URL(filePath: $0, directoryHint: .isDirectory) }
        ?? URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/data")

    /// A file by its path in the folder; `nil` where it is missing, which is said.
    static func url(_ path: String) -> URL? {
        let file = root.appending(path: path).standardizedFileURL
        if FileManager.default.fileExists(atPath: file.path()) { return file }
        if ProcessInfo.processInfo.environment["CI"] == "true" {
            Issue.record("\(path) is missing; set YONDER_TEST_DATA")
        }
        print("skipped: \(path) is missing")
        return nil
    }

    /// The numbers that every implementation has to agree on.
    static var vectors: URL? { url("../vectors.json") }

    /// Receivers' recordings, each with gpsd's reading of it beside.
    static let nmea = [
        "april6_2019", "bn-9015", "com-1289", "eXplorist210", "firefly-II", "garmin-10x", "garmin17n",
        "garmin48",
        "geos-1m", "magellan-ec10", "myguide-3100", "tn200-all", "tn204", "venus634lp",
    ]

    /// Runs a test on a real file; says so and goes on where there is none.
    static func withGPX(_ name: String, _ body: (GPXDocument) throws -> Void) throws {
        guard let file = url("gpx/\(name)") else { return }
        try body(try GPXReader.read(contentsOf: file))
    }
}

func gpx(_ body: String) throws -> GPXDocument {
    try GPXReader.read(Data("<gpx version='1.1'>\(body)</gpx>".utf8))
}

func track(_ segments: [[(Double, Double, Double?)]]) -> Track {
    Track(
        segments: segments.map { points in
            Track.Segment(
                points: points.map { latitude, longitude, seconds in
                    Track.Point(
                        coordinate: Coordinate(latitude: latitude, longitude: longitude)!,
                        time: seconds.map { Date(timeIntervalSince1970: 1_700_000_000 + $0) })
                })
        })
}
