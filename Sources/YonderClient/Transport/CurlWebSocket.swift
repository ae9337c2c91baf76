#if os(Linux)
    import Foundation
    import YonderCurl
    import YonderModel
    import YonderWebSocket

    /// The client's end of a WebSocket: libcurl's bytes and wslay's frames. One thread's; not Sendable.
    final class CurlWebSocket {
        let engine = WebSocketEngine(role: .client, maxMessageBytes: 16 * 1024 * 1024)
        private let connection: CurlConnection
        private var output: [UInt8] = []
        /// What came along with the handshake.
        private var early: [UInt8] = []
        private static let maxHeadBytes = 16_384

        var hasOutput: Bool { !output.isEmpty }

        /// Connects and shakes hands; blocks at most 20 s.
        init(baseURL: String, caFile: String?, token: Token) throws(ClientError) {
            guard let url = URL(string: baseURL), let host = url.host(percentEncoded: true) else {
                throw ClientError(.invalidURL, "the server's address is no URL with a host")
            }
            do {
                connection = try CurlConnection(url: baseURL, caFile: caFile)
            } catch {
                throw ClientError(error)
            }
            let key = Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
            let name = host.contains(":") ? "[\(host)]" : host
            let request = [
                "GET \(url.path(percentEncoded: true))/v1/events HTTP/1.1",
                "Host: \(url.port.map { "\(name):\($0)" } ?? name)",
                "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
                "Authorization: Bearer \(token.rawValue)", "", "",
            ].joined(separator: "\r\n")
            do {
                output = Array(request.utf8)
                try shakeHands(accept: WebSocketHandshake.accept(forKey: key))
            } catch let error as CurlError {
                throw ClientError(error)
            } catch let error as ClientError {
                throw error
            } catch {
                throw ClientError(.connectionLost, "the connection broke off")
            }
        }

        /// Sends what can be sent and reads what is there.
        ///
        /// - Returns: What came; `nil` when the connection is over.
        func exchange() -> [WebSocketEngine.Event]? {
            do {
                try sendOutput()
                var events: [WebSocketEngine.Event] = []
                if !early.isEmpty {
                    events += engine.receive(early)
                    early = []
                }
                reading: while true {
                    switch try connection.receive() {
                    case .bytes(let bytes): events += engine.receive(bytes)
                    case .nothing: break reading
                    case .end: return events.isEmpty ? nil : events
                    }
                    // One turn's share: what is read is handed on before more is taken.
                    if events.count > 256 { break }
                }
                try sendOutput()
                return events
            } catch {
                return nil
            }
        }

        func wait(_ waker: CurlWaker) {
            connection.wait(toSend: hasOutput, timeout: .seconds(1), waker: waker)
        }

        private func sendOutput() throws(CurlError) {
            output += engine.takeOutput()
            while !output.isEmpty {
                let sent = try connection.send(output[...])
                if sent == 0 { return }
                output.removeFirst(sent)
            }
        }

        private func shakeHands(accept: String) throws {
            let deadline = ContinuousClock.now + .seconds(10)
            var head: [UInt8] = []
            while ContinuousClock.now < deadline {
                try sendOutput()
                switch try connection.receive() {
                case .bytes(let bytes): head += bytes
                case .nothing: connection.wait(toSend: hasOutput, timeout: .seconds(1))
                case .end: throw ClientError(.connectionLost, "the server closed the connection")
                }
                if let end = head.firstRange(of: Array("\r\n\r\n".utf8)) {
                    early = Array(head[end.upperBound...])
                    return try Self.check(head[..<end.lowerBound], accept: accept)
                }
                guard head.count <= Self.maxHeadBytes else {
                    throw ClientError(.invalidResponse, "the server's handshake is too long")
                }
            }
            throw ClientError(.timedOut, "the server did not answer the handshake")
        }

        private static func check(_ head: ArraySlice<UInt8>, accept: String) throws(ClientError) {
            let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
            let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            guard status == 101 else { throw refusal(status) }
            let isAccepted = lines.dropFirst().contains { line in
                guard let colon = line.firstIndex(of: ":") else { return false }
                return line[..<colon].lowercased() == "sec-websocket-accept"
                    && line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces) == accept
            }
            guard isAccepted else {
                throw ClientError(.invalidResponse, "the server's handshake is not a WebSocket's")
            }
        }

        private static func refusal(_ status: Int) -> ClientError {
            switch status {
            case 401: ClientError(.server(.unauthenticated), "the server does not take the token")
            case 403: ClientError(.server(.forbidden), "the server does not allow the connection")
            case 429: ClientError(.server(.rateLimited), "too many connections")
            case 500...: ClientError(.server(.unavailable), "the server is not available (\(status))")
            default: ClientError(.invalidResponse, "no server of this kind answers there (\(status))")
            }
        }
    }

    @available(*, unavailable)
    extension CurlWebSocket: Sendable {}
#endif
