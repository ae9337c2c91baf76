/// What went wrong, as a stable word: the one table of code, HTTP status and title.
public struct ErrorCode: Hashable, Sendable {
    private let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// The code of a word on the wire; an unknown word of a newer server is ``internal``.
    public init(wire: String) { kind = Kind(rawValue: wire) ?? .internal }

    /// The word on the wire.
    public var wire: String { kind.rawValue }

    /// 401: no token, or one that is not valid.
    public static let unauthenticated = ErrorCode(.unauthenticated)
    /// 401: the token's time is over.
    public static let tokenExpired = ErrorCode(.tokenExpired)
    /// 403: known, but not allowed.
    public static let forbidden = ErrorCode(.forbidden)
    /// 403: the channel does not allow locations.
    public static let locationSharingDisabled = ErrorCode(.locationSharingDisabled)
    /// 404: not there, or not for the caller to see.
    public static let notFound = ErrorCode(.notFound)
    /// 405: the path exists, with other methods.
    public static let methodNotAllowed = ErrorCode(.methodNotAllowed)
    /// 409: the id is taken.
    public static let conflict = ErrorCode(.conflict)
    /// 409: the share is over.
    public static let liveLocationEnded = ErrorCode(.liveLocationEnded)
    /// 409: the message holds no live share.
    public static let notLive = ErrorCode(.notLive)
    /// 413: the body is larger than allowed.
    public static let payloadTooLarge = ErrorCode(.payloadTooLarge)
    /// 415: the body is not JSON.
    public static let unsupportedMediaType = ErrorCode(.unsupportedMediaType)
    /// 400: the body is not JSON that can be read.
    public static let invalidJSON = ErrorCode(.invalidJSON)
    /// 422: a value is wrong; the error's field names it.
    public static let invalidArgument = ErrorCode(.invalidArgument)
    /// 422: a location cannot be sent in a thread.
    public static let locationInThread = ErrorCode(.locationInThread)
    /// 422: a live share needs the device it is made from.
    public static let deviceRequired = ErrorCode(.deviceRequired)
    /// 429: too many requests; wait as `Retry-After` says.
    public static let rateLimited = ErrorCode(.rateLimited)
    /// 500: the server's own fault.
    public static let `internal` = ErrorCode(.internal)
    /// 503: the server cannot do it now; try again.
    public static let unavailable = ErrorCode(.unavailable)

    /// The HTTP status that goes with it.
    public var status: Int {
        switch kind {
        case .invalidJSON: 400
        case .unauthenticated, .tokenExpired: 401
        case .forbidden, .locationSharingDisabled: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .conflict, .liveLocationEnded, .notLive: 409
        case .payloadTooLarge: 413
        case .unsupportedMediaType: 415
        case .invalidArgument, .locationInThread, .deviceRequired: 422
        case .rateLimited: 429
        case .internal: 500
        case .unavailable: 503
        }
    }

    /// A few words for people.
    public var title: String {
        switch kind {
        case .unauthenticated: "Not signed in"
        case .tokenExpired: "The token has expired"
        case .forbidden: "Not allowed"
        case .locationSharingDisabled: "Location sharing is off in this channel"
        case .notFound: "Not found"
        case .methodNotAllowed: "Method not allowed"
        case .conflict: "Already taken"
        case .liveLocationEnded: "The live location has ended"
        case .notLive: "Not a live location"
        case .payloadTooLarge: "Too large"
        case .unsupportedMediaType: "Not JSON"
        case .invalidJSON: "JSON that cannot be read"
        case .invalidArgument: "A value is wrong"
        case .locationInThread: "No location in a thread"
        case .deviceRequired: "A device is required"
        case .rateLimited: "Too many requests"
        case .internal: "Something went wrong on the server"
        case .unavailable: "Not available at the moment"
        }
    }

    private enum Kind: String {
        case unauthenticated, forbidden, conflict, `internal`, unavailable
        case tokenExpired = "token_expired"
        case locationSharingDisabled = "location_sharing_disabled"
        case notFound = "not_found"
        case methodNotAllowed = "method_not_allowed"
        case liveLocationEnded = "live_location_ended"
        case notLive = "not_live"
        case payloadTooLarge = "payload_too_large"
        case unsupportedMediaType = "unsupported_media_type"
        case invalidJSON = "invalid_json"
        case invalidArgument = "invalid_argument"
        case locationInThread = "location_in_thread"
        case deviceRequired = "device_required"
        case rateLimited = "rate_limited"
    }
}
