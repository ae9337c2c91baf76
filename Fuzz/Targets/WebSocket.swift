import YonderWebSocket

/// Frames, in either role: how the bytes are cut changes nothing, and the other side understands the answers.
///
/// The first byte says the role and whether this side has closed before; the rest is what comes in.
func fuzzWebSocket(_ input: [UInt8]) throws(BrokenPromise) {
    guard let first = input.first else { return }
    let role: WebSocketEngine.Role = first & 1 == 0 ? .server : .client
    let bytes = Array(input.dropFirst())
    func end(_ pieces: [[UInt8]], renewing: Bool = false) -> End {
        var side = Side(role)
        if first & 2 != 0 { side.close() }
        for piece in pieces { side.receive(piece, renewing: renewing) }
        return side.end
    }
    let whole = end([bytes])
    let pieces = end(bytes.map { [$0] })
    // Whether wslay takes a close frame's reason for UTF-8 does depend on the cuts, where it is not ASCII.
    let mayDiffer = bytes.contains(0x88) && whole.beforeClose == pieces.beforeClose
    try check(whole == pieces || mayDiffer, "byte by byte is the same as whole")
    try check(end(bytes.map { [$0] }, renewing: true) == pieces, "an idle engine can be replaced")
    for case .text(let text) in whole.events {
        try check(String(validating: text, as: UTF8.self) != nil, "a text is UTF-8")
    }
    let isUnderstood = !whole.heard.contains { if case .failed = $0 { true } else { false } }
    try check(isUnderstood, "the other side understands what is said")
}

/// What it came to, in all that can be seen from outside.
private struct End: Equatable {
    var events: [WebSocketEngine.Event]
    /// What the other side makes of the output, whose masks are random. Without pongs at the end of a
    /// connection: what closes it overtakes them.
    var heard: [WebSocketEngine.Event]
    var isFinished: Bool
    var isIdle: Bool

    var beforeClose: ArraySlice<WebSocketEngine.Event> {
        events.prefix {
            switch $0 {
            case .close, .failed: false
            default: true
            }
        }
    }
}

/// One side of a connection, held as the server's loop holds it.
private struct Side {
    static let maxMessageBytes = 1000

    let role: WebSocketEngine.Role
    var engine: WebSocketEngine
    private var events: [WebSocketEngine.Event] = []
    private var output: [UInt8] = []

    init(_ role: WebSocketEngine.Role) {
        self.role = role
        engine = WebSocketEngine(role: role, maxMessageBytes: Self.maxMessageBytes)
    }

    mutating func close() {
        engine.queueClose(code: 1000, reason: "bye")
        output += engine.takeOutput()
    }

    mutating func receive(_ bytes: [UInt8], renewing: Bool) {
        events += engine.receive(bytes)
        output += engine.takeOutput()
        if renewing, engine.isIdle {
            engine = WebSocketEngine(role: role, maxMessageBytes: Self.maxMessageBytes)
        }
    }

    var end: End {
        let other = WebSocketEngine(
            role: role == .server ? .client : .server, maxMessageBytes: Self.maxMessageBytes)
        let heard = other.receive(output).filter { !engine.isFinished || $0 != .pong }
        return End(events: events, heard: heard, isFinished: engine.isFinished, isIdle: engine.isIdle)
    }
}
