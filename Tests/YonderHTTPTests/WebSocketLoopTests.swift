import Synchronization
import Testing
import YonderTestSupport
import YonderWebSocket

@testable import YonderHTTP

struct WebSocketLoopTests {
    private func masked(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0x80 | opcode, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
    }

    @Test(
        arguments: [
            ([0x81, 0x01, 0x41], 1002), ([0x81, 0x82, 0, 0, 0, 0, 0xFF, 0xFE], 1007),
            ([0x82, 0x81, 0, 0, 0, 0, 1], 1003), ([0x88, 0x82, 0, 0, 0, 0, 0x0F, 0xA0], 4000),
            ([0x81, 0xFF, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0x41], 1009),
        ] as [([UInt8], Int)])
    func `a close is said and then the stream ends`(bytes: [UInt8], code: Int) async throws {
        let delegate = TestDelegate()
        try await withLoop(delegate) { _, _, port in
            let client = try RawClient(port: port)
            _ = try await client.openWebSocket(early: bytes)
            #expect(try await client.readClose() == code)
            #expect(try await client.read() == [])
        }
        #expect(delegate.counts.closed == 1)
    }

    @Test func `a client that goes on sending still sees why it was closed`() async throws {
        try await withLoop(TestDelegate()) { _, loop, port in
            for _ in 0..<10 {
                let client = try RawClient(port: port)
                _ = try await client.openWebSocket()
                try await client.write(RawClient.masked(String(repeating: "x", count: 1_000_000)))
                #expect(try await client.readClose() == 1009)
                #expect(try await client.read() == [])
            }
            #expect(await eventually { loop.connectionCount == 0 })
        }
    }

    @Test func `a ping is answered and a pong is not`() async throws {
        try await withLoop(TestDelegate()) { _, _, port in
            let client = try RawClient(port: port)
            _ = try await client.openWebSocket()
            try await client.write(masked(10, []) + masked(9, [1, 2]))
            let frame = try await client.readFrame()
            #expect(frame.opcode == 0x8A && frame.payload == [1, 2])
        }
    }

    @Test func `a stop says 1001 to everybody and ends their streams`() async throws {
        let delegate = TestDelegate()
        try await withLoop(delegate) { _, loop, port in
            let clients = try (0..<5).map { _ in try RawClient(port: port) }
            for client in clients { _ = try await client.openWebSocket() }
            #expect(await eventually { delegate.counts.opened == 5 })
            async let stopped: Void = loop.stopElsewhere()
            for client in clients {
                #expect(try await client.readClose() == 1001)
                #expect(try await client.read() == [])
            }
            // Nobody hangs up, so that the loop must let go by itself.
            let start = ContinuousClock.now
            await stopped
            #expect(ContinuousClock.now - start < .seconds(4))
            #expect(delegate.counts.closed == 5)
        }
    }

    @Test func `the delegate is asked when it wished and when it is woken`() async throws {
        let delegate = TestDelegate(nextPoll: { now, count in count < 10 ? now + .milliseconds(3) : nil })
        let loop = WebSocketLoop { delegate }
        loop.start()
        #expect(await eventually { delegate.counts.polls == 10 })
        for _ in 0..<5 {
            let before = delegate.counts.polls
            loop.wake()
            #expect(await eventually { delegate.counts.polls > before })
        }
        await loop.stopElsewhere()
        let after = delegate.counts.polls
        loop.wake()
        #expect(delegate.counts.polls == after)
    }

    @Test func `an idle loop sleeps`() async throws {
        let delegate = TestDelegate()
        try await withLoop(delegate) { _, _, port in
            let client = try RawClient(port: port)
            _ = try await client.openWebSocket()
            #expect(await eventually { delegate.counts.opened == 1 })
            let before = delegate.counts.polls
            try await Task.sleep(for: .milliseconds(200))
            #expect(delegate.counts.polls - before < 4)
        }
    }

    @Test func `a delegate may close from inside its call`() async throws {
        let delegate = TestDelegate(onText: { connection, text in
            connection.close(code: 4401, reason: text)
            connection.close(code: 4402)
            connection.send(text: [0x41])
            _ = connection.write(frames: [0x81, 0], ends: [2])
        })
        try await withLoop(delegate) { _, _, port in
            let client = try RawClient(port: port)
            _ = try await client.openWebSocket(early: RawClient.masked("bye") + RawClient.masked("again"))
            let frame = try await client.readFrame()
            #expect(frame.payload == [0x11, 0x31] + Array("bye".utf8))
            #expect(try await client.read() == [])
        }
        #expect(delegate.counts.closed == 1)
    }

    @Test func `a loop frees its delegate when it stops`() async {
        weak var freed: TestDelegate?
        do {
            let delegate = TestDelegate()
            freed = delegate
            let loop = WebSocketLoop { delegate }
            loop.start()
            await loop.stopElsewhere()
        }
        #expect(freed == nil)
    }

    /// Answers a text from its next `poll`, with sends, writes and sends.
    private final class Gathering: WebSocketLoopDelegate {
        private var asked: [WebSocketConnection] = []
        private let wake: @Sendable () -> Void

        init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

        func opened(_ connection: WebSocketConnection) {}
        func received(_ connection: WebSocketConnection, text: [UInt8]) {
            asked.append(connection)
            wake()
        }
        func writable(_ connection: WebSocketConnection) {}
        func closed(_ connection: WebSocketConnection) {}

        func poll(now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
            while let connection = asked.popLast() {
                connection.send(text: Array("one".utf8))
                let frames = ["two", "three"].map { WebSocketFrame.text(Array($0.utf8)) }
                #expect(
                    connection.write(frames: frames[0] + frames[1], ends: [5, 12]) == 2)
                connection.send(text: Array("four".utf8))
                // More than is gathered.
                let large = WebSocketFrame.text(Array(repeating: UInt8(ascii: "x"), count: 5_000))
                #expect(connection.write(frames: large, ends: [large.count]) == 1)
                connection.send(text: Array(repeating: UInt8(ascii: "y"), count: 5_000))
                connection.send(text: Array("five".utf8))
                connection.send(text: Array("six".utf8))
                connection.close(code: 4000)
            }
            return nil
        }
    }

    @Test func `what a turn has for a connection goes in one piece and in order`() async throws {
        let waker = Mutex<WebSocketLoop?>(nil)
        let loop = WebSocketLoop { Gathering { waker.withLock { $0?.wake() } } }
        waker.withLock { $0 = loop }
        loop.start()
        try await withLoop(loop) { _, _, port in
            let client = try RawClient(port: port)
            _ = try await client.openWebSocket()
            try await client.write(RawClient.masked("go"))
            var texts: [String] = []
            var first: [UInt8] = []
            while first.isEmpty { first = try await client.read() }
            #expect(first.starts(with: WebSocketFrame.text(Array("one".utf8))))
            #expect(first.count >= 5 + 5 + 7 + 6, "it came in pieces")
            client.unread(first)
            for _ in 0..<8 { texts.append(try await client.readText()) }
            #expect(
                texts.map { $0.prefix(5) } == [
                    "one", "two", "three", "four", "xxxxx", "yyyyy", "five", "six",
                ])
            #expect(try await client.readClose() == 4000)
        }
        waker.withLock { $0 = nil }
    }
}
