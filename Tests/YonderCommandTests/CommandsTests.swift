import Foundation
import Testing
import YonderLocation

@testable import yonder

struct CommandsTests {
    private static let token = "e30.eyJzdWIiOiJhbm5hIn0.x"
    private static let environment = [
        "YONDER_SERVER": "http://127.0.0.1:1", "YONDER_TOKEN": token, "YONDER_CHANNEL": "messaging:berlin",
    ]

    private static func failure(
        _ command: any Command.Type, _ words: [String], _ environment: [String: String] = environment
    ) -> CommandFailure? {
        do throws(CommandFailure) {
            _ = try command.init(Arguments(words, of: command.declaration, environment: environment))
            return nil
        } catch {
            return error
        }
    }

    /// A file of the test's own that is gone afterwards.
    private static func withFile(_ text: String, _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file.path())
    }

    private static let gpx = """
        <gpx><trk/><trk><trkseg><trkpt lat="1" lon="2"/><trkpt lat="99" lon="2"/>
        <trkpt lat="1" lon="3"/></trkseg></trk></gpx>
        """

    @Test(
        arguments: [
            (["--at", "1,2"], nil), (["--at", "1,2", "--for", "30m", "--text", "hi"], nil),
            ([], "expected one of"),
            (["--at", "1,2", "--gpx", "x"], "expected one of"), (["--at", "1"], "--at: expected"),
            (["--at", "1,2", "--for", "soon"], "--for: expected a duration"),
            (["--at", "1,2", "--speed", "2"], "--speed: expected --gpx"),
            (["--at", "1,2", "--stop-at-end"], "--stop-at-end: expected --gpx"),
            (["--gpx", "/nowhere.gpx"], "--gpx: /nowhere.gpx: there is no such file"),
            (["--gpx", "x", "--speed", "0"], "--speed: expected a number over 0"),
            (["--gpx", "x", "--track", "0"], "--track: expected a whole number"),
            (["--at", "1,2", "word"], "unexpected 'word'"),
        ] as [([String], String?)])
    func `share says what is wrong with its options`(_ words: [String], _ beginning: String?) {
        let failure = Self.failure(ShareCommand.self, words)
        #expect((failure?.message.hasPrefix(beginning ?? "") ?? false) == (beginning != nil))
        #expect(failure == nil || failure?.status == 2)
    }

    @Test(
        arguments: [
            (["hi"], nil), (["--at", "1,2"], nil), ([], "expected either"),
            (["hi", "--at", "1,2"], "expected either"),
        ] as [([String], String?)])
    func `send takes a text or a place`(_ words: [String], _ beginning: String?) {
        let failure = Self.failure(SendCommand.self, words)
        #expect((failure?.message.hasPrefix(beginning ?? "") ?? false) == (beginning != nil))
    }

    @Test(arguments: [
        ("YONDER_SERVER", "x", "YONDER_SERVER: expected an http"),
        ("YONDER_TOKEN", "opaque", "--token: expected a user's token"),
        ("YONDER_CHANNEL", "berlin", "YONDER_CHANNEL: expected a channel"),
        ("YONDER_SERVER", "", "--server: expected an http"),
        ("YONDER_TOKEN", "", "--token: expected a token"),
        ("YONDER_CHANNEL", "", "--channel: expected a channel"),
    ])
    func `server, token and channel are needed and named`(
        _ variable: String, _ value: String, _ beginning: String
    ) {
        var environment = Self.environment
        environment[variable] = value
        let failure = Self.failure(WatchCommand.self, [], environment)
        #expect(failure?.message.hasPrefix(beginning) == true)
        #expect(failure?.message.contains("opaque") == false)
    }

    @Test func `the token may come from a file`() throws {
        var environment = Self.environment
        environment["YONDER_TOKEN"] = nil
        try Self.withFile(Self.token + "\n") { path in
            #expect(Self.failure(WatchCommand.self, ["--token-file", path], environment) == nil)
            #expect(Self.failure(WatchCommand.self, ["--token-file", path, "--token", "x"]) != nil)
        }
        let missing = Self.failure(WatchCommand.self, ["--token-file", "/nowhere"], environment)
        #expect(missing?.message.hasPrefix("--token-file: expected") == true)
    }

    @Test func `the first track with points is taken, or the one that is asked for`() throws {
        func source(_ path: String, _ words: [String] = []) throws -> ShareSource {
            try ShareSource(
                Arguments(["--gpx", path] + words, of: ShareCommand.declaration, environment: [:]))
        }
        try Self.withFile(Self.gpx) { path in
            let first = try source(path)
            #expect(first.start == Coordinate(latitude: 1, longitude: 2))
            #expect(
                first.notes.count == 1 && first.notes[0].hasPrefix("\(path): line 1: point with a latitude"))
            #expect(try source(path, ["--track", "2"]).start == first.start)
            for (number, beginning) in [
                ("1", "--track: expected a track with points"), ("3", "--track: expected 1 to 2"),
            ] {
                let failure = try #require(throws: CommandFailure.self) {
                    try source(path, ["--track", number])
                }
                #expect(failure.message.hasPrefix(beginning))
            }
        }
        try Self.withFile("<gpx>\n<trk>") { path in
            let failure = try #require(throws: CommandFailure.self) { try source(path) }
            #expect(
                failure
                    == CommandFailure(
                        status: 2,
                        message: "--gpx: \(path): line 2, column 6: the file is not well-formed XML"))
        }
        try Self.withFile("<gpx/>") { path in
            let failure = try #require(throws: CommandFailure.self) { try source(path) }
            #expect(failure.message == "--gpx: \(path): there is no track with points")
        }
    }

    @Test func `nobody at the server's address is a failure and not wrong use`() async {
        for words in [["send", "hi"], ["share", "--at", "1,2"], ["watch"]] {
            #expect(await Yonder.run(words, environment: Self.environment) == 1)
        }
    }

    @Test(arguments: [
        ([], 2), (["--help"], 0), (["nonsense"], 2), (["watch", "--help"], 0), (["share", "-x"], 2),
    ])
    func `the exit status says how it went`(_ words: [String], _ status: Int) async {
        #expect(await Yonder.run(words, environment: [:]) == Int32(status))
    }

    @Test func `somebody else's text does not move the cursor`() {
        #expect(Output.plain("a\u{1B}[2Jb\nc\u{202E}d 👩‍👧") == "a [2Jb c d 👩‍👧")
    }

    @Test func `progress is said now and then`() {
        var progress = ReplayProgress(count: 9)
        let start = ContinuousClock.now
        let lines = [0, 1, 14, 15, 16, 31].map { progress.passed(at: start + .seconds($0)) }
        #expect(lines == [nil, nil, nil, "4 of 9 points", nil, "6 of 9 points"])
    }
}
