import Glibc
import Synchronization
import Testing
import YonderTestSupport

@testable import YonderHTTP

struct HTTPServerTests {
    private let hello = TestService { _ in text("hello") }
    private let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::1", "::1"), ("::", "::1"),
        ("localhost", "localhost"),
    ])
    func `it listens where it is told and says on which port`(host: String, reachedAt: String) async throws {
        try await withServer(hello, configure: { $0.host = host }) { _, port in
            #expect(port > 0)
            let client = try RawClient(port: port, host: reachedAt)
            try await client.write(request)
            #expect(try await client.readResponse().text == "hello")
        }
    }

    @Test func `IPv4 on a socket for both reads as IPv4`() async throws {
        try await withServer(TestService { text($0.peer) }, configure: { $0.host = "::" }) { _, port in
            let client = try RawClient(port: port)
            try await client.write(request)
            #expect(try await client.readResponse().text == "127.0.0.1")
        }
    }

    @Test func `a taken port is an error of its own`() async throws {
        try await withServer(hello) { _, port in
            let second = HTTPServer(configuration: HTTPServerConfiguration(port: port), service: hello)
            let error = #expect(throws: HTTPServerError.self) { try second.start() }
            #expect(error?.code == .addressInUse)
        }
    }

    @Test(arguments: [
        ("example.invalid", 0), ("192.0.2.1", 0), ("", 0), ("127.0.0.1", 65_536), ("127.0.0.1", -1),
    ])
    func `an address that is none of ours is an error of its own`(host: String, port: Int) {
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(host: host, port: port), service: hello)
        let error = #expect(throws: HTTPServerError.self) { try server.start() }
        #expect(error?.code == .badAddress)
    }

    @Test func `it starts once`() async throws {
        try await withServer(hello) { server, _ in
            let error = #expect(throws: HTTPServerError.self) { try server.start() }
            #expect(error?.code == .alreadyStarted)
        }
    }

    @Test func `a silent connection is closed and a WebSocket is not`() async throws {
        try await withLoop(TestDelegate(), configure: { $0.idleSeconds = 1 }) { _, _, port in
            let silent = try RawClient(port: port)
            let webSocket = try RawClient(port: port)
            _ = try await webSocket.openWebSocket()
            // Half a request, or the connection would be no more than accepted.
            try await silent.write("GET / HTTP/1.1\r\n")
            _ = try await silent.readToEnd()
            try await webSocket.write(RawClient.masked("here"))
            #expect(try await webSocket.readText() == "here")
        }
    }

    @Test func `a head over the limit is refused`() async throws {
        try await withServer(hello, configure: { $0.headerBytes = 4096 }) { _, port in
            let client = try RawClient(port: port)
            try await client.write(
                "GET / HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "x", count: 5000))\r\n\r\n")
            #expect(try await client.readResponse().status == 431)
        }
    }

    @Test func `a service may allow any size`() async throws {
        let service = TestService(limit: .max) { text("\($0.body.count)") }
        try await withServer(service) { _, port in
            let client = try RawClient(port: port)
            try await client.write("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n")
            try await client.write(String(repeating: "x", count: 3_000_000))
            #expect(try await client.readResponse().text == "3000000")
        }
    }

    @Test func `handlers that wait do not hold a thread`() async throws {
        let gate = Gate()
        let service = TestService { request in
            await gate.pass()
            return text(String(decoding: request.body, as: UTF8.self))
        }
        try await withServer(service, configure: { $0.threads = 2 }) { _, port in
            let clients = try (0..<50).map { _ in try RawClient(port: port) }
            for (index, client) in clients.enumerated() {
                try await client.write("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n\(index + 10)")
            }
            #expect(await eventually { gate.arrived == 50 })
            gate.open()
            for (index, client) in clients.enumerated() {
                #expect(try await client.readResponse().text == "\(index + 10)")
            }
        }
    }

    @Test func `answers from other threads at any moment all arrive`() async throws {
        let service = TestService { request in
            await Task.yield()
            return text(request.path)
        }
        try await withServer(service) { server, port in
            let client = try RawClient(port: port)
            for index in 0..<2000 {
                try await client.write("GET /\(index) HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try await client.readResponse().text == "/\(index)")
            }
            #expect(await eventually { server.liveCount == 0 })
            #expect(server.waiting.count == 0)
        }
    }

    @Test func `clients that vanish while their handlers wait leave nothing behind`() async throws {
        let gate = Gate()
        let service = TestService { _ in
            await gate.pass()
            return text("too late")
        }
        try await withServer(service) { server, port in
            for _ in 0..<200 { try await RawClient(port: port).write(request) }
            #expect(await eventually { gate.arrived == 200 })
            gate.open()
            #expect(await eventually { server.liveCount == 0 })
            #expect(await eventually { server.connectionCount == 0 })
            #expect(server.waiting.count == 0)
        }
    }

    @Test func `a stop lets the requests under way end`() async throws {
        let gate = Gate()
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(),
            service: TestService { _ in
                await gate.pass()
                return text("done")
            })
        let port = try server.start()
        let client = try RawClient(port: port)
        try await client.write(request)
        #expect(await eventually { gate.arrived == 1 })
        let stop = Task { await server.stop(within: .seconds(5)) }
        #expect(await eventually { server.isOnItsWayOut })
        #expect(await eventually { (try? RawClient(port: port)) == nil })
        gate.open()
        let response = try await client.readResponse()
        #expect(response.text == "done")
        #expect(response.headers["connection"]?.lowercased() == "close")
        #expect(try await client.read() == [])
        await stop.value
    }

    @Test func `a stop answers for handlers that never end`() async throws {
        let gate = Gate()
        let wasCancelled = Atomic<Bool>(false)
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(),
            service: TestService { _ in
                await withTaskCancellationHandler {
                    await gate.pass()
                } onCancel: {
                    wasCancelled.store(true, ordering: .relaxed)
                }
                return text("too late")
            })
        let port = try server.start()
        let client = try RawClient(port: port)
        try await client.write(request)
        #expect(await eventually { gate.arrived == 1 })
        await server.stop(within: .milliseconds(20))
        #expect(try await client.readResponse().status == 503)
        let cancelled = wasCancelled.load(ordering: .relaxed)
        #expect(cancelled)
        gate.open()
        await server.stop(within: .seconds(1))
    }

    /// libmicrohttpd drops the answer to a head that it reads while it stops, and comes with the body.
    @Test func `whatever is begun while the server stops is answered`() async throws {
        for _ in 0..<40 {
            let begun = Atomic<Int>(0)
            let server = HTTPServer(
                configuration: HTTPServerConfiguration(),
                service: TestService { _ in
                    begun.wrappingAdd(1, ordering: .relaxed)
                    return text("done")
                })
            let port = try server.start()
            let clients = try (0..<64).map { _ in try RawClient(port: port) }
            #expect(await eventually { server.connectionCount == clients.count })
            try await clients[0].write(request)
            let stop = Task { await server.stop(within: .seconds(5)) }
            // A connection that is closed by now has begun nothing.
            for client in clients.dropFirst() { try? await client.write(request) }
            await stop.value
            var answered = 0
            for client in clients where (try? await client.readResponse())?.status == 200 { answered += 1 }
            let count = begun.load(ordering: .relaxed)
            #expect(answered == count)
        }
    }

    @Test func `a stopped server is freed`() async throws {
        weak var released: HTTPServer?
        do {
            let server = HTTPServer(configuration: HTTPServerConfiguration(), service: hello)
            released = server
            _ = try server.start()
            await server.stop(within: .seconds(1))
        }
        #expect(released == nil)
    }
}

/// libmicrohttpd's own way to stop listening aborts the process now and then, just after the start most easily.
struct HTTPServerRestartTests {
    @Test func `servers come and go as fast as they can`() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.threads = 8
        for _ in 0..<1_000 {
            let server = HTTPServer(
                configuration: configuration, service: TestService { _ in text("ok") })
            _ = try server.start()
            await server.stop(within: .seconds(5))
        }
    }
}
