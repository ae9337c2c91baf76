/// Everything of a request but its body.
public struct HTTPRequestHead: Sendable {
    /// The method in capitals as it came, except that HEAD reads `GET`: it gets the GET answer, of which
    /// the server sends the head alone.
    public var method: String
    /// The target's path, percent-encoded as it came, without the query.
    public var path: String
    /// The target's query, decoded.
    public var query: HTTPQuery
    /// The header fields. Bytes that are not UTF-8 read U+FFFD.
    public var headers: HTTPHeaders
    /// The client's numeric address without port, `""` where unknown. IPv4 in IPv6 reads as IPv4. That is the
    /// connection's other end, or whom a trusted proxy names.
    public var peer: String

    public init(
        method: String, path: String, query: HTTPQuery = HTTPQuery(), headers: HTTPHeaders = HTTPHeaders(),
        peer: String = ""
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.peer = peer
    }
}

/// A request that has come whole.
public struct HTTPRequest: Sendable {
    public var head: HTTPRequestHead
    /// The body without transfer coding, at most what the service allowed; empty where there is none.
    public var body: [UInt8]

    public init(head: HTTPRequestHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    public var method: String { head.method }
    public var path: String { head.path }
    public var query: HTTPQuery { head.query }
    public var headers: HTTPHeaders { head.headers }
    public var peer: String { head.peer }
}
