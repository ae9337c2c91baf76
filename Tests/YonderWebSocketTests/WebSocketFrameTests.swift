import Testing
import YonderWebSocket

struct WebSocketFrameTests {
    @Test(
        arguments: [
            (0, [0x81, 0]), (125, [0x81, 125]), (126, [0x81, 126, 0, 126]), (65_535, [0x81, 126, 255, 255]),
            (65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])])
    func `the length takes as few bytes as it can`(length: Int, header: [UInt8]) {
        #expect(WebSocketFrame.header(payloadLength: length) == header)
    }

    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536, 200_000])
    func `a client reads the frame back`(length: Int) {
        let payload = [UInt8](repeating: UInt8(ascii: "x"), count: length)
        let client = WebSocketEngine(role: .client, maxMessageBytes: 1 << 20)
        #expect(client.receive(WebSocketFrame.text(payload)) == [.text(payload)])
    }

    @Test func `a long reason is cut between characters`() {
        let client = WebSocketEngine(role: .client, maxMessageBytes: 100)
        let frame = WebSocketFrame.close(code: 4401, reason: String(repeating: "ä", count: 100))
        #expect(client.receive(frame) == [.close(code: 4401, reason: String(repeating: "ä", count: 61))])
    }
}
