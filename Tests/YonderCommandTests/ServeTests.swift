import Foundation
import Testing

/// `serve`, `token` and `check` as processes: what is wrong is said in one line.
struct ServeTests {
    private static let secret = "a secret of at least thirty-two bytes"
    private static let nobody = [
        "YONDER_SECRET": secret, "YONDER_SERVER": "http://127.0.0.1:9", "YONDER_CHANNEL": "team:x",
        "YONDER_TOKEN": "e30.eyJzdWIiOiJhIn0.x",
    ]

    /// A path in the temporary folder, for as long as `body` runs.
    private func withPath<T>(_ name: String, _ body: (String) async throws -> T) async rethrows -> T {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)-\(name)")
            .path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await body(path)
    }

    @Test func `a port that is taken and a folder that is in use end the start`() async throws {
        try await Place.run { place in
            let port = place.base.split(separator: ":").last ?? ""
            try await withPath("data") { folder in
                for (words, hint) in [
                    (["--listen", "127.0.0.1:\(port)", "--data", folder], "--listen"),
                    (["--listen", "192.0.2.1:0", "--data", folder], "192.0.2.1"),
                    (
                        ["--listen", "127.0.0.1:0", "--data", place.folder.appending(path: "data").path()],
                        "another"
                    ),
                ] { try await refuses(["serve"] + words, status: 1, hint: hint) }
            }
        }
    }

    @Test func `a folder that is a file, a short secret and missing files end the start`() async throws {
        try await withPath("file") { file in
            try Data("x".utf8).write(to: URL(filePath: file))
            try await refuses(["serve", "--listen", "127.0.0.1:0", "--data", file], status: 1, hint: file)
            try await refuses(["serve", "--secret-file", file], status: 1, hint: "needs 32")
            try await refuses(["serve", "--secret-file", file + "x"], status: 1, hint: "cannot be read")
            try await refuses(["serve", "--web", file], status: 1, hint: "index.html")
        }
        try await refuses(["serve"], status: 1, hint: "needs 32", environment: ["YONDER_SECRET": "short"])
        try await refuses(["serve"], status: 1, hint: "no secret", environment: [:])
    }

    @Test(arguments: [
        (["serve", "--listen", "8080"], "--listen"), (["serve", "--listen", "a:b"], "--listen"),
        (["serve", "--proxy", "nginx"], "--proxy"),
        (["serve", "--proxy", "::1", "--proxy", "0.0.0.0/0"], "--proxy"),
        (["serve", "--public-url", "ftp://x"], "--public-url"), (["serve", "--port", "1"], "--port"),
        (["token"], "--user"), (["token", "--user", "a b"], "--user"),
        (["token", "--user", "a", "--for", "1x"], "--for"),
        (["token", "--user", "a", "--role", "king"], "--role"),
        (["share", "--gpx", "/nowhere.gpx"], "/nowhere.gpx"), (["dance"], "dance"),
    ])
    func `words that cannot be meant end with 2`(words: [String], hint: String) async throws {
        try await refuses(words, status: 2, hint: hint)
    }

    @Test func `a GPX file that breaks off is said with its line`() async throws {
        try await withPath("way.gpx") { file in
            try Data("<gpx>\n<trk><trkseg>\n<trkpt lat='1' lon='2'>\n</gpx>".utf8).write(
                to: URL(filePath: file))
            try await refuses(["share", "--gpx", file], status: 2, hint: "line 4")
        }
    }

    @Test func `a configuration file is checked key by key`() async throws {
        try await withPath("yonder.json") { file in
            for (json, hint, status) in [
                (#"{"lisen":"x"}"#, "/lisen", 1), (#"{"listen":8080}"#, "/listen", 1),
                (#"{"listen":"8080"}"#, "/listen", 2),
                (#"{"proxy":"10.0.0.1/8"}"#, "/proxy", 2), ("[]", "JSON object", 1),
            ] as [(String, String, Int32)] {
                try Data(json.utf8).write(to: URL(filePath: file))
                try await refuses(["check", "--config", file], status: status, hint: hint)
            }
            try Data(#"{"listen":"127.0.0.1:1","proxy":"127.0.0.1, fd00::/8"}"#.utf8).write(
                to: URL(filePath: file))
            let check = try Program(["check", "--config", file], environment: Self.nobody)
            #expect(try await check.status() == 0)
            try await check.waits(for: "fine: 127.0.0.1:1")
        }
    }

    private func refuses(
        _ words: [String], status: Int32, hint: String, environment: [String: String] = nobody,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let program = try Program(words, environment: environment)
        #expect(try await program.status() == status, "\(words)", sourceLocation: sourceLocation)
        let text = program.problemText
        #expect(text.contains(hint), "\(text)", sourceLocation: sourceLocation)
        #expect(text.split(separator: "\n").count == 1, "\(text)", sourceLocation: sourceLocation)
    }
}
