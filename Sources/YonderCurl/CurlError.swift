import CCurl

/// Why libcurl could not do it. Never holds an address, a header or a body.
public struct CurlError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, to switch over; more may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case invalidRequest, cannotConnect, timedOut, untrusted, closed, tooLarge, cancelled, failed
        }

        private let kind: Kind

        private init(_ kind: Kind) { self.kind = kind }

        /// The URL or a header is no such thing.
        public static let invalidRequest = Code(.invalidRequest)
        /// There is no such host, or nobody answers there.
        public static let cannotConnect = Code(.cannotConnect)
        /// It took longer than allowed.
        public static let timedOut = Code(.timedOut)
        /// TLS failed, or the server's certificate is not to be trusted.
        public static let untrusted = Code(.untrusted)
        /// The connection broke off.
        public static let closed = Code(.closed)
        /// The answer is larger than allowed.
        public static let tooLarge = Code(.tooLarge)
        /// The caller's task was cancelled before the request was made.
        public static let cancelled = Code(.cancelled)
        /// Something else; the message has libcurl's words.
        public static let failed = Code(.failed)
    }

    /// What went wrong.
    public let code: Code
    /// One sentence for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ status: CURLcode) {
        code =
            switch status {
            case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .invalidRequest
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT:
                .cannotConnect
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE: .untrusted
            case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE: .closed
            default: .failed
            }
        message = String(cString: curl_easy_strerror(status))
    }

    public var description: String { message }
}
