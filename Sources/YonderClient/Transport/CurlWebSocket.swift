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
        /// Bytes that may wait for a peer that does not read: answers to its pings, say.
        private static let maxOutput = 4 * 1024 * 1024
        /// What came along with the handshake.
        private var early: [UInt8] = []

        var hasOutput: Bool { !output.isEmpty }

        /// Connects and shakes hands; blocks at most 20 s.
        ///
        /// The waker ends a wait for the handshake; `isAbandoned` is asked after each: whether nobody wants
        /// it any more.
        init(
            baseURL: String, caFile: String?, token: Token, waker: CurlWaker, isAbandoned: () -> Bool
        ) throws(ClientError) {
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
                try shakeHands(WebSocketHandshake.accept(forKey: key), waker, isAbandoned)
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
        /// - Returns: What came; `nil` when the connection is over, or the peer asks and does not read the answers.
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
                return output.count > Self.maxOutput ? nil : events
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

        private func shakeHands(_ accept: String, _ waker: CurlWaker, _ isAbandoned: () -> Bool) throws {
            let deadline = ContinuousClock.now + .seconds(10)
            var answer = HandshakeAnswer()
            while ContinuousClock.now < deadline {
                if isAbandoned() { throw ClientError.cancelled }
                try sendOutput()
                switch try connection.receive() {
                case .bytes(let bytes): answer.received(bytes)
                case .nothing: connection.wait(toSend: hasOutput, timeout: .seconds(1), waker: waker)
                case .end: answer.ended()
                }
                switch answer.outcome(accept: accept) {
                case .incomplete: break
                case .accepted(let rest):
                    early = rest
                    return
                case .failed(let error): throw error
                }
            }
            throw ClientError(.timedOut, "the server did not answer the handshake")
        }
    }

    @available(*, unavailable)
    extension CurlWebSocket: Sendable {}
#endif
