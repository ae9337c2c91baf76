#if canImport(Darwin)
    package import Foundation

    /// Foundation's own HTTP and WebSocket, on Apple platforms.
    package final class URLSessionTransport: ChatTransport {
        private let session: URLSession
        private let baseURL: URL

        package init(baseURL: URL) {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpShouldSetCookies = false
            session = URLSession(configuration: configuration)
            self.baseURL = baseURL
        }

        package func send(_ request: TransportRequest) async throws(ClientError) -> TransportResponse {
            var base = baseURL.absoluteString
            while base.hasSuffix("/") { base.removeLast() }
            // Not `appending(path:)`, which takes a query for a part of the path.
            guard let url = URL(string: base + request.path) else {
                throw ClientError(.invalidURL, "the server's address is no URL")
            }
            var message = URLRequest(url: url, timeoutInterval: 30)
            message.httpMethod = request.method
            message.setValue("Bearer \(request.token.rawValue)", forHTTPHeaderField: "Authorization")
            if let body = request.body {
                message.httpBody = Data(body)
                message.setValue("application/json", forHTTPHeaderField: "Content-Type")
            }
            do {
                let (data, response) = try await session.data(for: message)
                guard let answer = response as? HTTPURLResponse else {
                    throw ClientError(.invalidResponse, "the answer is not HTTP")
                }
                return TransportResponse(
                    status: answer.statusCode,
                    retryAfter: answer.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) },
                    body: Array(data))
            } catch {
                throw Self.clientError(error)
            }
        }

        package func openEvents(token: Token) async throws(ClientError) -> any EventLink {
            guard var parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true) else {
                throw ClientError(.invalidURL, "the server's address is no URL")
            }
            parts.scheme = parts.scheme == "https" ? "wss" : "ws"
            guard let url = parts.url?.appending(path: "v1/events") else {
                throw ClientError(.invalidURL, "the server's address is no URL")
            }
            var request = URLRequest(url: url)
            request.setValue("Bearer \(token.rawValue)", forHTTPHeaderField: "Authorization")
            return URLSessionEventLink(session.webSocketTask(with: request))
        }

        private static func clientError(_ error: any Error) -> ClientError {
            switch error {
            case let error as ClientError: error
            case is CancellationError: .cancelled
            case let error as URLError where error.code == .timedOut:
                ClientError(.timedOut, "the server did not answer in time")
            case let error as URLError where error.code == .cannotConnectToHost:
                ClientError(.cannotConnect, "nobody answers at the server's address")
            case let error as URLError where error.code == .serverCertificateUntrusted:
                ClientError(.untrusted, "the server's certificate is not to be trusted")
            default: ClientError(.connectionLost, "the connection broke off")
            }
        }
    }

    /// A `URLSessionWebSocketTask` as an event link.
    final class URLSessionEventLink: EventLink {
        let frames: AsyncStream<EventLinkSignal>
        private let task: URLSessionWebSocketTask

        init(_ task: URLSessionWebSocketTask) {
            self.task = task
            task.resume()
            frames = AsyncStream {
                guard task.closeCode == .invalid else { return nil }
                do {
                    switch try await task.receive() {
                    case .string(let text): return .text(Array(text.utf8))
                    case .data(let data): return .text(Array(data))
                    @unknown default: return .closed(code: 0)
                    }
                } catch {
                    let code = task.closeCode.rawValue
                    task.cancel()
                    return .closed(code: UInt16(clamping: code))
                }
            }
        }

        func send(_ text: [UInt8]) {
            task.send(.string(String(decoding: text, as: UTF8.self))) { _ in }
        }

        func close() async { task.cancel(with: .normalClosure, reason: nil) }
    }
#endif
