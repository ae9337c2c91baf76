import Testing
import YonderWebSocket

struct WebSocketHandshakeTests {
    @Test func `the key of RFC 6455 gets its answer`() {
        #expect(
            WebSocketHandshake.accept(forKey: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test(arguments: [
        ("dGhlIHNhbXBsZSBub25jZQ==", true), ("+/+/+/+/+/+/+/+/+/+/+w==", true), ("", false),
        ("dGhlIHNhbXBsZSBub25jZQ", false), ("dGhlIHNhbXBsZSBub25jZQ=a", false),
        ("dGhlIHNhbXBsZSBub25jZ===", false), ("dGhlIHNhbXBsZSBub25-ZQ==", false),
        ("dGhlIHNhbXBsZSBub25jZQ==x", false), ("dGhlIHNhbXBsZSBub25 ZQ==", false),
    ])
    func `a key is sixteen bytes in base 64`(key: String, isValid: Bool) {
        #expect(WebSocketHandshake.isValidKey(key) == isValid)
    }
}
