/// What a server does with its requests. Called on the server's threads, many at a time.
public protocol HTTPService: Sendable {
    /// Largest body in bytes this request may carry; asked once, before the body is read.
    func bodyLimit(for head: HTTPRequestHead) -> Int

    /// The answer to a request that ``respond(to:)`` does not answer.
    func failure(_ failure: HTTPFailure, for head: HTTPRequestHead) -> HTTPResponse

    /// The answer to a request that has come whole.
    ///
    /// Starts on the thread that read the request; an answer given without suspending goes out at once,
    /// so work that never awaits must be short. Its task is cancelled when the server stops and the time
    /// for it is over; a client that goes away meanwhile is not noticed.
    func respond(to request: HTTPRequest) async -> HTTPReply
}

/// Why a request did not get its service's answer.
public enum HTTPFailure: Sendable, Equatable {
    /// The body is larger than the service allows (413). Where it is more than 1 MiB larger, the
    /// connection closes with the answer, or, sent in chunks of unknown number, without one.
    case bodyTooLarge
    /// The service accepted a WebSocket, the request is no proper handshake (400, or 426 with
    /// `Sec-WebSocket-Version: 13`).
    case badWebSocketHandshake
    /// Where the body ends can be read in two ways, as by a proxy in front and by us (400); the connection
    /// closes with the answer (RFC 9112 section 6.3).
    case ambiguousFraming
    /// The server is stopping (503).
    case stopping
}
