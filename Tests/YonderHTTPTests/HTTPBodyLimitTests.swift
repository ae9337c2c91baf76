import Testing
import YonderTestSupport

@testable import YonderHTTP

struct HTTPBodyLimitTests {
    private let service = TestService(limit: 10) { text("\($0.body.count)") }

    @Test(arguments: [(10, 200, "10"), (11, 413, "too large"), (100_000, 413, "too large")])
    func `a body over the limit is refused and the connection lives on`(
        size: Int, status: Int, answer: String
    ) async throws {
        try await withServer(service) { _, port in
            let client = try RawClient(port: port)
            let body = String(repeating: "x", count: size)
            for _ in 0..<2 {
                try await client.write("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: \(size)\r\n\r\n\(body)")
                let response = try await client.readResponse()
                #expect(response.status == status)
                #expect(response.text == answer)
            }
            try await client.write("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            try await client.write("\(String(size, radix: 16))\r\n\(body)\r\n0\r\n\r\n")
            #expect(try await client.readResponse().status == status)
        }
    }

    @Test func `a huge body is refused before it comes`() async throws {
        try await withServer(service) { _, port in
            let client = try RawClient(port: port)
            try await client.write("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n")
            #expect(try await client.readResponse().status == 413)
            #expect(try await client.read() == [])
        }
    }

    @Test func `who asks for leave is refused at once`() async throws {
        try await withServer(service) { _, port in
            let client = try RawClient(port: port)
            try await client.write(
                "PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n")
            #expect(try await client.readResponse().status == 413)
            let other = try RawClient(port: port)
            try await other.write(
                "PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            #expect(try await other.readResponse().status == 100)
            try await other.write("ab")
            #expect(try await other.readResponse().text == "2")
        }
    }

    @Test func `chunks without end are cut off`() async throws {
        try await withServer(service) { server, port in
            let client = try RawClient(port: port)
            try await client.write("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
            await #expect(throws: RawClient.Lost.self) {
                for _ in 0..<1000 { try await client.write(chunk) }
            }
            #expect(await eventually { server.liveCount == 0 })
        }
    }
}
