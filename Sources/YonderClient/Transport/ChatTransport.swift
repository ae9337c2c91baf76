/// How the client reaches its server. One per client; every call may come from any task.
package protocol ChatTransport: Sendable {
    /// Makes one HTTP request. Cancelled, it returns at once; the server may have got the request.
    ///
    /// - Throws: `ClientError` where there was no whole answer; an answer of any status is returned.
    func send(_ request: TransportRequest) async throws(ClientError) -> TransportResponse

    /// Opens the WebSocket of events. Cancelled, it returns at once.
    ///
    /// - Throws: `ClientError`: `.server(.unauthenticated)` where the token is not taken.
    func openEvents(token: Token) async throws(ClientError) -> any EventLink
}

/// A request to the server's API.
package struct TransportRequest: Sendable {
    /// What waits behind what: requests of one lane may go one after another, those of two never do.
    package enum Lane: Sendable {
        /// What a person does: start, stop, send.
        case actions
        /// Live positions: one that is slow must not hold up the stop of its share.
        case positions
        /// What is only read: however much it is, no action waits for it.
        case reads
    }

    package var method: String
    /// From `/v1` on.
    package var path: String
    package var token: Token
    /// JSON; `nil` = no body.
    package var body: [UInt8]?
    package var lane = Lane.actions
}

/// An answer of the server's API.
package struct TransportResponse: Sendable {
    package var status: Int
    /// Whole seconds.
    package var retryAfter: Int?
    package var body: [UInt8]

    package init(status: Int, retryAfter: Int? = nil, body: [UInt8]) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}

/// One connection for events, from its opening to its end.
package protocol EventLink: Sendable {
    /// The text frames as they came, then why it is over; for one reader. It may also just end.
    var frames: AsyncStream<EventLinkSignal> { get }
    /// The reader has dealt with a frame of so many bytes: a link bounds what waits for its reader.
    func handled(bytes: Int)
    /// Sends one text frame; ignored once the link is over.
    func send(_ text: [UInt8])
    /// Ends the link with code 1000, unless it is over, and waits until nothing of it is at work any more.
    func close() async
}

extension EventLink {
    package func handled(bytes: Int) {}
}

/// What an ``EventLink`` has to say.
package enum EventLinkSignal: Sendable, Hashable {
    case text([UInt8])
    /// The last one. The code is the peer's, 0 where the connection just broke.
    case closed(code: UInt16)
}
