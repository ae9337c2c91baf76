import YonderModel

/// Decides when a live position is sent: at once, then at most one request an interval, the newest
/// position last.
///
/// Holds no clock: every call says what time it is. Positions are numbered as they are offered, so that
/// a caller can wait for its own or a newer one.
struct UpdateThrottle {
    typealias Instant = ContinuousClock.Instant

    enum Action: Hashable {
        /// Nothing to do until something is offered.
        case idle
        /// Ask again then.
        case wait(until: Instant)
        /// Send it, and say how that ended.
        case send(LocationInfo, ticket: Int)
    }

    private enum State {
        case ready
        case sending
        case resting(until: Instant)
    }

    private let interval: Duration
    private var state = State.ready
    private var began: Instant?
    private var pending: (location: LocationInfo, ticket: Int)?
    private var lastTicket = 0
    private(set) var backoff = ReconnectBackoff()

    init(interval: Duration) { self.interval = interval }

    /// Takes a position; it replaces one that still waits.
    mutating func offer(_ location: LocationInfo) -> Int {
        lastTicket += 1
        pending = (location, lastTicket)
        return lastTicket
    }

    /// Forgets what waits: no share is on that it could move.
    mutating func drop() { pending = nil }

    /// The server can be reached again: what failed need not wait any longer.
    mutating func connectionReturned() {
        guard backoff.attempts > 0, case .resting = state else { return }
        backoff.succeeded()
        state = .ready
    }

    /// What is to be done now.
    mutating func next(now: Instant) -> Action {
        guard let waiting = pending else { return .idle }
        switch state {
        case .sending: return .idle
        case .resting(let end) where now < end: return .wait(until: end)
        case .ready, .resting:
            state = .sending
            began = now
            pending = nil
            return .send(waiting.location, ticket: waiting.ticket)
        }
    }

    /// The server has answered, for good or ill: the interval counts from the request's start.
    mutating func finished(now: Instant) {
        backoff.succeeded()
        state = .resting(until: max(now, (began ?? now) + interval))
    }

    /// It did not get through: it waits again, unless a newer one does.
    ///
    /// Where the server asked for no delay the back-off says how long; longer than that one's longest wait
    /// it is never, whatever was asked: a share that is on must not fall silent.
    mutating func failed(
        _ location: LocationInfo, ticket: Int, retryAfter delay: Duration?, jitter: Double, now: Instant
    ) {
        if pending == nil { pending = (location, ticket) }
        let wait = backoff.failed(jitter: jitter)  // counted always: a connection that returns ends it
        state = .resting(until: now + max(interval, min(delay ?? wait, ReconnectBackoff.cap)))
    }
}
