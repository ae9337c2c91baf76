import Foundation
import Testing
import YonderCurl
import YonderTestSupport

/// Ctrl-C at every moment, and what is missed meanwhile: the commands as processes.
struct InterruptionTests {
    private static let gpx = """
        <gpx><trk><trkseg>
        <trkpt lat="60.1" lon="24.9"><time>2020-01-01T00:00:00Z</time></trkpt>
        <trkpt lat="60.2" lon="24.9"><time>2020-01-01T00:00:01Z</time></trkpt>
        </trkseg></trk></gpx>
        """

    @Test(arguments: [["share", "--at", "1,2"], ["watch"]])
    func `an interruption while it connects ends the command at once`(_ words: [String]) async throws {
        let silent = SilentListener()
        let program = try Program(
            words,
            environment: [
                "YONDER_SERVER": "http://127.0.0.1:\(silent.port)", "YONDER_CHANNEL": "messaging:berlin",
                "YONDER_TOKEN": "e30.eyJzdWIiOiJhbm5hIn0.x",
            ])
        // Until it listens for signals nothing tells; one that comes earlier ends it just as well.
        try await Task.sleep(for: .milliseconds(500))
        let start = ContinuousClock.now
        program.send(SIGINT)
        let status = try await program.status()
        #expect(start.duration(to: .now) < .seconds(5))
        #expect(status == (words[0] == "watch" ? 0 : 1))
        if words[0] == "share" {
            #expect(program.problemText == "yonder share: interrupted before the share began\n")
        }
    }

    @Test func `a share that is interrupted while it begins is stopped and never left on`() async throws {
        try await Place.run { place in
            let port = try #require(place.base.split(separator: ":").last.flatMap { UInt16($0) })
            let proxy = HoldingProxy(to: port, holding: "POST /v1/channels")
            defer {
                proxy.release()
                proxy.listener.stop()
            }
            var environment = place.environment(place.anna)
            environment["YONDER_SERVER"] = "http://127.0.0.1:\(proxy.listener.port)"
            let share = try Program(["share", "--at", "1,2"], environment: environment)
            let deadline = ContinuousClock.now + .seconds(20)
            while !proxy.isHolding {
                try #require(ContinuousClock.now < deadline, "\(share.problemText)")
                try await Task.sleep(for: .milliseconds(10))
            }
            share.send(SIGINT)
            try await Task.sleep(for: .milliseconds(200))
            proxy.release()
            #expect(try await share.status() == 0)
            #expect(share.text.hasSuffix("stopped\n"))
            let channel = try await place.call("GET", "/v1/channels/messaging:berlin", place.anna)
            #expect((channel["active_live_locations"] as? [Any])?.isEmpty == true)
        }
    }

    @Test func `a doubled signal stops a share like a single one`() async throws {
        try await Place.run { place in
            for signals in [[SIGTERM, SIGTERM], [SIGINT, SIGTERM, SIGINT]] {
                let share = try Program(["share", "--at", "1,2"], environment: place.environment(place.anna))
                try await share.waits(for: "sharing in ")
                for signal in signals { share.send(signal) }
                #expect(try await share.status() == 0)
                #expect(share.text.hasSuffix("stopped\n"))
                let channel = try await place.call("GET", "/v1/channels/messaging:berlin", place.anna)
                #expect((channel["active_live_locations"] as? [Any])?.isEmpty == true)
            }
        }
    }

    @Test func `a second interruption leaves at once and says that the share goes on`() async throws {
        try await Place.run { place in
            let share = try Program(["share", "--at", "1,2"], environment: place.environment(place.anna))
            try await share.waits(for: "sharing in ")
            place.server.send(SIGSTOP)  // a stop is not answered
            defer { place.server.send(SIGCONT) }
            try await Task.sleep(for: .milliseconds(200))  // until all of its threads stand still
            share.send(SIGINT)
            try await Task.sleep(for: .milliseconds(1_200))
            share.send(SIGINT)
            #expect(try await share.status() == 128 + SIGINT)
            #expect(
                share.problemText
                    == "yonder share: left at once; a share that has begun goes on to its end\n")
        }
    }

    @Test func `a share whose server is away can be interrupted at the track's end`() async throws {
        try await Place.run { place in
            let file = place.folder.appending(path: "way.gpx")
            try Data(Self.gpx.utf8).write(to: file)
            let share = try Program(
                ["share", "--gpx", file.path(), "--for", "5m", "--stop-at-end"],
                environment: place.environment(place.anna))
            try await share.waits(for: "sharing in ")
            place.server.send(SIGKILL)
            #expect(try await place.server.status() == -1)
            try await Task.sleep(for: .milliseconds(1_500))  // the track's end
            let start = ContinuousClock.now
            share.send(SIGINT)
            #expect(try await share.status() == 1)
            #expect(start.duration(to: .now) < .seconds(10))
            #expect(share.problemText.contains("cannot stop the share"))
        }
    }

    /// More than the server replays is lost for the events, but not for who watches.
    @Test(arguments: [3, 1_005])
    func `messages sent while nobody could watch are shown once and in order`(_ count: Int) async throws {
        try await Place.run { place in
            let watch = try Program(["watch"], environment: place.environment(place.bob))
            try await watch.waits(for: "0 live locations")
            let http = CurlHTTP()
            func send(_ text: String) async throws {
                let answer = try await http.perform(
                    CurlRequest(
                        method: "POST", url: place.base + "/v1/channels/messaging:berlin/messages",
                        headers: [
                            ("Authorization", "Bearer \(place.anna)"), ("Content-Type", "application/json"),
                        ], body: Array(#"{"text":"\#(text)"}"#.utf8)))
                try #require(answer.status == 201)
            }
            try await send("before.")
            try await watch.waits(for: "before.")
            watch.send(SIGSTOP)
            let again = try await place.restart()
            defer { again.send(SIGKILL) }
            for number in 1...count { try await send("n\(number).") }
            watch.send(SIGCONT)
            try await watch.waits(for: "n\(count).", in: 60)
            try await send("after.")
            try await watch.waits(for: "after.")
            let seen = watch.lines.compactMap { line in
                line.hasSuffix(".") ? line.split(separator: " ").last.map(String.init) : nil
            }
            #expect(seen == ["before."] + (1...count).map { "n\($0)." } + ["after."])
            watch.send(SIGTERM)
            #expect(try await watch.status() == 0)
        }
    }
}
