public import YonderModel

/// Why an action of the client failed. Never holds a position, a token or message text.
public struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, to switch over; more may be added.
    public struct Code: Hashable, Sendable {
        private enum Own: String {
            case notConnected, cannotConnect, timedOut, untrusted, connectionLost, invalidResponse
            case invalidToken, tokenUnavailable, invalidURL, cancelled, noActiveShare
            case expired, localStoreUnavailable
        }

        private enum Kind: Hashable {
            case server(ErrorCode)
            case own(Own)
        }

        private let kind: Kind

        private init(_ kind: Kind) { self.kind = kind }

        /// The server refused, with its own code.
        public static func server(_ code: ErrorCode) -> Code { Code(.server(code)) }
        /// `connectUser` has not been called, or `disconnect` has.
        public static let notConnected = Code(.own(.notConnected))
        /// Nobody answers at the server's address.
        public static let cannotConnect = Code(.own(.cannotConnect))
        /// It took too long.
        public static let timedOut = Code(.own(.timedOut))
        /// TLS failed, or the server's certificate is not to be trusted.
        public static let untrusted = Code(.own(.untrusted))
        /// The connection broke off.
        public static let connectionLost = Code(.own(.connectionLost))
        /// The server's answer is none of this protocol.
        public static let invalidResponse = Code(.own(.invalidResponse))
        /// The token is malformed, or another user's.
        public static let invalidToken = Code(.own(.invalidToken))
        /// The app's token provider could not give one for the moment; the client asks again.
        public static let tokenUnavailable = Code(.own(.tokenUnavailable))
        /// The server's address is none.
        public static let invalidURL = Code(.own(.invalidURL))
        /// The caller gave up, or a newer call took this one's place. The server may have got the request.
        public static let cancelled = Code(.own(.cancelled))
        /// No live share is on that this device feeds.
        public static let noActiveShare = Code(.own(.noActiveShare))
        /// A live share's end came before the server could be told of its start.
        public static let expired = Code(.own(.expired))
        /// The local store cannot be opened or written.
        public static let localStoreUnavailable = Code(.own(.localStoreUnavailable))

        /// The code as one word, to be kept: the server's has `server.` before it.
        var word: String {
            switch kind {
            case .server(let code): "server.\(code.wire)"
            case .own(let own): own.rawValue
            }
        }

        /// The code of a word that was kept; ``invalidResponse`` for one that there is no more.
        init(word: String) {
            if word.hasPrefix("server.") {
                kind = .server(ErrorCode(wire: String(word.dropFirst(7))))
            } else {
                kind = .own(Own(rawValue: word) ?? .invalidResponse)
            }
        }

        /// The server's code; `nil` where it was not the server that refused.
        public var serverCode: ErrorCode? {
            if case .server(let code) = kind { code } else { nil }
        }
    }

    /// What went wrong.
    public let code: Code
    /// One sentence for people.
    public let message: String
    /// Seconds to wait before trying again, where the server said so.
    public let retryAfter: Int?

    init(_ code: Code, _ message: String, retryAfter: Int? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    init(_ error: WireError) {
        self.init(
            .server(error.code),
            error.field.map { "\(error.detail) (\($0))" } ?? error.detail, retryAfter: error.retryAfter)
    }

    static let notConnected = ClientError(.notConnected, "the client is not connected")
    static let cancelled = ClientError(.cancelled, "the action was cancelled")

    public var description: String { message }

    /// Whether the same may work a moment later: nobody answers, or what answers is not the server, as in a
    /// network that first wants to show its own page.
    package var isPassing: Bool {
        switch code {
        case .cannotConnect, .timedOut, .connectionLost, .untrusted, .invalidResponse, .tokenUnavailable:
            true
        case .server(.rateLimited), .server(.internal), .server(.unavailable): true
        default: false
        }
    }

    /// Whether a first connection that failed so is worth waiting for: not where something answers that is no
    /// server of this protocol or not to be trusted, as the address is wrong then.
    var isWorthWaiting: Bool { isPassing && code != .invalidResponse && code != .untrusted }

    /// Whether another token may help.
    var asksForToken: Bool {
        switch code {
        case .server(.unauthenticated), .server(.tokenExpired): true
        default: false
        }
    }

    /// Whether it ends a session that stood: nothing but a new token helps. All else, such as a proxy
    /// whose server is being restarted, is worth another attempt.
    var endsSession: Bool {
        switch code {
        case .server(.unauthenticated), .server(.tokenExpired), .server(.forbidden), .invalidURL,
            .invalidToken:
            true
        default: false
        }
    }

    /// Whether it means that a share is over for this device: it is not fed any more.
    var endsShare: Bool {
        switch code {
        case .server(.notFound), .server(.liveLocationEnded), .server(.locationSharingDisabled): true
        default: false
        }
    }
}
