import Foundation
import Synchronization

@testable import YonderHTTP

/// A delegate that echoes unless told otherwise, and counts.
final class TestDelegate: WebSocketLoopDelegate, Sendable {
    struct Counts {
        var opened = 0
        var closed = 0
        var writable = 0
        var polls = 0
        var contexts: [String] = []
    }

    typealias Action = @Sendable (WebSocketConnection, String) -> Void

    private let state = Mutex(Counts())
    private let onText: Action
    private let onWritable: @Sendable (WebSocketConnection) -> Void
    private let nextPoll: @Sendable (ContinuousClock.Instant, Int) -> ContinuousClock.Instant?

    init(
        onText: @escaping Action = { $0.send(text: Array($1.utf8)) },
        onWritable: @escaping @Sendable (WebSocketConnection) -> Void = { _ in },
        nextPoll: @escaping @Sendable (ContinuousClock.Instant, Int) -> ContinuousClock.Instant? = { _, _ in
            nil
        }
    ) {
        self.onText = onText
        self.onWritable = onWritable
        self.nextPoll = nextPoll
    }

    var counts: Counts { state.withLock { $0 } }

    func opened(_ connection: WebSocketConnection) {
        state.withLock { state in
            state.opened += 1
            state.contexts.append(connection.context as? String ?? "?")
        }
    }

    func received(_ connection: WebSocketConnection, text: [UInt8]) {
        onText(connection, String(decoding: text, as: UTF8.self))
    }

    func writable(_ connection: WebSocketConnection) {
        state.withLock { $0.writable += 1 }
        onWritable(connection)
    }

    func closed(_ connection: WebSocketConnection) { state.withLock { $0.closed += 1 } }

    func poll(now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        nextPoll(
            now,
            state.withLock { state in
                state.polls += 1
                return state.polls
            })
    }
}

extension WebSocketLoop {
    /// `stop` joins a thread: it must not hold up the few that tests share.
    func stopElsewhere(code: UInt16 = 1001) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                self.stop(code: code)
                continuation.resume()
            }
        }
    }
}

/// Runs `body` against a server that accepts every WebSocket, with the path as its context.
func withLoop(
    _ delegate: TestDelegate, configure: (inout HTTPServerConfiguration) -> Void = { _ in },
    _ body: (HTTPServer, WebSocketLoop, _ port: Int) async throws -> Void
) async throws {
    try await withLoop(WebSocketLoop { delegate }, configure: configure, body)
}

/// The same with a loop of the caller's own.
func withLoop(
    _ loop: WebSocketLoop, configure: (inout HTTPServerConfiguration) -> Void = { _ in },
    _ body: (HTTPServer, WebSocketLoop, _ port: Int) async throws -> Void
) async throws {
    loop.start()
    let service = TestService { request in
        if request.path == "/later" { await Task.yield() }
        return .webSocket(
            WebSocketAcceptance(
                subprotocol: request.headers["Sec-WebSocket-Protocol"], headers: ["X-More": "1"],
                context: request.path, loop: loop))
    }
    do {
        try await withServer(service, configure: configure) { server, port in
            try await body(server, loop, port)
        }
    } catch {
        await loop.stopElsewhere()
        throw error
    }
    await loop.stopElsewhere()
}
