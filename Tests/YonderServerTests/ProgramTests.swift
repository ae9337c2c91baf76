import Foundation
import Testing
import YonderCurl
import YonderModel

@testable import YonderServer

@Suite(.serialized) struct ProgramTests {
    private let secret = String(decoding: TestServer.secret, as: UTF8.self)

    private func environment(_ server: TestServer, as user: String) -> [String: String] {
        ["YONDER_SERVER": server.base, "YONDER_TOKEN": server.token(user), "YONDER_CHANNEL": "team:x"]
    }

    /// The events of a watcher that printed JSON, one a line.
    private func events(_ text: String) throws -> [ServerEvent] {
        try text.split(separator: "\n").map { try WireJSON.decode(ServerEvent.self, from: Array($0.utf8)) }
    }

    /// Watches `team:x` as `bo` while `body` runs; gives what was seen.
    private func watching(_ server: TestServer, _ body: () async throws -> Void) async throws -> [ServerEvent]
    {
        let watcher = try Program(["watch", "--json"], environment: environment(server, as: "bo"))
        #expect(await eventually { watcher.written.contains("channel.state") })
        try await body()
        #expect(await eventually { watcher.written.contains("location.ended") })
        watcher.interrupt()
        let outcome = await watcher.finish()
        #expect(outcome.status == 0)
        return try events(outcome.output)
    }

    @Test func `a recorded hike is seen by a friend, to its last point and its end`() async throws {
        let data =
            ProcessInfo.processInfo.environment["YONDER_TEST_DATA"]
            ?? URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../shared/data").standardized
            .path
        let track = data + "/gpx/korita-zbevnica.gpx"
        let isThere = FileManager.default.fileExists(atPath: track)
        try #require(isThere || ProcessInfo.processInfo.environment["CI"] == nil, "no recordings in \(data)")
        guard isThere else { return print("skipped: no recordings; say where they are in YONDER_TEST_DATA") }
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let seen = try await watching(server) {
                let shared = try await Program.run(
                    [
                        "share", "--gpx", track, "--track", "3", "--speed", "2000", "--for", "30m",
                        "--stop-at-end",
                    ],
                    environment: environment(server, as: "anna"))
                #expect(shared.status == 0, "\(shared.errors)")
                #expect(shared.lines.last == "stopped at the track's end")
            }
            let updates = seen.compactMap {
                if case .locationUpdated(let update) = $0 { update } else { nil }
            }
            #expect(
                updates.last?.position.coordinate
                    == Coordinate(latitude: 45.461438103, longitude: 14.010044122))
            #expect(zip(updates, updates.dropFirst()).allSatisfy { $0.recordedAt < $1.recordedAt })
            guard case .locationEnded(let end)? = seen.last else {
                Issue.record("the last event is another")
                return
            }
            #expect(end.location.endedReason == .stopped)
            #expect(end.location.position.coordinate == updates.last?.position.coordinate)
        }
    }

    @Test func `a place is shared until Ctrl-C`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let seen = try await watching(server) {
                let share = try Program(
                    ["share", "--at", "60.17,24.94", "--for", "90s", "--text", "here"],
                    environment: environment(server, as: "anna"))
                #expect(await eventually { share.written.contains("sharing in team:x until") })
                share.interrupt()
                let outcome = await share.finish()
                #expect(outcome.status == 0 && outcome.lines.last == "stopped", "\(outcome.errors)")
            }
            let messages = seen.compactMap {
                if case .messageNew(let event) = $0 { event.message } else { nil }
            }
            #expect(messages.first?.text == "here" && messages.first?.sharedLocation?.isLive == true)
        }
    }

    @Test func `a text and a place are sent`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            for words in [["send", "on my way"], ["send", "--at", "-1.5,2"]] {
                let outcome = try await Program.run(words, environment: environment(server, as: "anna"))
                #expect(outcome.status == 0, "\(outcome.errors)")
            }
            let page = try await server.call("GET", "/v1/channels/team:x/messages", as: "anna")
            #expect(page.string("messages", "0", "text") == "on my way")
            #expect(page.number("messages", "1", "shared_location", "latitude") == -1.5)
        }
    }

    @Test func `a token that the command makes is taken by the server`() async throws {
        try await TestServer.run { server in
            let made = try await Program.run(
                ["token", "--user", "anna", "--for", "1h"], environment: ["YONDER_SECRET": secret])
            let token = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
            let me = try await server.call(
                "GET", "/v1/users/me", headers: [(name: "Authorization", value: "Bearer \(token)")])
            #expect(me.expect(200).string("id") == "anna")
        }
    }

    @Test func `a port that is taken, a folder that is none and a short secret are said in one line`()
        async throws
    {
        let file = NSTemporaryDirectory() + "yonder-file-\(UUID().uuidString)"
        try Data("x".utf8).write(to: URL(fileURLWithPath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let folder = NSTemporaryDirectory() + "yonder-data-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await TestServer.run { server in
            let port = server.base.split(separator: ":").last ?? ""
            let cases: [(words: [String], secret: String, hint: String)] = [
                (["--listen", "127.0.0.1:\(port)", "--data", folder], secret, "--listen"),
                (["--listen", "127.0.0.1:0", "--data", file], secret, file),
                (["--listen", "127.0.0.1:0", "--data", server.folder], secret, "another process"),
                (["--listen", "192.0.2.1:0", "--data", folder], secret, "192.0.2.1"),
                (["--listen", "127.0.0.1:0", "--data", folder], "short", "32"),
                (["--secret-file", "/nowhere"], secret, "/nowhere"),
                (["--web", folder, "--data", folder], secret, "index.html"),
            ]
            for (words, secret, hint) in cases {
                let outcome = try await Program.run(["serve"] + words, environment: ["YONDER_SECRET": secret])
                #expect(outcome.status == 1, "\(words)")
                #expect(outcome.errors.contains(hint), "\(outcome.errors)")
                #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
            }
        }
    }

    @Test(arguments: [
        (["serve", "--listen", "8080"], "--listen"), (["serve", "--listen", "a:b"], "--listen"),
        (["serve", "--public-url", "ftp://x"], "--public-url"), (["serve", "--port", "1"], "--port"),
        (["token"], "--user"), (["token", "--user", "a b"], "--user"),
        (["token", "--user", "a", "--for", "1x"], "--for"),
        (["share", "--gpx", "/nowhere.gpx"], "/nowhere.gpx"), (["dance"], "dance"),
    ])
    func `words that cannot be meant are said and end with 2`(words: [String], hint: String) async throws {
        let outcome = try await Program.run(
            words,
            environment: [
                "YONDER_SECRET": secret, "YONDER_SERVER": "http://127.0.0.1:9", "YONDER_CHANNEL": "team:x",
                "YONDER_TOKEN": "e30.eyJzdWIiOiJhIn0.x",
            ])
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
    }

    @Test func `a GPX file that cannot be read is said with its place`() async throws {
        let file = NSTemporaryDirectory() + "yonder-\(UUID().uuidString).gpx"
        try Data("<gpx>\n<trk><trkseg>\n<trkpt lat='1' lon='2'>\n</gpx>".utf8).write(
            to: URL(fileURLWithPath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let outcome = try await Program.run(
            ["share", "--gpx", file],
            environment: [
                "YONDER_SERVER": "http://127.0.0.1:9", "YONDER_CHANNEL": "team:x",
                "YONDER_TOKEN": "e30.eyJzdWIiOiJhIn0.x",
            ])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("line 4"), "\(outcome.errors)")
    }

    @Test func `a configuration file is checked key by key`() async throws {
        let file = NSTemporaryDirectory() + "yonder-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: file) }
        for (json, hint, status) in [
            (#"{"listen":"127.0.0.1:1"}"#, "fine: 127.0.0.1:1", 0), (#"{"lisen":"x"}"#, "/lisen", 1),
            (#"{"listen":8080}"#, "/listen", 1), (#"{"listen":"8080"}"#, "/listen", 2),
            ("[]", "JSON object", 1),
        ] as [(String, String, Int32)] {
            try Data(json.utf8).write(to: URL(fileURLWithPath: file))
            let outcome = try await Program.run(
                ["check", "--config", file], environment: ["YONDER_SECRET": secret])
            #expect(outcome.status == status, "\(outcome.errors)")
            #expect((outcome.output + outcome.errors).contains(hint), "\(outcome.errors)")
        }
    }
}
