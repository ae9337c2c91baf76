import YonderModel
import YonderRules

@testable import YonderClient

/// What a server says to a client: the answer to a handshake, an event, a trail, or an error.
func fuzzAnswer(_ input: [UInt8]) throws(BrokenPromise) {
    try checkHandshake(input)
    if let trail = try? WireJSON.decode(TrailFeature.self, from: input) {
        let isOnEarth = trail.points.allSatisfy { abs($0.coordinate.latitude) <= 90 }
        try check(isOnEarth, "a trail that was read lies on the Earth")
    }
    guard let event = try? WireJSON.decode(ServerEvent.self, from: input) else { return }
    if case .locationUpdated(let update) = event, update.recordedTime == update.recordedTime.asPrinted {
        let again = try? WireJSON.decode(ServerEvent.self, from: update.eventJSON())
        try check(again == event, "a position that was read can be told again")
    }
    try checkState(event)
}

/// What a client knows after an event does not depend on how often it was told.
private func checkState(_ event: ServerEvent) throws(BrokenPromise) {
    var state = ChatState(deviceId: DeviceId("phone")!, onlyCurrentDevice: false)
    state.userId = UserId("anna")
    state.now = Timestamp(milliseconds: 1_767_225_600_000)
    state.apply(event)
    let once = state
    state.apply(event)
    let isSame =
        state.messages == once.messages && state.locations == once.locations
        && state.timelines == once.timelines && state.active == once.active
    try check(isSame, "an event that is told again changes nothing")
    state.now = Timestamp(milliseconds: .max)
    state.expire()
    try check(state.nextEnd == nil, "at the end of time no share is on")
}

/// The value that answers the key of RFC 6455 section 1.3.
private let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

/// How the bytes are cut does not change what comes of them, but for the words of a refusal without a length.
private func checkHandshake(_ input: [UInt8]) throws(BrokenPromise) {
    var whole = HandshakeAnswer()
    whole.received(input)
    var pieces = HandshakeAnswer()
    let step = input.count / 32 + 1  // a short one byte by byte; a long one would take long
    for start in stride(from: 0, to: input.count, by: step) {
        let end = min(start + step, input.count)
        pieces.received(Array(input[start..<end]))
        let outcome = pieces.outcome(accept: accept)
        switch outcome {
        case .incomplete: continue
        case .accepted(let bytes):
            let all = HandshakeAnswer.Outcome.accepted(bytes + input[end...])
            try check(whole.outcome(accept: accept) == all, "in pieces it is accepted like whole")
        case .failed:
            guard case .failed = whole.outcome(accept: accept) else {
                throw BrokenPromise(description: "in pieces it is refused and whole is not")
            }
        }
        return
    }
    try check(whole.outcome(accept: accept) == .incomplete, "in pieces it is waited for like whole")
    whole.ended()
    try check(whole.outcome(accept: accept) != .incomplete, "after the end nothing is waited for")
}
