import Foundation
import YonderModel

/// A server's answer to the handshake of a WebSocket, as it comes in: a switch of protocols, or a refusal
/// with the server's own words in its body.
struct HandshakeAnswer {
    enum Outcome: Hashable {
        case incomplete
        /// It is a WebSocket now; these bytes came along.
        case accepted([UInt8])
        case failed(ClientError)
    }

    private static let maxBytes = 16_384

    private var bytes: [UInt8] = []
    private var isOver = false

    mutating func received(_ more: [UInt8]) { bytes += more }

    /// The server sends no more.
    mutating func ended() { isOver = true }

    /// What it came to so far, where `accept` is what the server has to answer to the key.
    func outcome(accept: String) -> Outcome {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            if bytes.count > Self.maxBytes {
                return .failed(ClientError(.invalidResponse, "the server's handshake is too long"))
            }
            guard isOver else { return .incomplete }
            return .failed(ClientError(.connectionLost, "the server closed the connection"))
        }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let rest = bytes[end.upperBound...]
        if status == 101 {
            guard Self.value(of: "sec-websocket-accept", in: lines) == accept else {
                return .failed(
                    ClientError(.invalidResponse, "the server's handshake is not a WebSocket's"))
            }
            return .accepted(Array(rest))
        }
        let said = Self.value(of: "content-length", in: lines).flatMap { Int($0) }
        let length = said.map { min(max($0, 0), Self.maxBytes) }
        guard isOver || rest.count >= length ?? 0 else { return .incomplete }
        return .failed(Self.refusal(status, body: Array(rest.prefix(length ?? Self.maxBytes))))
    }

    private static func value(of name: String, in lines: [Substring]) -> String? {
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else { continue }
            return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        return nil
    }

    private static func refusal(_ status: Int, body: [UInt8]) -> ClientError {
        if let problem = try? WireJSON.decode(Problem.self, from: body) { return ClientError(problem.error) }
        return switch status {
        case 401: ClientError(.server(.unauthenticated), "the server does not take the token")
        case 429: ClientError(.server(.rateLimited), "too many connections")
        case 500...: ClientError(.server(.unavailable), "the server is not available (\(status))")
        default: ClientError(.invalidResponse, "no server of this kind answers there (\(status))")
        }
    }
}
