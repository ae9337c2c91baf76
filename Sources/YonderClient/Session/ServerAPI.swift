import Foundation
import YonderModel

/// Calls to the server's HTTP API for one user: JSON in and out, errors by their codes, a few attempts
/// where the failure may pass. Every call may be repeated: ids are the client's.
struct ServerAPI: Sendable {
    let transport: any ChatTransport
    let tokens: TokenKeeper

    /// Attempts that one call makes at most.
    static let maxAttempts = 3

    /// Calls and reads the answer.
    ///
    /// The body is made anew for each attempt, as it says when it was sent. What has a queue of its own, which
    /// repeats it, gets one attempt.
    func call<Answer: Decodable>(
        _ method: String, _ path: String, as type: Answer.Type, lane: TransportRequest.Lane? = nil,
        attempts: Int = maxAttempts, body: (() -> [UInt8])? = nil
    ) async throws(ClientError) -> Answer {
        let answer = try await perform(method, path, lane: lane, attempts: attempts, body: body)
        do {
            return try WireJSON.decode(type, from: answer)
        } catch {
            throw ClientError(.invalidResponse, "the server's answer cannot be read")
        }
    }

    /// Calls where no answer is of interest.
    func call(_ method: String, _ path: String) async throws(ClientError) {
        _ = try await perform(method, path, lane: nil, attempts: Self.maxAttempts, body: nil)
    }

    /// Reads what is no JSON.
    func bytes(_ path: String) async throws(ClientError) -> [UInt8] {
        try await perform("GET", path, lane: nil, attempts: Self.maxAttempts, body: nil)
    }

    private func perform(
        _ method: String, _ path: String, lane: TransportRequest.Lane?, attempts: Int, body: (() -> [UInt8])?
    ) async throws(ClientError) -> [UInt8] {
        let lane = lane ?? (method == "GET" ? .reads : .actions)
        var backoff = ReconnectBackoff()
        var isFresh = false
        while true {
            let token = await tokens.token
            if await tokens.isOver { throw .notConnected }
            do throws(ClientError) {
                let request = TransportRequest(
                    method: method, path: path, token: token, body: body?(), lane: lane)
                let answer = try await transport.send(request)
                // Another user may be connected by now.
                if await tokens.isOver { throw ClientError.notConnected }
                guard (200...299).contains(answer.status) else { throw Self.error(answer) }
                return answer.body
            } catch {
                // One that nobody here has called off may pass.
                let isAbandoned = error.code == .cancelled && !Task.isCancelled
                let error = isAbandoned ? ClientError(.connectionLost, "the request was broken off") : error
                if error.asksForToken, !isFresh {
                    _ = try await tokens.replacement(for: token, after: error)
                    isFresh = true
                    continue
                }
                let wait = backoff.failed(jitter: .random(in: 0...1))
                guard error.isPassing, backoff.attempts < attempts, !Task.isCancelled else { throw error }
                let asked = error.retryAfter.map { Duration.seconds(min(max($0, 0), 30)) }
                do {
                    try await Task.sleep(for: max(asked ?? .zero, wait))
                } catch {
                    throw .cancelled
                }
            }
        }
    }

    private static func error(_ answer: TransportResponse) -> ClientError {
        if let problem = try? WireJSON.decode(Problem.self, from: answer.body) {
            let error = problem.error
            return ClientError(
                WireError(error.code, error.detail, field: error.field, retryAfter: answer.retryAfter))
        }
        // What stands before the server may say as much. That something is not there, or not allowed, is only to be
        // believed in the server's own words: messages and shares hang on it.
        let code: ErrorCode? =
            switch answer.status {
            case 401: .unauthenticated
            case 413: .payloadTooLarge
            case 429: .rateLimited
            case 500...599: .unavailable
            default: nil
            }
        guard let code else {
            return ClientError(.invalidResponse, "the server answered with status \(answer.status)")
        }
        return ClientError(.server(code), code.title, retryAfter: answer.retryAfter)
    }
}
