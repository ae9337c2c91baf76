import Testing
import YonderTestSupport

@testable import YonderHTTP

struct HTTPRequestTests {
    /// Answers with what the server understood.
    private let mirror = TestService { request in
        let query = request.query.items.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
        let body = String(decoding: request.body, as: UTF8.self)
        return text(
            "\(request.method)|\(request.path)|\(query)|\(request.headers["x-a"] ?? "-")|\(request.peer)|\(body)"
        )
    }

    private func ask(_ bytes: [UInt8]) async throws -> String {
        var answer = ""
        try await withServer(mirror) { _, port in
            let client = try RawClient(port: port)
            try await client.write(bytes)
            answer = try await client.readResponse().text
        }
        return answer
    }

    private func ask(_ text: String) async throws -> String { try await ask(Array(text.utf8)) }

    @Test func `the path stays escaped and the query is decoded`() async throws {
        let answer = try await ask(
            "GET /a%2Fb/c%20d?x=1%262&y=a+b%2Bc&z&x=%C3%A4%zz HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(answer == "GET|/a%2Fb/c%20d|x=1&2;y=a b+c;z=;x=ä%zz|-|127.0.0.1|")
    }

    @Test func `a header is found without regard to case`() async throws {
        #expect(try await ask("GET / HTTP/1.1\r\nHost: x\r\nX-A: 7\r\n\r\n") == "GET|/||7|127.0.0.1|")
    }

    @Test func `a body comes by length`() async throws {
        let answer = try await ask("PUT /p HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
        #expect(answer == "PUT|/p||-|127.0.0.1|hello")
    }

    @Test func `a body comes in chunks`() async throws {
        let answer = try await ask(
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"
        )
        #expect(answer == "POST|/||-|127.0.0.1|abcde")
    }

    @Test func `bytes that are not UTF-8 are replaced`() async throws {
        let answer = try await ask(
            Array("GET /\u{01}".utf8.dropLast()) + [0xFF, 0xFE] + Array("?q=".utf8) + [0xC3]
                + Array("&r=%FF HTTP/1.1\r\nHost: x\r\nX-A: ".utf8) + [0x80] + Array("\r\n\r\n".utf8))
        #expect(answer == "GET|/\u{FFFD}\u{FFFD}|q=\u{FFFD};r=\u{FFFD}|\u{FFFD}|127.0.0.1|")
    }

    @Test(arguments: [
        "", "\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\0\0\0\0\r\n\r\n", "GET / HTTP/1.1\r\nHost",
    ])
    func `a request that is none leaves the server well`(bytes: String) async throws {
        try await withServer(mirror) { _, port in
            do {
                let bad = try RawClient(port: port)
                try await bad.write(bytes)
            }
            let good = try RawClient(port: port)
            try await good.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await good.readResponse().status == 200)
        }
    }

    @Test func `random requests never bring the server down`() async throws {
        try await withServer(mirror) { server, port in
            var random = SplitMix(seed: 3)
            let good = Array("POST /a?b=c HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody".utf8)
            for _ in 0..<300 {
                var bytes = good
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8(
                        truncatingIfNeeded: random.next())
                }
                try await RawClient(port: port).write(bytes)
            }
            let client = try RawClient(port: port)
            try await client.write(good)
            #expect(try await client.readResponse().status == 200)
            #expect(await eventually { server.liveCount == 0 })
        }
    }
}
