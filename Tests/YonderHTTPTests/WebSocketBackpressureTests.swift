import Synchronization
import Testing
import YonderTestSupport
import YonderWebSocket

@testable import YonderHTTP

struct WebSocketBackpressureTests {
    /// Frames "0", "1", … padded to some hundred bytes, as one batch.
    private static func batch(_ count: Int) -> (bytes: [UInt8], ends: [Int]) {
        var bytes: [UInt8] = []
        var ends: [Int] = []
        for index in 0..<count {
            let text = "\(index)" + String(repeating: ".", count: 200 + index % 777)
            bytes += WebSocketFrame.text(Array(text.utf8))
            ends.append(bytes.count)
        }
        return (bytes, ends)
    }

    @Test func `a slow reader gets every frame whole and control frames between them`() async throws {
        let frameCount = 20_000
        let batch = Self.batch(frameCount)
        let written = Mutex(0)
        let shortWrites = Mutex(0)
        let go: @Sendable (WebSocketConnection) -> Void = { connection in
            written.withLock { written in
                guard written < frameCount else { return }
                written += connection.write(frames: batch.bytes, ends: batch.ends, from: written)
                if written < frameCount {
                    shortWrites.withLock { $0 += 1 }
                    #expect(connection.isBlocked)
                    #expect(connection.write(frames: batch.bytes, ends: batch.ends, from: written) == 0)
                }
            }
        }
        let delegate = TestDelegate(onText: { connection, _ in go(connection) }, onWritable: go)
        try await withLoop(delegate) { _, _, port in
            let client = try RawClient(port: port, receiveBuffer: 8192)
            _ = try await client.openWebSocket(early: RawClient.masked("go"))
            #expect(await eventually { shortWrites.withLock { $0 } > 0 })
            var pongs = 0
            var next = 0
            while next < frameCount {
                if next.isMultiple(of: 1000) { try await client.write([0x89, 0x81, 0, 0, 0, 0, 0x50]) }
                let frame = try await client.readFrame()
                if frame.opcode == 0x8A {
                    pongs += 1
                    #expect(frame.payload == [0x50])
                    continue
                }
                let text = String(decoding: frame.payload, as: UTF8.self)
                guard frame.opcode == 0x81, text.hasPrefix("\(next)."),
                    frame.payload.count == "\(next)".utf8.count + 200 + next % 777
                else {
                    Issue.record("frame \(next) is broken")
                    return
                }
                next += 1
            }
            while pongs < 20, try await client.readFrame().opcode == 0x8A { pongs += 1 }
            #expect(pongs == 20)
        }
        #expect(delegate.counts.writable > 10)
    }

    @Test func `answers come ahead of what is written later`() async throws {
        let batch = Self.batch(3)
        let delegate = TestDelegate(onText: { connection, text in
            connection.send(text: Array(text.utf8))
            #expect(connection.write(frames: batch.bytes, ends: batch.ends, from: 1) == 2)
        })
        try await withLoop(delegate) { _, _, port in
            let client = try RawClient(port: port)
            _ = try await client.openWebSocket(early: RawClient.masked("ack"))
            #expect(try await client.readText() == "ack")
            #expect(try await client.readText().hasPrefix("1."))
            #expect(try await client.readText().hasPrefix("2."))
        }
    }

    @Test func `who sends without reading is closed with 4408 at a frame's end`() async throws {
        let answer = [UInt8](repeating: 0x61, count: 10_000)
        let delegate = TestDelegate(onText: { connection, _ in connection.send(text: answer) })
        try await withLoop(delegate) { _, loop, port in
            let client = try RawClient(port: port, receiveBuffer: 8192)
            _ = try await client.openWebSocket()
            let commands = (0..<2000).flatMap { _ in [0x81, 0x81, 0, 0, 0, 0, 0x41] as [UInt8] }
            try await client.write(commands)
            var frame = try await client.readFrame()
            var answers = 0
            while frame.opcode == 0x81 {
                #expect(frame.payload == answer)
                answers += 1
                frame = try await client.readFrame()
            }
            #expect(frame.opcode == 0x88)
            #expect(frame.payload.prefix(2) == [0x11, 0x38])
            #expect(answers < 1000)
            #expect(try await client.readToEnd() == [])
            #expect(await eventually { loop.connectionCount == 0 })
        }
    }

    @Test func `a peer that neither reads nor goes is dropped soon after the close`() async throws {
        let batch = Self.batch(20_000)
        let delegate = TestDelegate(onText: { connection, _ in
            _ = connection.write(frames: batch.bytes, ends: batch.ends)
            connection.close(code: 4401)
        })
        try await withLoop(delegate) { _, loop, port in
            let client = try RawClient(port: port, receiveBuffer: 8192)
            _ = try await client.openWebSocket(early: RawClient.masked("x"))
            #expect(await eventually { delegate.counts.opened == 1 })
            #expect(await eventually { loop.connectionCount == 0 })
        }
        #expect(delegate.counts.writable == 0)
    }
}
