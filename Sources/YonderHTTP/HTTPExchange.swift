import Synchronization

/// One request on its way through the server.
///
/// MHD holds it from the first call for a request to the last; the handler's task holds it too. A reply
/// comes from the task or, when the server stops, from the server: `finish` lets the first one win, and
/// tells exactly one caller that the connection is suspended and must be resumed.
final class HTTPExchange: Sendable {
    private enum Phase {
        case reading
        case running
        case suspended
        case done(HTTPReply)
    }

    private struct State {
        var phase = Phase.reading
        var body: [UInt8] = []
        var bytesReceived = 0
    }

    let head: HTTPRequestHead
    /// The method as it came; `head` shows HEAD as GET.
    let method: String
    let version: String
    let bodyLimit: Int
    private let state = Mutex(State())

    init(head: HTTPRequestHead, method: String, version: String, bodyLimit: Int) {
        self.head = head
        self.method = method
        self.version = version
        self.bodyLimit = bodyLimit
    }

    /// Keeps a piece of the body, or only counts it once the limit is passed.
    ///
    /// - Returns: Bytes over the limit so far.
    func append(_ piece: UnsafeRawBufferPointer) -> Int {
        state.withLock { state in
            state.bytesReceived += piece.count
            if state.bytesReceived > bodyLimit {
                state.body = []
            } else {
                state.body.append(contentsOf: piece)
            }
            return max(0, state.bytesReceived - bodyLimit)
        }
    }

    var isTooLarge: Bool { state.withLock { $0.bytesReceived > bodyLimit } }

    /// The reply, once there is one.
    var reply: HTTPReply? {
        state.withLock { state in
            switch state.phase {
            case .done(let reply): reply
            case .reading, .running, .suspended: nil
            }
        }
    }

    /// The request is whole and goes to its handler.
    func begin() -> HTTPRequest {
        state.withLock { state in
            state.phase = .running
            defer { state.body = [] }
            return HTTPRequest(head: head, body: state.body)
        }
    }

    /// The connection is suspended now.
    ///
    /// - Returns: False when the reply came before: whoever suspended must resume.
    func markSuspended() -> Bool {
        state.withLock { state in
            guard case .running = state.phase else { return false }
            state.phase = .suspended
            return true
        }
    }

    /// Takes `reply` unless there is one.
    ///
    /// - Returns: Whether the caller must resume the connection.
    func finish(_ reply: HTTPReply) -> Bool {
        state.withLock { state in
            switch state.phase {
            case .done:
                return false
            case .reading, .running:
                state.phase = .done(reply)
                return false
            case .suspended:
                state.phase = .done(reply)
                return true
            }
        }
    }
}
