import Testing

@testable import YonderModel

struct JSONValueTests {
    private func read(_ text: String) -> JSONValue? { JSONValue(json: Array(text.utf8)) }

    @Test(
        arguments: [
            ("null", .null), (" true ", .bool(true)), ("false", .bool(false)), ("-1.5e2", .number(-150)),
            (#""a\"\u00e9""#, .text("a\"é")), ("[]", .list([])),
            ("[1,[null]]", .list([.number(1), .list([.null])])),
            ("{}", .object([:])), (#"{"a":{"b":[true]},"a":2}"#, .object(["a": .number(2)])),
            ("1e999", .number(.infinity)),
        ] as [(String, JSONValue)])
    func `a value is what it says`(text: String, expected: JSONValue) { #expect(read(text) == expected) }

    @Test(arguments: ["", "{", "[1,]", "{\"a\"}", "tru", "nulls", "01", "\"", "[1] 2", "{a:1}", "\"\u{1}\""])
    func `what is no JSON is nothing`(text: String) { #expect(read(text) == nil) }

    @Test func `bytes that are no UTF-8 are nothing`() {
        #expect(JSONValue(json: [0x22, 0xFF, 0x22]) == nil)
    }

    @Test func `nesting has an end`() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(read(nested(64)) != nil)
        #expect(read(nested(65)) == nil)
        #expect(read(nested(200_000)) == nil)
    }

    @Test func `a member that is null is none, and a number may be written as a text`() {
        let value = read(#"{"a":null,"b":"1.5","c":2,"d":"x","e":[3]}"#)
        #expect(value?["a"] == nil && value?["z"] == nil && value?["b"]?["c"] == nil)
        #expect(value?["b"]?.number == 1.5 && value?["c"]?.number == 2 && value?["d"]?.number == nil)
        #expect(value?["d"]?.text == "x" && value?["c"]?.text == nil)
        #expect(value?["e"]?.list == [.number(3)] && value?["c"]?.list == nil)
    }
}
