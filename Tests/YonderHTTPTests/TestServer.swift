import Synchronization

@testable import YonderHTTP

/// A service made of a closure.
struct TestService: HTTPService {
    var limit = 1000
    var answer: @Sendable (HTTPRequest) async -> HTTPReply

    func bodyLimit(for head: HTTPRequestHead) -> Int { limit }

    func respond(to request: HTTPRequest) async -> HTTPReply { await answer(request) }

    func failure(_ failure: HTTPFailure, for head: HTTPRequestHead) -> HTTPResponse {
        switch failure {
        case .bodyTooLarge: HTTPResponse(status: 413, body: .bytes(Array("too large".utf8)))
        case .badWebSocketHandshake: HTTPResponse(status: 426, headers: ["Sec-WebSocket-Version": "13"])
        case .ambiguousFraming: HTTPResponse(status: 400)
        case .stopping: HTTPResponse(status: 503)
        }
    }
}

func text(_ text: String, status: Int = 200) -> HTTPReply {
    .response(HTTPResponse(status: status, body: .bytes(Array(text.utf8))))
}

/// Runs `body` against a listening server and stops the server whatever happens.
func withServer(
    _ service: TestService, configure: (inout HTTPServerConfiguration) -> Void = { _ in },
    _ body: (HTTPServer, _ port: Int) async throws -> Void
) async throws {
    var configuration = HTTPServerConfiguration()
    configure(&configuration)
    let server = HTTPServer(configuration: configuration, service: service)
    let port = try server.start()
    do {
        try await body(server, port)
    } catch {
        await server.stop(within: .zero)
        throw error
    }
    await server.stop(within: .seconds(2))
}

extension HTTPServer {
    var liveCount: Int { liveRequests.load(ordering: .relaxed) }
    var isOnItsWayOut: Bool { isStopping.load(ordering: .relaxed) }
}

/// Waits for something another thread does, at most 5 s.
func eventually(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(5)
    while !condition() {
        guard ContinuousClock.now < deadline else { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}

/// A gate that handlers wait at until the test opens it.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var arrived: Int { state.withLock { $0.arrived } }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.arrived += 1
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
