/// An error as the protocol says it: a code, a sentence and, for a wrong value, its place.
///
/// Never holds a position, a token or message text.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public let code: ErrorCode
    /// One sentence for people.
    public let detail: String
    /// JSON pointer of the wrong value in the body, or `?name` of a query parameter.
    public let field: String?
    /// Seconds to wait before trying again, with ``ErrorCode/rateLimited`` and ``ErrorCode/unavailable``.
    public let retryAfter: Int?

    /// Creates an error.
    public init(_ code: ErrorCode, _ detail: String, field: String? = nil, retryAfter: Int? = nil) {
        self.code = code
        self.detail = detail
        self.field = field
        self.retryAfter = retryAfter
    }

    public var description: String {
        field.map { "\(code.wire): \(detail) (\($0))" } ?? "\(code.wire): \(detail)"
    }
}

/// The body of an error answer: `application/problem+json`, RFC 9457.
public struct Problem: Hashable, Sendable, Codable {
    /// Always `about:blank`: the code says it.
    public var type: String
    public var title: String
    /// The HTTP status.
    public var status: Int
    public var detail: String
    /// The stable word.
    public var code: String
    /// JSON pointer or `?name`, with 422.
    public var field: String?
    public var requestId: String

    enum CodingKeys: String, CodingKey {
        case type, title, status, detail, code, field
        case requestId = "request_id"
    }

    /// Renders an error for one request.
    public init(_ error: WireError, requestId: String) {
        type = "about:blank"
        title = error.code.title
        status = error.code.status
        detail = error.detail
        code = error.code.wire
        field = error.field
        self.requestId = requestId
    }

    /// The error that this body says.
    public var error: WireError { WireError(ErrorCode(wire: code), detail, field: field) }
}
