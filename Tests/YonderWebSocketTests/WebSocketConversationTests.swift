import Testing
import YonderTestSupport
import YonderWebSocket

/// Two engines talking, and one that is talked at.
struct WebSocketConversationTests {
    private let client = WebSocketEngine(role: .client, maxMessageBytes: 100_000)
    private let server = WebSocketEngine(role: .server, maxMessageBytes: 100_000)

    @Test(arguments: [0, 1, 125, 126, 4096, 65_535, 65_536, 100_000])
    func `a message arrives as it was sent, both ways`(length: Int) {
        let payload = (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        client.queueText(payload)
        let sent = client.takeOutput()
        #expect(server.receive(sent) == [.text(payload)])
        #expect(
            length < 8 || !sent.indices.dropLast(length - 1).contains { sent[$0...].starts(with: payload) })
        server.queueText(payload)
        #expect(client.receive(server.takeOutput()) == [.text(payload)])
        #expect(client.isIdle && server.isIdle)
    }

    @Test func `a ping is answered by the other side alone`() {
        client.queuePing()
        #expect(server.receive(client.takeOutput()) == [.ping])
        #expect(client.receive(server.takeOutput()) == [.pong])
        #expect(client.takeOutput() == [])
    }

    @Test func `a closing handshake finishes both`() {
        client.queueClose(code: 1000, reason: "bye")
        #expect(server.receive(client.takeOutput()) == [.close(code: 1000, reason: "bye")])
        let answer = server.takeOutput()
        #expect(server.isFinished)
        #expect(client.receive(answer).count == 1)
        #expect(client.isFinished)
    }

    @Test(arguments: [[0x81, 0x81, 0, 0, 0, 0, 0x41], [0xC1, 0x00], [0x89, 126, 0, 126]] as [[UInt8]])
    func `a server's breach fails the client, which says so masked`(bytes: [UInt8]) {
        #expect(client.receive(bytes) == [.failed(code: 1002)])
        #expect(server.receive(client.takeOutput()) == [.close(code: 1002, reason: "")])
    }

    @Test func `noise never crashes and always ends in a close frame or in waiting`() {
        var random = SplitMix(seed: 7)
        for _ in 0..<3000 {
            let engine = WebSocketEngine(
                role: Bool.random(using: &random) ? .server : .client, maxMessageBytes: 500)
            var hasFailed = false
            for _ in 0..<4 {
                var bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    UInt8(truncatingIfNeeded: random.next())
                }
                // Half of them begin like a good frame, or nothing would get past the first byte.
                if bytes.count > 2, Bool.random(using: &random) {
                    bytes[0] = [0x81, 0x01, 0x80, 0x88, 0x89, 0x8A].randomElement(using: &random)!
                    bytes[1] = bytes[1] & 0x8F
                }
                for event in engine.receive(bytes) {
                    if case .failed = event { hasFailed = true }
                }
            }
            if hasFailed { #expect(engine.takeOutput().contains(0x88)) }
            _ = engine.takeOutput()
            #expect(!hasFailed || engine.isFinished)
        }
    }

    @Test func `a stream cut into random pieces gives the same messages`() {
        var random = SplitMix(seed: 11)
        for _ in 0..<50 {
            let client = WebSocketEngine(role: .client, maxMessageBytes: 1000)
            let server = WebSocketEngine(role: .server, maxMessageBytes: 1000)
            let messages = (0..<20).map { _ in
                [UInt8](repeating: 0x61, count: Int.random(in: 0...300, using: &random))
            }
            messages.forEach { client.queueText($0) }
            var rest = client.takeOutput()[...]
            var events: [WebSocketEngine.Event] = []
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...97, using: &random))
                events += server.receive(Array(piece))
                rest = rest.dropFirst(piece.count)
            }
            #expect(events == messages.map { .text($0) })
        }
    }
}
