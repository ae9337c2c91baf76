import Synchronization
import Testing
import YonderTestSupport

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
}
