/// Finds out that a peer is gone: asks after a time of silence, gives up after a longer one.
struct WebSocketLiveness {
    enum Action { case nothing, ping, drop }

    private enum State { case heard, asked }

    static let pingAfter = Duration.seconds(25)
    static let dropAfter = Duration.seconds(60)

    private var state = State.heard
    private var lastHeard: ContinuousClock.Instant

    init(now: ContinuousClock.Instant) { lastHeard = now }

    /// Anything came from the peer.
    mutating func heard(at now: ContinuousClock.Instant) {
        state = .heard
        lastHeard = now
    }

    /// What is due; asks once per silence.
    mutating func check(at now: ContinuousClock.Instant) -> Action {
        let silence = lastHeard.duration(to: now)
        if silence >= Self.dropAfter { return .drop }
        guard silence >= Self.pingAfter, state == .heard else { return .nothing }
        state = .asked
        return .ping
    }
}
