import Glibc
import Testing
import YonderTestSupport

@testable import YonderHTTP

struct WebSocketUpgradeTests {
    @Test(arguments: ["/ws", "/later"])
    func `a handshake becomes a WebSocket that knows its context`(path: String) async throws {
        let delegate = TestDelegate()
        try await withLoop(delegate) { _, loop, port in
            let client = try RawClient(port: port)
            let handshake = RawClient.handshake()
                .replacing("/ws", with: path)
                .replacing("\r\n\r\n", with: "\r\nSec-WebSocket-Protocol: one\r\n\r\n")
            try await client.write(handshake)
            let response = try await client.readResponse()
            #expect(response.status == 101)
            #expect(response.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
            #expect(response.headers["upgrade"] == "websocket")
            #expect(response.headers["sec-websocket-protocol"] == "one")
            #expect(response.headers["x-more"] == "1")
            try await client.write(RawClient.masked("hello"))
            #expect(try await client.readText() == "hello")
            #expect(delegate.counts.contexts == [path])
            #expect(loop.connectionCount == 1)
        }
        #expect(delegate.counts.opened == 1)
        #expect(delegate.counts.closed == 1)
    }

    @Test(arguments: [
        ("GET /ws HTTP/1.1", "POST /ws HTTP/1.1"), ("GET /ws HTTP/1.1", "HEAD /ws HTTP/1.1"),
        ("GET /ws HTTP/1.1", "GET /ws HTTP/1.0"), ("Upgrade: websocket\r\n", ""),
        ("Upgrade: websocket", "Upgrade: h2c"), ("Connection: Upgrade", "Connection: keep-alive"),
        ("Version: 13", "Version: 8"), ("Sec-WebSocket-Version: 13\r\n", ""), ("ZQ==", "ZQ"),
    ])
    func `what is no proper handshake is refused by the service`(good: String, bad: String) async throws {
        let delegate = TestDelegate()
        try await withLoop(delegate) { _, _, port in
            let client = try RawClient(port: port)
            try await client.write(RawClient.handshake().replacing(good, with: bad))
            let response = try await client.readResponse(hasBody: false)
            #expect(response.status == 426)
            #expect(response.headers["sec-websocket-version"] == "13")
        }
        #expect(delegate.counts.opened == 0)
    }

    @Test func `frames sent along with the handshake arrive, halves too`() async throws {
        try await withLoop(TestDelegate()) { _, _, port in
            let frames = RawClient.masked("early") + RawClient.masked("bird")
            for split in [0, 1, 3, 7, frames.count - 1, frames.count] {
                let client = try RawClient(port: port)
                #expect(try await client.openWebSocket(early: Array(frames[..<split])).status == 101)
                try await client.write(frames[split...])
                #expect(try await client.readText() == "early")
                #expect(try await client.readText() == "bird")
            }
        }
    }

    @Test func `MHD forgets a connection that became a WebSocket`() async throws {
        try await withLoop(TestDelegate(), configure: { $0.connectionLimit = 4 }) { server, loop, port in
            var clients: [RawClient] = []
            for _ in 0..<20 {
                let client = try RawClient(port: port)
                #expect(try await client.openWebSocket().status == 101)
                clients.append(client)
            }
            #expect(await eventually { server.connectionCount == 0 && server.liveCount == 0 })
            #expect(loop.connectionCount == 20)
            for (index, client) in clients.enumerated() {
                try await client.write(RawClient.masked("still here \(index)"))
                #expect(try await client.readText() == "still here \(index)")
            }
        }
    }

    @Test func `an adopted socket never waits and holds back nothing`() async throws {
        let delegate = TestDelegate(onText: { connection, _ in
            func option(_ name: Int32) -> Int32 {
                var value: Int32 = -1
                var size = socklen_t(MemoryLayout<Int32>.size)
                getsockopt(connection.descriptor, Int32(IPPROTO_TCP), name, &value, &size)
                return value
            }
            #expect(option(TCP_NODELAY) == 1)
            #expect(option(TCP_NOTSENT_LOWAT) == 8192)
            #expect(fcntl(connection.descriptor, F_GETFL) & O_NONBLOCK != 0)
            #expect(fcntl(connection.descriptor, F_GETFD) & FD_CLOEXEC != 0)
            connection.send(text: [0x41])
        })
        try await withLoop(delegate) { _, _, port in
            let client = try RawClient(port: port)
            _ = try await client.openWebSocket(early: RawClient.masked("x"))
            #expect(try await client.readText() == "A")
        }
    }

    @Test func `sockets that come and go in numbers are all told and all freed`() async throws {
        let delegate = TestDelegate()
        try await withLoop(delegate) { server, loop, port in
            for round in 0..<400 {
                let client = try RawClient(port: port)
                if round.isMultiple(of: 3) {
                    try await client.write(RawClient.handshake())
                } else {
                    _ = try await client.openWebSocket(early: RawClient.masked("x"))
                }
            }
            #expect(await eventually { server.connectionCount == 0 && server.liveCount == 0 })
            #expect(await eventually { loop.connectionCount == 0 })
        }
        #expect(delegate.counts.opened == delegate.counts.closed)
        #expect(delegate.counts.opened >= 266)
    }

    @Test func `a loop that has stopped takes nobody`() async throws {
        let delegate = TestDelegate()
        try await withLoop(delegate) { server, loop, port in
            await loop.stopElsewhere()
            let client = try RawClient(port: port)
            #expect(try await client.openWebSocket().status == 101)
            #expect(try await client.read() == [])
            #expect(loop.connectionCount == 0)
            #expect(await eventually { server.connectionCount == 0 })
        }
        #expect(delegate.counts.opened == 0)
    }
}
