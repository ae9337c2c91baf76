#if os(Linux)
    package import Foundation
    import YonderCurl

    /// libcurl for HTTP and for the WebSocket's bytes: Foundation has no WebSocket on Linux.
    package final class CurlTransport: ChatTransport {
        private let http: CurlHTTP
        private let baseURL: String
        private let caFile: String?

        package init(baseURL: URL, caFile: String?) {
            var text = baseURL.absoluteString
            while text.hasSuffix("/") { text.removeLast() }
            self.baseURL = text
            self.caFile = caFile
            http = CurlHTTP(caFile: caFile)
        }

        package func send(_ request: TransportRequest) async throws(ClientError) -> TransportResponse {
            var headers = [
                (name: "Authorization", value: "Bearer \(request.token.rawValue)"),
                (name: "Accept", value: "application/json"),
            ]
            if request.body != nil { headers.append((name: "Content-Type", value: "application/json")) }
            do {
                let answer = try await http.perform(
                    CurlRequest(
                        method: request.method, url: baseURL + request.path, headers: headers,
                        body: request.body))
                return TransportResponse(
                    status: answer.status, retryAfter: answer.header("Retry-After").flatMap { Int($0) },
                    body: answer.body)
            } catch {
                throw ClientError(error)
            }
        }

        package func openEvents(token: Token) async throws(ClientError) -> any EventLink {
            try await CurlEventLink.open(baseURL: baseURL, caFile: caFile, token: token)
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
                default: .connectionLost
                }
            self.init(code, error.message)
        }
    }
#endif
