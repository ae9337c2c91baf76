import Testing
import YonderModel

@testable import YonderClient

struct HandshakeAnswerTests {
    private static let expired = """
        {"type":"about:blank","title":"t","status":401,"detail":"the token has expired",\
        "code":"token_expired","request_id":"r"}
        """

    private static func outcome(_ text: String, isOver: Bool = false) -> HandshakeAnswer.Outcome {
        var answer = HandshakeAnswer()
        answer.received(Array(text.utf8))
        if isOver { answer.ended() }
        return answer.outcome(accept: "yes")
    }

    private static func code(_ outcome: HandshakeAnswer.Outcome) -> ClientError.Code? {
        if case .failed(let error) = outcome { error.code } else { nil }
    }

    @Test func `a switch of protocols is taken with what came along`() {
        let answer = "HTTP/1.1 101 X\r\nSEC-WebSocket-accept:  yes \r\n\r\n"
        #expect(Self.outcome(answer + "ab") == .accepted(Array("ab".utf8)))
        for length in 0..<answer.utf8.count {
            #expect(Self.outcome(String(decoding: answer.utf8.prefix(length), as: UTF8.self)) == .incomplete)
        }
    }

    @Test func `a refusal is waited for and told in the server's words`() {
        let head = "HTTP/1.1 401 X\r\nContent-Length: \(Self.expired.utf8.count)\r\n\r\n"
        #expect(Self.outcome(head) == .incomplete)
        #expect(Self.outcome(head + Self.expired.dropLast()) == .incomplete)
        #expect(Self.code(Self.outcome(head + Self.expired)) == .server(.tokenExpired))
        #expect(Self.code(Self.outcome(head + Self.expired + "HTTP/1.1")) == .server(.tokenExpired))
        #expect(Self.code(Self.outcome(head, isOver: true)) == .server(.unauthenticated))
    }

    @Test(
        arguments: [
            ("HTTP/1.1 401 X\r\n\r\n", .server(.unauthenticated)),
            ("HTTP/1.1 403 X\r\nContent-Length: x\r\n\r\n", .invalidResponse),
            ("HTTP/1.1 404 X\r\nContent-Length: -9\r\n\r\n", .invalidResponse),
            ("HTTP/1.1 503 X\r\nContent-Length: 3\r\n\r\n{}}", .server(.unavailable)),
            ("HTTP/1.1 101 X\r\nSec-WebSocket-Accept: no\r\n\r\n", .invalidResponse),
            ("\r\n\r\n", .invalidResponse), (String(repeating: "x", count: 20_000), .invalidResponse),
        ] as [(String, ClientError.Code)])
    func `anything else is refused`(_ text: String, _ code: ClientError.Code) {
        #expect(Self.code(Self.outcome(text)) == code)
    }

    @Test func `a body longer than anybody reads is not waited for`() {
        let head = "HTTP/1.1 401 X\r\nContent-Length: 999999999\r\n\r\n"
        #expect(Self.code(Self.outcome(head + String(repeating: "x", count: 16_384))) != nil)
    }
}
