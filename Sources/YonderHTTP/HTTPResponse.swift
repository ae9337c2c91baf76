/// An answer to a request.
///
/// `Date`, `Content-Length`, `Connection` and `Transfer-Encoding` are the server's to write. A header
/// that cannot stand on the wire (a line break in it, an empty name) is left out.
public struct HTTPResponse: Sendable {
    /// What follows the head.
    public enum Body: Sendable {
        /// Nothing.
        case none
        /// These bytes.
        case bytes([UInt8])
        /// The regular file at `path`, as long as it is when the answer starts. 404 with no body where
        /// it cannot be opened, 503 where no descriptor is left.
        case file(path: String)
    }

    /// 200...599.
    public var status: Int
    public var headers: HTTPHeaders
    public var body: Body

    public init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: Body = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// What a service makes of a request.
public enum HTTPReply: Sendable {
    /// This answer.
    case response(HTTPResponse)
    /// The connection becomes a WebSocket, if the request asked for one properly; otherwise the service's
    /// `failure(.badWebSocketHandshake, for:)` is the answer.
    case webSocket(WebSocketAcceptance)
}

/// Where an accepted WebSocket goes and what it takes along.
public struct WebSocketAcceptance: Sendable {
    /// The value of `Sec-WebSocket-Protocol` in the answer, one of those the client offered. `nil`: none.
    public var subprotocol: String?
    /// More fields for the 101 answer.
    public var headers: HTTPHeaders
    /// What the connection carries as its `context`: who it belongs to.
    public var context: any Sendable
    /// The loop that adopts the socket.
    public var loop: WebSocketLoop

    public init(
        subprotocol: String? = nil, headers: HTTPHeaders = HTTPHeaders(), context: any Sendable,
        loop: WebSocketLoop
    ) {
        self.subprotocol = subprotocol
        self.headers = headers
        self.context = context
        self.loop = loop
    }
}
