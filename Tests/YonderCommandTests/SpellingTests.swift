import Testing

@testable import yonder

struct SpellingTests {
    private static let known = ["--for", "--at", "--gpx", "--stop-at-end", "--server", "--help"]

    @Test(
        arguments: [
            ("--fro", "--for"), ("--fo", "--for"), ("--stop-at-ned", "--stop-at-end"),
            ("--sevrer", "--server"),
            ("-server", "--server"), ("--dance", nil), ("--x", nil), ("-", nil), ("", nil),
        ] as [(String, String?)])
    func `a mistyped word is recognised`(_ word: String, _ meant: String?) {
        #expect(Spelling.nearest(to: word, among: Self.known) == meant)
        let advice = Spelling.advice(for: word, among: Self.known)
        #expect(advice == meant.map { "did you mean \($0)?" } ?? advice)
        #expect(meant != nil || advice.hasPrefix("expected one of --for, --at"))
    }
}
