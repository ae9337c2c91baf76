/// What a request to come to an end asks for: the first to stop, a later one to leave at once.
struct InterruptCounter {
    enum Action: Hashable {
        case stop
        case ignore
        case leave
    }

    /// How long after the first one another is taken for its echo: `timeout` signals a process and then its
    /// group, and a terminal may do the same.
    static let echo = Duration.seconds(1)

    private var first: ContinuousClock.Instant?

    /// Whether there was one.
    var isStopping: Bool { first != nil }

    mutating func received(at now: ContinuousClock.Instant) -> Action {
        guard let first else {
            self.first = now
            return .stop
        }
        return first.duration(to: now) < Self.echo ? .ignore : .leave
    }
}
