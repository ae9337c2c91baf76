import Testing

@testable import YonderServer

struct RouterTests {
    @Test(arguments: [
        ("/", []), ("/a", ["a"]), ("/v1/channels/team:x", ["v1", "channels", "team:x"]),
        ("/v1/channels/team%3Ax", ["v1", "channels", "team:x"]), ("/a%20b", ["a b"]), ("/a+b", ["a+b"]),
        ("/a/\u{301}b", ["a", "\u{301}b"]),
    ])
    func `a path is its decoded segments`(path: String, segments: [String]) {
        #expect(Router.segments(of: path) == segments)
    }

    @Test(arguments: [
        "", "a", "//", "/a/", "/a//b", "/..", "/a/../b", "/a/%2e%2e/b", "/.", "/a%2Fb", "/a%00", "/%zz",
        "/%ff", "/a%2F%CC%81b", "/..%2F%CC%81b",
    ])
    func `a path that climbs or is malformed is none`(path: String) {
        #expect(Router.segments(of: path) == nil)
    }

    @Test(
        arguments: [
            ("/a/{x}", ["a", "1"], ["x": "1"]), ("/a/{x}/c", ["a", "1", "c"], ["x": "1"]),
            ("/a/{rest*}", ["a", "b", "c"], ["rest": "b/c"]), ("/", [], [:]),
        ] as [(String, [String], [String: String])])
    func `a pattern takes its values from the path`(
        pattern: String, path: [String], values: [String: String]
    ) {
        #expect(Route("GET", pattern) { _ in .noContent }.match(path) == values)
    }

    @Test(arguments: [
        ("/a/{x}", ["a"]), ("/a/{x}", ["a", "b", "c"]), ("/a/{x}", ["b", "c"]), ("/a/{rest*}", ["a"]),
        ("/", ["a"]),
    ])
    func `another path does not match`(pattern: String, path: [String]) {
        #expect(Route("GET", pattern) { _ in .noContent }.match(path) == nil)
    }
}
