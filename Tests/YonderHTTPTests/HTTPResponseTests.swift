import Foundation
import Testing
import YonderTestSupport

@testable import YonderHTTP

struct HTTPResponseTests {
    @Test func `one connection carries many requests, also sent at once`() async throws {
        let service = TestService { request in
            if request.path == "/slow" { try? await Task.sleep(for: .milliseconds(20)) }
            return text(request.path)
        }
        try await withServer(service) { server, port in
            let client = try RawClient(port: port)
            for path in ["/1", "/2"] {
                try await client.write("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try await client.readResponse().text == path)
            }
            let paths = ["/slow", "/a", "/slow", "/b"]
            try await client.write(paths.map { "GET \($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
            for path in paths { #expect(try await client.readResponse().text == path) }
            #expect(server.connectionCount == 1)
        }
    }

    @Test func `HEAD gets the head of the GET answer`() async throws {
        let service = TestService { request in text("\(request.method) answer") }
        try await withServer(service) { _, port in
            let client = try RawClient(port: port)
            try await client.write("HEAD / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.readResponse(hasBody: false).headers["content-length"] == "10")
            #expect(try await client.readResponse().text == "GET answer")
        }
    }

    @Test func `headers go out as given, several of a name too`() async throws {
        let service = TestService { _ in
            .response(
                HTTPResponse(
                    status: 204, headers: ["X-One": "1", "Set-Cookie": "a=b", "X-Bad": "a\r\nX-Evil: 1"]))
        }
        try await withServer(service) { _, port in
            let client = try RawClient(port: port)
            try await client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            let response = try await client.readResponse()
            #expect(response.status == 204)
            #expect(response.headers["x-one"] == "1" && response.headers["set-cookie"] == "a=b")
            #expect(response.headers["x-evil"] == nil && response.headers["x-bad"] == nil)
        }
    }

    @Test(arguments: [0, 10, 300_000])
    func `a file goes out whole`(size: Int) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "yonder-\(UUID())").path
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try Data(bytes).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let service = TestService { _ in .response(HTTPResponse(status: 200, body: .file(path: path))) }
        try await withServer(service) { _, port in
            let client = try RawClient(port: port)
            try await client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.readResponse().body == bytes)
        }
    }

    @Test(arguments: ["/nowhere/at/all", "/tmp", "/dev/zero"])
    func `what is no regular file is not found`(path: String) async throws {
        let service = TestService { _ in .response(HTTPResponse(status: 200, body: .file(path: path))) }
        try await withServer(service) { _, port in
            let client = try RawClient(port: port)
            try await client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.readResponse().status == 404)
        }
    }
}

struct HTTPHeadersTests {
    @Test func `values keep their order and setting replaces them`() {
        var headers: HTTPHeaders = ["Accept": "a", "X": "y", "accept": "b"]
        #expect(headers["ACCEPT"] == "a")
        #expect(headers.values(of: "aCCept") == ["a", "b"])
        headers["accept"] = "c"
        #expect(headers.fields.map(\.name) == ["X", "accept"])
        headers["X"] = nil
        #expect(headers["x"] == nil)
        #expect(headers.values(of: "x") == [])
    }

    @Test func `a token is found among others`() {
        let headers: HTTPHeaders = ["Connection": "keep-alive ,\tUpgrade", "Connection": "x"]
        #expect(headers.contains("upgrade", in: "connection"))
        #expect(headers.contains("X", in: "Connection"))
        #expect(!headers.contains("up", in: "Connection"))
        #expect(!headers.contains("upgrade", in: "Upgrade"))
    }
}
