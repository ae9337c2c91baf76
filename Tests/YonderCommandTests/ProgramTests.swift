import Foundation
import Testing

/// The commands as processes, against a real server.
struct ProgramTests {
    private static let gpx = """
        <gpx><trk><trkseg>
        <trkpt lat="60.1" lon="24.9"><time>2020-01-01T00:00:00Z</time></trkpt>
        <trkpt lat="91" lon="24.9"><time>2020-01-01T00:00:10Z</time></trkpt>
        <trkpt lat="60.2" lon="24.9"><time>2020-01-01T00:10:00Z</time></trkpt>
        <trkpt lat="60.3" lon="25.1"><time>2020-01-01T00:10:01Z</time></trkpt>
        </trkseg></trk></gpx>
        """

    private func events(_ watch: Program) -> [[String: Any]] {
        watch.lines.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    }

    @Test func `a replayed track ends with its last point and is seen by who watches`() async throws {
        try await Place.run { place in
            let watch = try Program(["watch", "--json"], environment: place.environment(place.bob))
            try await watch.waits(for: "channel.state")
            let file = place.folder.appending(path: "way.gpx")
            try Data(Self.gpx.utf8).write(to: file)
            let share = try Program(
                [
                    "share", "--gpx", file.path(), "--speed", "600", "--for", "5m", "--stop-at-end", "--text",
                    "hi",
                ],
                environment: place.environment(place.anna))
            #expect(try await share.status() == 0)
            try await share.waits(for: "stopped at the track's end")
            #expect(share.problemText.contains("line 3: point with a latitude"))
            try await watch.waits(for: "location.ended")
            let seen = events(watch)
            #expect(seen.count == watch.lines.count)
            let ended = try #require(seen.last { $0["event"] as? String == "location.ended" })
            let location = try #require(ended["location"] as? [String: Any])
            #expect(location["latitude"] as? Double == 60.3 && location["longitude"] as? Double == 25.1)
            #expect(location["ended_reason"] as? String == "stopped")
            watch.send(SIGTERM)
            #expect(try await watch.status() == 0)
        }
    }

    /// The third track of a real hike: its 176th and last point is the last that a friend sees.
    @Test func `a recorded hike is followed to its last point and never back`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let data = environment["YONDER_TEST_DATA"] ?? "../shared/data"
        let file = data + "/gpx/korita-zbevnica.gpx"
        guard FileManager.default.fileExists(atPath: file) else {
            if environment["CI"] == "true" { Issue.record("no recordings; set YONDER_TEST_DATA") }
            return print("skipped: no recordings in \(data)")
        }
        try await Place.run { place in
            let watch = try Program(["watch", "--json"], environment: place.environment(place.bob))
            try await watch.waits(for: "channel.state")
            let share = try Program(
                ["share", "--gpx", file, "--track", "3", "--speed", "1000", "--for", "30m", "--stop-at-end"],
                environment: place.environment(place.anna))
            #expect(try await share.status() == 0)
            try await watch.waits(for: "location.ended")
            let updates = events(watch).filter { $0["event"] as? String == "location.updated" }
            #expect(updates.last?["latitude"] as? Double == 45.461438103)
            #expect(updates.last?["longitude"] as? Double == 14.010044122)
            let times = updates.compactMap { $0["recorded_at"] as? String }
            #expect(times.count > 2 && times == times.sorted() && Set(times).count == times.count)
        }
    }

    @Test func `interrupting a share stops it on the server`() async throws {
        try await Place.run { place in
            let share = try Program(["share", "--at", "1,2"], environment: place.environment(place.anna))
            try await share.waits(for: "sharing in messaging:berlin until ")
            share.send(SIGINT)
            #expect(try await share.status() == 0)
            let channel = try await place.call("GET", "/v1/channels/messaging:berlin", place.anna)
            #expect((channel["active_live_locations"] as? [Any])?.isEmpty == true)
        }
    }

    @Test func `a share that is stopped elsewhere is over and says why`() async throws {
        try await Place.run { place in
            let share = try Program(["share", "--at", "1,2"], environment: place.environment(place.anna))
            try await share.waits(for: "sharing in ")
            let other = try Program(["share", "--at", "3,4"], environment: place.environment(place.anna))
            try await other.waits(for: "sharing in ")
            #expect(try await share.status() == 0)
            try await share.waits(for: "another share has replaced it")
            let mine = try await place.call("GET", "/v1/live-locations", place.anna)
            let id = try #require(
                (mine["active_live_locations"] as? [[String: Any]])?.first?["message_id"] as? String)
            _ = try await place.call("DELETE", "/v1/messages/\(id)/live-location", place.anna)
            #expect(try await other.status() == 0)
            try await other.waits(for: "it was stopped")
        }
    }

    @Test func `a text and a place are read by who watches`() async throws {
        try await Place.run { place in
            let watch = try Program(["watch"], environment: place.environment(place.bob))
            try await watch.waits(for: "0 live locations")
            for words in [["send", "good morning"], ["send", "--at", "-33.9,151.2"]] {
                let send = try Program(words, environment: place.environment(place.anna))
                #expect(try await send.status() == 0)
            }
            try await watch.waits(for: "anna: (location) -33.9,151.2")
            #expect(watch.text.contains("anna: good morning"))
            let stranger = try Program(
                ["watch", "--channel", "messaging:nowhere"], environment: place.environment(place.bob))
            #expect(try await stranger.status() == 1)
            #expect(stranger.problemText.hasPrefix("yonder watch: cannot watch messaging:nowhere"))
            watch.send(SIGINT)
            #expect(try await watch.status() == 0)
        }
    }

    @Test func `who watches reads names, and where a share begins and ends`() async throws {
        try await Place.run { place in
            for (token, name) in [(place.anna, "Anna A."), (place.bob, "Bob B.")] {
                _ = try await place.call("PATCH", "/v1/users/me", token, ##"{"name":"\##(name)"}"##)
            }
            let watch = try Program(["watch"], environment: place.environment(place.bob))
            try await watch.waits(for: "0 live locations")
            let mine = try Program(["watch"], environment: place.environment(place.anna))
            try await mine.waits(for: "0 live locations")
            let file = place.folder.appending(path: "way.gpx")
            try Data(Self.gpx.utf8).write(to: file)
            let share = try Program(
                ["share", "--gpx", file.path(), "--speed", "600", "--for", "5m", "--stop-at-end"],
                environment: place.environment(place.anna))
            #expect(try await share.status() == 0)
            // The last position may be told by the end alone: a newer event takes an older position's place.
            try await watch.waits(for: "Anna A.'s live location is over: stopped, at 60.3,25.1\n")
            try await watch.waits(for: "Anna A. shares a live location until ")
            try await watch.waits(for: ", from 60.1,24.9\n")
            #expect(!watch.text.contains("anna") && !watch.text.contains(" watch"))
            try await mine.waits(for: "1 viewer watches your live location\n")
            let second = try Program(["share", "--at", "1,2"], environment: place.environment(place.anna))
            try await second.waits(for: "sharing in ")
            let late = try Program(["watch"], environment: place.environment(place.bob))
            try await late.waits(for: "messaging:berlin: 1 live location: Anna A. at 1,2\n")
            second.send(SIGINT)
            #expect(try await second.status() == 0)
            for program in [watch, mine, late] {
                program.send(SIGINT)
                #expect(try await program.status() == 0)
            }
        }
    }

    @Test func `an invite is printed as a link, by which one joins`() async throws {
        try await Place.run { place in
            let invite = try Program(["invite", "--uses", "2"], environment: place.environment(place.anna))
            #expect(try await invite.status() == 0)
            let link = invite.text.trimmingCharacters(in: .whitespacesAndNewlines)
            let parts = link.split(separator: "#")
            #expect(parts.count == 2 && parts[0].hasSuffix("/join") && parts[1].count == 27)
            let refused = try Program(["invite"], environment: place.environment(place.bob))
            #expect(try await refused.status() == 1)
            #expect(refused.problemText.hasPrefix("yonder invite: cannot invite: "))
        }
    }

    @Test func `an export is saved in a file that nobody else reads, and never over another`() async throws {
        try await Place.run { place in
            let file = place.folder.appending(path: "mine.zip").path()
            let words = ["export", "--output", file]
            let export = try Program(words, environment: place.environment(place.anna))
            #expect(try await export.status() == 0)
            #expect(export.text.hasPrefix("saved "))
            let bytes = try #require(FileManager.default.contents(atPath: file))
            #expect(bytes.starts(with: Data("PK".utf8)))
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let again = try Program(words, environment: place.environment(place.anna))
            #expect(try await again.status() == 2)
            #expect(again.problemText.hasPrefix("yonder export: --output: expected a file that is not there"))
        }
    }

    @Test func `watching goes on when the server comes back`() async throws {
        try await Place.run { place in
            let watch = try Program(["watch"], environment: place.environment(place.bob))
            try await watch.waits(for: "0 live locations")
            place.server.send(SIGKILL)
            #expect(try await place.server.status() == -1)
            let again = try Place.serve(in: place.folder, at: String(place.base.dropFirst("http://".count)))
            defer { again.send(SIGKILL) }
            // What came before it was back is the server's to replay, or to call lost.
            try await watch.waits(for: "0 live locations", times: 2)
            let send = try Program(["send", "good morning"], environment: place.environment(place.anna))
            #expect(try await send.status() == 0)
            try await watch.waits(for: "anna: good morning")
            #expect(
                watch.problemText
                    == "yonder watch: connection lost, reconnecting\nyonder watch: connected again\n")
            watch.send(SIGTERM)
            #expect(try await watch.status() == 0)
        }
    }

    @Test func `a share goes on when nobody reads its output`() async throws {
        try await Place.run { place in
            let share = try Program(
                ["share", "--at", "1,2"], environment: place.environment(place.anna), readsOutput: false)
            var shares: [Any] = []
            let deadline = ContinuousClock.now + .seconds(10)
            while shares.isEmpty, ContinuousClock.now < deadline {
                let mine = try await place.call("GET", "/v1/live-locations", place.anna)
                shares = mine["active_live_locations"] as? [Any] ?? []
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(shares.count == 1)
            share.send(SIGINT)
            #expect(try await share.status() == 0)
            let mine = try await place.call("GET", "/v1/live-locations", place.anna)
            #expect((mine["active_live_locations"] as? [Any])?.isEmpty == true)
        }
    }
}
