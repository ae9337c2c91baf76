import Testing

@testable import YonderClient

struct CurlEventLinkTests {
    @Test(arguments: [(isHandled: false, expected: 32), (isHandled: true, expected: 40)])
    func `a link whose reader falls behind ends before it fills the memory`(
        _ isHandled: Bool, _ expected: Int
    ) async throws {
        let text = String(repeating: "x", count: 1_048_576)
        let server = RawServer { _ in
            .webSocket { peer in
                for _ in 0..<40 {
                    peer.sendText(text)
                    if peer.nextText() == nil { return }  // the reader has it
                }
                peer.sendClose(4400)
                _ = peer.nextText()
            }
        }
        let link = try await CurlEventLink.open(baseURL: server.url, caFile: nil, token: "t")
        var frames = 0
        for await signal in link.frames {
            switch signal {
            case .closed(let code): #expect(code == (isHandled ? 4400 : 0))
            case .text(let bytes):
                frames += 1
                if isHandled { link.handled(bytes: bytes.count) }
                link.send([0x78])
            }
        }
        #expect(frames == expected)
    }
}
