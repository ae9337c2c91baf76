import Testing
import YonderWebSocket

struct WebSocketEngineTests {
    private let server = WebSocketEngine(role: .server, maxMessageBytes: 1000)
    private let mask: [UInt8] = [0x11, 0x22, 0x33, 0x44]

    /// A frame as a client sends it.
    private func frame(_ opcode: UInt8, _ payload: [UInt8], final: Bool = true, masked: Bool = true)
        -> [UInt8]
    {
        var bytes = [(final ? 0x80 : 0) | opcode]
        let flag: UInt8 = masked ? 0x80 : 0
        switch payload.count {
        case ..<126: bytes.append(flag | UInt8(payload.count))
        default: bytes += [flag | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        }
        guard masked else { return bytes + payload }
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    private func closeFrame(_ code: UInt16) -> [UInt8] { [0x88, 2, UInt8(code >> 8), UInt8(code & 255)] }

    @Test func `a message split at any byte comes whole`() {
        let bytes = frame(1, Array("hello".utf8)) + frame(1, [UInt8](repeating: 0x41, count: 300))
        let whole: [WebSocketEngine.Event] = [
            .text(Array("hello".utf8)), .text([UInt8](repeating: 0x41, count: 300)),
        ]
        for split in 0...bytes.count {
            let engine = WebSocketEngine(role: .server, maxMessageBytes: 1000)
            let events = engine.receive(Array(bytes[..<split])) + engine.receive(Array(bytes[split...]))
            #expect(events == whole)
            #expect(engine.isIdle)
        }
    }

    @Test func `a half frame keeps the engine busy until the rest arrives`() {
        let bytes = frame(1, Array("split".utf8))
        #expect(server.isIdle)
        for end in 1..<bytes.count {
            #expect(server.receive([bytes[end - 1]]) == [])
            #expect(!server.isIdle)
        }
        #expect(server.receive([bytes.last!]) == [.text(Array("split".utf8))])
        #expect(server.isIdle)
    }

    @Test func `fragments make one message and a ping may stand between them`() {
        #expect(server.receive(frame(1, Array("one ".utf8), final: false)) == [])
        #expect(!server.isIdle)
        #expect(server.receive(frame(9, Array("?".utf8))) == [.ping])
        #expect(server.takeOutput() == [0x8A, 1, UInt8(ascii: "?")])
        #expect(!server.isIdle)
        #expect(server.receive(frame(0, Array("two".utf8))) == [.text(Array("one two".utf8))])
        #expect(server.isIdle)
    }

    @Test func `a letter split over two fragments is good UTF-8`() {
        _ = server.receive(frame(1, [0xC3], final: false))
        #expect(server.receive(frame(0, [0xA4])) == [.text([0xC3, 0xA4])])
    }

    @Test func `binary messages and pongs are told apart`() {
        #expect(server.receive(frame(2, [0, 255])) == [.binary([0, 255])])
        #expect(server.receive(frame(10, [])) == [.pong])
    }

    @Test func `unsent output keeps the engine busy`() {
        _ = server.receive(frame(9, []))
        #expect(!server.isIdle)
        _ = server.takeOutput()
        #expect(server.isIdle)
    }

    @Test(
        arguments: [
            ([0x81, 0x01, 0x41], 1002),  // not masked
            ([0xC1, 0x80, 1, 2, 3, 4], 1002),  // a reserved bit
            ([0x83, 0x80, 1, 2, 3, 4], 1002),  // an unknown opcode
            ([0x80, 0x80, 1, 2, 3, 4], 1002),  // continues nothing
            ([0x09, 0x80, 1, 2, 3, 4], 1002),  // a ping in pieces
            ([0x89, 0xFE, 0, 126, 1, 2, 3, 4], 1002),  // a ping too long
            ([0x81, 0xFE, 0, 1, 1, 2, 3, 4], 1002),  // a length longer than need be
            ([0x81, 0x82, 0, 0, 0, 0, 0xFF, 0xFE], 1007),
            ([0x81, 0x81, 0, 0, 0, 0, 0xC3], 1007),  // ends inside a letter
            ([0x81, 0xFE, 0x03, 0xE9, 1, 2, 3, 4, 5], 1009),  // 1001 bytes
            ([0x81, 0xFF, 0x7F, 255, 255, 255, 255, 255, 255, 255, 1, 2, 3, 4, 5], 1009),
        ] as [([UInt8], UInt16)])
    func `a breach is answered with its close code`(bytes: [UInt8], code: UInt16) {
        #expect(server.receive(bytes) == [.failed(code: code)])
        #expect(!server.isFinished)
        #expect(!server.isIdle)
        #expect(server.takeOutput() == closeFrame(code))
        #expect(server.isFinished)
        #expect(server.receive(frame(1, [0x41])) == [])
        #expect(server.takeOutput() == [])
    }

    @Test func `the limit counts all fragments of a message`() {
        let half = [UInt8](repeating: 0x41, count: 501)
        #expect(server.receive(frame(1, half, final: false)) == [])
        #expect(server.receive(frame(0, half)) == [.failed(code: 1009)])
    }

    @Test func `a message of the limit's size is taken`() {
        let payload = [UInt8](repeating: 0x41, count: 1000)
        #expect(server.receive(frame(1, payload)) == [.text(payload)])
    }

    @Test(arguments: [
        ([] as [UInt8], 0 as UInt16, "", [0x88, 0] as [UInt8]),
        ([0x03, 0xE8], 1000, "", [0x88, 2, 0x03, 0xE8]),
        ([0x0F, 0xA1] + Array("bye ä".utf8), 4001, "bye ä", [0x88, 2, 0x0F, 0xA1]),
    ])
    func `a close is answered once`(payload: [UInt8], code: UInt16, reason: String, answer: [UInt8]) {
        let events = server.receive(frame(8, payload) + frame(1, [0x41]))
        #expect(events == [.close(code: code, reason: reason)])
        // Whether the answer repeats the reason is free (RFC 6455 section 5.5.1).
        let output = server.takeOutput()
        #expect(output.first == answer.first)
        #expect(output.dropFirst(2).prefix(2) == answer.dropFirst(2))
        #expect(server.isFinished)
    }

    @Test(arguments: [999, 1004, 1005, 1006, 1015, 2999, 5000] as [UInt16])
    func `a close code that may not be sent is a breach`(code: UInt16) {
        let events = server.receive(frame(8, [UInt8(code >> 8), UInt8(code & 255)]))
        #expect(events.contains(.failed(code: 1002)))
        #expect(server.takeOutput() == closeFrame(1002))
    }

    @Test func `nothing follows a close of ours and the peer's ends it`() {
        server.queueClose(code: 4401, reason: "expired")
        server.queueText(Array("late".utf8))
        #expect(server.takeOutput() == WebSocketFrame.close(code: 4401, reason: "expired"))
        #expect(!server.isFinished)
        #expect(!server.isIdle)
        #expect(server.receive(frame(8, [0x0F, 0xA1])).first == .close(code: 4001, reason: ""))
        #expect(server.takeOutput() == [])
        #expect(server.isFinished)
    }
}
