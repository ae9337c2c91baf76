/// What reads bytes of strangers. Each target gives any bytes to its parsers and checks what they promise; the
/// fuzzer looks for bytes that break a promise, and the tests replay the seeds.
enum FuzzTarget: String, CaseIterable, Sendable {
    /// The server: a fix, and the head of a command.
    case fix
    /// The server: bodies of requests.
    case body
    /// The server: what stands in a request's line and in its fields.
    case text
    /// The server: tokens.
    case token
    /// Both sides: frames.
    case websocket
    /// The client: the answer to a handshake, and events.
    case answer
    /// The command and the SDK: tracks of users.
    case gpx
    /// The server: requests of phone apps.
    case ingest
    /// The command and the SDK: what a receiver and gpsd say.
    case receiver
    /// Whoever is handed a place: `geo:` URIs and polylines.
    case place

    /// Reads an input.
    ///
    /// - Throws: `BrokenPromise`.
    func run(_ input: [UInt8]) throws(BrokenPromise) {
        switch self {
        case .fix: try fuzzFix(input)
        case .body: try fuzzBody(input)
        case .text: try fuzzText(input)
        case .token: try fuzzToken(input)
        case .websocket: try fuzzWebSocket(input)
        case .answer: try fuzzAnswer(input)
        case .gpx: try fuzzGPX(input)
        case .ingest: try fuzzIngest(input)
        case .receiver: try fuzzReceiver(input)
        case .place: try fuzzPlace(input)
        }
    }
}

/// A parser took or refused what it should not have, or read it as something else.
struct BrokenPromise: Error, CustomStringConvertible {
    let description: String
}

/// Checks a promise.
///
/// - Parameters:
///   - holds: Whether it is kept.
///   - promise: What it is, in words.
/// - Throws: `BrokenPromise` where it is not.
func check(_ holds: Bool, _ promise: @autoclosure () -> String) throws(BrokenPromise) {
    if !holds { throw BrokenPromise(description: "not true: \(promise())") }
}
