import Testing

@testable import yonder

struct ArgumentsTests {
    private static let declaration = CommandDeclaration(
        name: "try", summary: "Try.", word: ("WORD", "A word."),
        options: [
            .init("--size", "N", "How big.", environment: "TRY_SIZE"), .init("--at", "LAT,LON", "Where."),
            .init("--loud", nil, "Aloud."), .init("--tag", "T", "A tag.", repeats: true),
        ],
        notes: ["A note."])

    private static func read(
        _ words: [String], _ environment: [String: String] = [:]
    ) throws(CommandFailure) -> Arguments {
        try Arguments(words, of: declaration, environment: environment)
    }

    @Test(
        arguments: [
            (["--size", "3", "--loud", "w"], "3", true, "w"), (["w", "--size=3"], "3", false, "w"),
            (["--size", "-3,4"], "-3,4", false, nil), (["--size=", "-"], "", false, "-"),
            (["--loud", "--", "--size"], nil, true, "--size"), (["--size=a=b"], "a=b", false, nil),
            ([], nil, false, nil),
        ] as [([String], String?, Bool, String?)])
    func `words are read by the declaration`(
        _ words: [String], _ size: String?, _ loud: Bool, _ word: String?
    ) throws {
        let arguments = try Self.read(words)
        #expect(arguments.value("--size") == size)
        #expect(arguments.flag("--loud") == loud)
        #expect(arguments.word == word)
    }

    @Test(arguments: [
        (["--sise", "3"], "unknown option --sise"), (["-x"], "unknown option -x"),
        (["--size"], "--size: expected a value, N"), (["--size", "--loud"], "--size: expected a value, N"),
        (["--loud=yes"], "--loud: expected no value"), (["a", "b"], "unexpected 'b'"),
        (["--size", "1", "--size", "2"], "--size: expected to be given once"),
    ])
    func `what is not understood is named in one line with status 2`(
        _ words: [String], _ beginning: String
    ) throws {
        let failure = try #require(throws: CommandFailure.self) { try Self.read(words) }
        #expect(failure.status == 2)
        #expect(failure.message.hasPrefix(beginning))
        #expect(!failure.message.contains("\n"))
    }

    @Test func `an option that may be given again is one value with commas`() throws {
        #expect(try Self.read(["--tag", "a"]).value("--tag") == "a")
        #expect(try Self.read(["--tag", "a", "--tag=b,c", "--tag", "d"]).value("--tag") == "a,b,c,d")
        #expect(throws: CommandFailure.self) { try Self.read(["--tag", "a", "--tag"]) }
    }

    @Test func `a variable stands in for an option and is named where it is wrong`() throws {
        #expect(try Self.read([], ["TRY_SIZE": "7"]).value("--size") == "7")
        #expect(try Self.read(["--size", "8"], ["TRY_SIZE": "7"]).value("--size") == "8")
        #expect(try Self.read([], ["TRY_SIZE": ""]).value("--size") == nil)
        let wrong = try #require(throws: CommandFailure.self) {
            try Self.read([], ["TRY_SIZE": "x"]).required("--size", expected: "a number") { Int($0) }
        }
        #expect(wrong.message == "TRY_SIZE: expected a number")
        let missing = try #require(throws: CommandFailure.self) {
            try Self.read([]).required("--size", expected: "a number") { Int($0) }
        }
        #expect(missing.message == "--size: expected a number, here or in TRY_SIZE")
    }

    @Test(arguments: [["--help"], ["-h"], ["--nonsense", "--help"], ["a", "b", "c", "--help"]])
    func `help is asked for beside anything`(_ words: [String]) throws {
        #expect(try Self.read(words).asksForHelp)
        #expect(try !Self.read(["--", "--help"]).asksForHelp)
    }

    @Test func `help shows all that can be given`() {
        let text = Help.text(for: Self.declaration)
        for part in ["yonder try", "[WORD]", "--size N", "[TRY_SIZE]", "--loud", "--help", "A note."] {
            #expect(text.contains(part))
        }
    }

    @Test func `every command has its help and its line in the overview`() {
        for command in Yonder.commands {
            let declaration = command.declaration
            #expect(Help.overview(Yonder.commands).contains(declaration.summary))
            #expect(Help.text(for: declaration).contains("yonder \(declaration.name) [OPTIONS]"))
            #expect(Set(declaration.options.map(\.name)).count == declaration.options.count)
        }
    }
}
