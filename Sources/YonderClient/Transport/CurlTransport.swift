#if os(Linux)
    package import Foundation
    import YonderCurl

    /// libcurl for HTTP and for the WebSocket's bytes: Foundation has no WebSocket on Linux.
    package final class CurlTransport: ChatTransport {
        /// One a lane: each makes its requests one after another.
        private let actions: CurlHTTP
        private let positions: CurlHTTP
        private let reads: CurlHTTP
        private let baseURL: String
        private let caFile: String?
        private let silenceLimit: Duration

        /// - Parameters:
        ///   - baseURL: Where the server is.
        ///   - caFile: PEM file of the certificates to trust; `nil` = the system's.
        ///   - silenceLimit: Silence after which a connection for events is called dead; the server says something
        ///     every 25 s. Default 60 s. A request is given up after as long, at most after 10 s.
        package init(baseURL: URL, caFile: String?, silenceLimit: Duration = .seconds(60)) {
            self.silenceLimit = silenceLimit
            var text = baseURL.absoluteString
            while text.hasSuffix("/") { text.removeLast() }
            self.baseURL = text
            self.caFile = caFile
            actions = CurlHTTP(caFile: caFile)
            positions = CurlHTTP(caFile: caFile)
            // An account's export is the largest answer.
            reads = CurlHTTP(caFile: caFile, maxBodyBytes: 256 * 1024 * 1024)
        }

        package func send(_ request: TransportRequest) async throws(ClientError) -> TransportResponse {
            var headers = [
                (name: "Authorization", value: "Bearer \(request.token.rawValue)"),
                (name: "Accept", value: "application/json"),
            ]
            if request.body != nil { headers.append((name: "Content-Type", value: "application/json")) }
            let answer = try await Self.perform(
                CurlRequest(
                    method: request.method, url: baseURL + request.path, headers: headers,
                    body: request.body, timeout: .seconds(60), silenceLimit: min(silenceLimit, .seconds(10))),
                on: http(of: request.lane))
            return TransportResponse(
                status: answer.status, retryAfter: answer.header("Retry-After").flatMap { Int($0) },
                body: answer.body)
        }

        private func http(of lane: TransportRequest.Lane) -> CurlHTTP {
            switch lane {
            case .actions: actions
            case .positions: positions
            case .reads: reads
            }
        }

        /// libcurl's call blocks its thread to its end: a caller that is cancelled does not wait for that.
        private static func perform(
            _ request: CurlRequest, on http: CurlHTTP
        ) async throws(ClientError) -> CurlResponse {
            let (results, result) = AsyncStream<Result<CurlResponse, ClientError>>.makeStream()
            let work = Task {
                do throws(CurlError) {
                    result.yield(.success(try await http.perform(request)))
                } catch {
                    result.yield(.failure(ClientError(error)))
                }
            }
            // One that has not begun is not made any more.
            return try await withTaskCancellationHandler {
                for await first in results { return first }
                return .failure(.cancelled)
            } onCancel: {
                work.cancel()
            }.get()
        }

        package func openEvents(token: Token) async throws(ClientError) -> any EventLink {
            try await CurlEventLink.open(
                baseURL: baseURL, caFile: caFile, token: token, silenceLimit: silenceLimit)
        }
    }

    extension ClientError {
        init(_ error: CurlError) {
            let code: Code =
                switch error.code {
                case .invalidRequest: .invalidURL
                case .cannotConnect: .cannotConnect
                case .timedOut: .timedOut
                case .untrusted: .untrusted
                case .tooLarge: .invalidResponse
                case .cancelled: .cancelled
                default: .connectionLost
                }
            self.init(code, error.message)
        }
    }
#endif
