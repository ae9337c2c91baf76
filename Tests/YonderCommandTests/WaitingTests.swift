import Foundation
import Glibc
import Testing
import YonderTestSupport

/// What `where` and `share` say while no receiver has told anything yet, and where none ever will.
struct WaitingTests {
    /// A recording as receivers make it, of years ago.
    private static let recording = ["120000", "120001", "120002"].map { time in
        let body = "GPRMC,\(time),A,4807.038,N,01131.000,E,010.0,084.4,230322,003.1,W"
        return "$\(body)*\(String(body.utf8.reduce(0, ^), radix: 16, uppercase: true))\r\n"
    }.joined()

    /// Runs `body` with the path of such a recording.
    private static func withRecording(_ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).nmea")
        try Data(recording.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path())
    }

    private static func waits(for part: String, of program: Program) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while !program.problemText.contains(part) {
            try #require(ContinuousClock.now < deadline, "no '\(part)' in: \(program.problemText)")
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    @Test func `a share that waits for its receiver says so and is interrupted at once`() async throws {
        let port = try LoopbackPort.free()
        try await Place.run { place in
            let share = try Program(
                ["share", "--source", "gpsd:127.0.0.1:\(port)"], environment: place.environment(place.anna))
            let wait =
                "yonder share: waiting for a first location from gpsd at 127.0.0.1:\(port): "
                + "gpsd does not answer on port \(port)\n"
            try await Self.waits(for: wait, of: share)
            let start = ContinuousClock.now
            share.send(SIGINT)
            #expect(try await share.status() == 1)
            #expect(start.duration(to: .now) < .seconds(5))
            #expect(share.problemText == wait + "yonder share: interrupted before the share began\n")
            let channel = try await place.call("GET", "/v1/channels/messaging:berlin/messages", place.anna)
            #expect((channel["messages"] as? [Any])?.isEmpty == true)
        }
    }

    @Test func `where says what it waits for and that it was interrupted`() async throws {
        let receiver = try PretendReceiver()
        let asking = try Program(["where", "--source", "nmea:\(receiver.path)"])
        let wait = "yonder where: waiting for a location from the receiver at \(receiver.path)\n"
        try await Self.waits(for: wait, of: asking)
        asking.send(SIGINT)
        #expect(try await asking.status() == 1)
        #expect(asking.problemText == wait + "yonder where: interrupted before there was a location\n")
        #expect(asking.text.isEmpty)
    }

    @Test func `a recording in a receiver's place is called one, with what replays it`() async throws {
        try await Self.withRecording { path in
            let reason = "there is no location: the newest one is of 2022-03-23T12:00:02Z, too long ago"
            let asking = try Program(["where", "--source", "nmea:\(path)"])
            #expect(try await asking.status() == 1)
            #expect(
                asking.problemText
                    == "yonder where: \(reason); \(path) is a recording, "
                    + "which `yonder share --gpx \(path)` replays\n")
            try await Place.run { place in
                let refused = try Program(
                    ["share", "--source", "nmea:\(path)"], environment: place.environment(place.anna))
                #expect(try await refused.status() == 1)
                #expect(
                    refused.problemText
                        == "yonder share: \(reason); \(path) is a recording, which --gpx \(path) replays\n")
                let share = try Program(
                    ["share", "--gpx", path, "--for", "5m", "--stop-at-end"],
                    environment: place.environment(place.anna))
                #expect(try await share.status() == 0)
                #expect(share.text.hasSuffix("stopped at the track's end\n"))
            }
        }
    }

    /// Nobody can come back to a pipe without a name, as a shell's, whose writer has ended.
    @Test(arguments: [
        ("printf ''", "it has ended and has not said where it is"),
        ("cat '%'", "the newest one is of 2022-03-23T12:00:02Z, too long ago"),
    ])
    func `a pipe at its end is not waited for`(_ writer: String, _ reason: String) async throws {
        try await Self.withRecording { path in
            let command =
                "\(writer.replacing("%", with: path)) | '\(ChildProcess.yonder.path())' where --source nmea:/dev/stdin"
            let start = ContinuousClock.now
            let shell = try ChildProcess(URL(filePath: "/bin/sh"), ["-c", command], environment: [:])
            #expect(await shell.status() == 1)
            #expect(start.duration(to: .now) < .seconds(5))
            #expect(shell.problemText == "yonder where: there is no location: \(reason)\n")
        }
    }

    @Test func `a share says when its receiver has ended, and goes on`() async throws {
        try await Place.run { place in
            var receiver: PretendReceiver? = try PretendReceiver()
            let path = try #require(receiver?.path)
            let command =
                "exec '\(ChildProcess.yonder.path())' share --source nmea:/dev/stdin < <(exec cat '\(path)' 2>&-)"
            let share = try ChildProcess(
                URL(filePath: "/bin/bash"), ["-c", command], environment: place.environment(place.anna))
            let deadline = ContinuousClock.now + .seconds(20)
            while !share.text.hasPrefix("sharing in ") {
                try #require(ContinuousClock.now < deadline, "\(share.problemText)")
                receiver?.say((60, 25), at: .now)
                try await Task.sleep(for: .milliseconds(400))
            }
            receiver = nil
            let words = "yonder share: the receiver has ended; no more locations come from it\n"
            while share.problemText != words {
                try #require(ContinuousClock.now < deadline, "\(share.problemText)")
                try await Task.sleep(for: .milliseconds(10))
            }
            share.send(SIGINT)
            #expect(await share.status() == 0)
            #expect(share.text.hasSuffix("stopped\n"))
        }
    }
}
