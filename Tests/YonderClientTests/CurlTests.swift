import Foundation
import Testing
import YonderCurl

struct CurlTests {
    @Test func `a request arrives as it was made and its answer comes back whole`() async throws {
        let server = RawServer { request in
            .answer(
                201, String(decoding: request.body, as: UTF8.self),
                headers: ["X-Two": " b ", "ETag": "\"1\""])
        }
        let http = CurlHTTP()
        let answer = try await http.perform(
            CurlRequest(
                method: "PUT", url: server.url + "/a?b=c", headers: [("X-One", "1")],
                body: Array("{\"ü\":1}".utf8)))
        #expect(answer.status == 201)
        #expect(answer.header("x-TWO") == "b")
        #expect(String(decoding: answer.body, as: UTF8.self) == "{\"ü\":1}")
        let request = try #require(server.requests.first)
        #expect(request.method == "PUT" && request.path == "/a?b=c" && request.headers["x-one"] == "1")
    }

    @Test(arguments: ["GET", "DELETE", "POST", "PUT"])
    func `requests without a body have none and an empty one is empty`(_ method: String) async throws {
        let server = RawServer { .answer(200, $0.method + String($0.body.count)) }
        let http = CurlHTTP()
        for body in [nil, []] as [[UInt8]?] {
            let answer = try await http.perform(CurlRequest(method: method, url: server.url, body: body))
            #expect(String(decoding: answer.body, as: UTF8.self) == method + "0")
        }
    }

    @Test func `options of one request do not leak into the next`() async throws {
        let server = RawServer { .answer(200, $0.method + ($0.headers["x-one"] ?? "-")) }
        let http = CurlHTTP()
        _ = try await http.perform(
            CurlRequest(method: "PUT", url: server.url, headers: [("X-One", "1")], body: [1, 2]))
        let answer = try await http.perform(CurlRequest(url: server.url))
        #expect(String(decoding: answer.body, as: UTF8.self) == "GET-")
    }

    @Test func `an answer over the bound is refused`() async {
        let server = RawServer { _ in .answer(200, String(repeating: "x", count: 1_001)) }
        let error = await #expect(throws: CurlError.self) {
            try await CurlHTTP(maxBodyBytes: 1_000).perform(CurlRequest(url: server.url))
        }
        #expect(error?.code == .tooLarge)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", CurlError.Code.closed), ("", .closed),
    ])
    func `an answer that breaks off is an error`(_ bytes: String, _ code: CurlError.Code) async {
        let server = RawServer { _ in .bytes(bytes) }
        let error = await #expect(throws: CurlError.self) {
            try await CurlHTTP().perform(CurlRequest(url: server.url))
        }
        #expect(error?.code == code)
    }

    @Test func `a server that says nothing is given up`() async {
        let mute = RawServer { _ in
            Thread.sleep(forTimeInterval: 0.5)
            return .bytes("")
        }
        let error = await #expect(throws: CurlError.self) {
            try await CurlHTTP().perform(CurlRequest(url: mute.url, timeout: .milliseconds(100)))
        }
        #expect(error?.code == .timedOut)
    }

    @Test func `nobody there is said and redirects are not followed`() async throws {
        let gone = RawServer { _ in .bytes("") }
        gone.stop()
        let error = await #expect(throws: CurlError.self) {
            try await CurlHTTP().perform(CurlRequest(url: gone.url))
        }
        #expect(error?.code == .cannotConnect)
        let server = RawServer { _ in .answer(302, "", headers: ["Location": "/elsewhere"]) }
        #expect(try await CurlHTTP().perform(CurlRequest(url: server.url)).status == 302)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        CurlRequest(url: "file:///etc/passwd"), CurlRequest(url: "http://127.0.0.1:1/ a"),
        CurlRequest(url: "no"),
        CurlRequest(url: "http://127.0.0.1:1/", headers: [("A", "b\r\nC: d")]),
    ])
    func `what is no request is not made`(_ request: CurlRequest) async {
        let error = await #expect(throws: CurlError.self) { try await CurlHTTP().perform(request) }
        #expect(error.map { [.invalidRequest, .cannotConnect].contains($0.code) } == true)
    }

    @Test func `a connection carries bytes and ends with its peer`() throws {
        let server = RawServer { request in .bytes("echo " + request.path) }
        let connection = try CurlConnection(url: "ws://127.0.0.1:\(server.port)/")
        let request = Array("GET /x HTTP/1.1\r\n\r\n".utf8)
        #expect(try connection.send(request[...]) == request.count)
        var received: [UInt8] = []
        reading: while true {
            switch try connection.receive() {
            case .bytes(let bytes): received += bytes
            case .nothing: connection.wait(toSend: false, timeout: .seconds(5))
            case .end: break reading
            }
        }
        #expect(String(decoding: received, as: UTF8.self) == "echo /x")
    }

    @Test func `a waker ends a wait that came before or comes after it`() throws {
        let server = RawServer { _ in .bytes("") }
        let connection = try CurlConnection(url: server.url)
        let waker = CurlWaker()
        waker.wake()
        let start = ContinuousClock.now
        connection.wait(toSend: false, timeout: .seconds(10), waker: waker)
        #expect(start.duration(to: .now) < .seconds(5))
    }
}
