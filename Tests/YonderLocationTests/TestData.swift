import Foundation
import Testing
import YonderLocation

/// Real files, from `YONDER_TEST_DATA` or a folder beside the package.
enum TestData {
    private static func file(_ name: String) throws -> URL {
        let environment = ProcessInfo.processInfo.environment
        let root =
            environment["YONDER_TEST_DATA"].map { URL(filePath: $0, directoryHint: .isDirectory) }
            ?? URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/data")
        let file = root.appending(path: "gpx").appending(path: name)
        if FileManager.default.fileExists(atPath: file.path()) { return file }
        if environment["CI"] == "true" { Issue.record("\(name) is missing; set YONDER_TEST_DATA") }
        throw Missing()
    }

    struct Missing: Error {}

    /// Runs a test on a real file; says so and goes on where there is none.
    static func withGPX(_ name: String, _ body: (GPXDocument) throws -> Void) throws {
        do {
            let file = try file(name)
            try body(try GPXReader.read(contentsOf: file))
        } catch is Missing {
            print("skipped: \(name) is missing")
        }
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
