/// When the changes that wait are committed: at once, or once a few more have come.
///
/// Changes that come one upon another are gathered; a lone one waits for nobody. A gathering that nobody
/// more comes to was in vain: those who write one upon another then wait for their answers. After it some
/// groups are taken at once, after each further one twice as many.
struct GatheringPace {
    /// Changes that come within this time of one another are gathered; when none has come for as long, the
    /// gathering is over.
    static let quiet = Duration.milliseconds(5)
    /// No change waits longer for others.
    static let longest = Duration.milliseconds(40)
    /// So many are enough.
    static let enough = 64
    /// Most groups that are taken at once after a gathering in vain.
    static let mostUngathered = 128

    private enum State {
        case nobody
        case gathering(since: ContinuousClock.Instant, count: Int)
        case hurried
    }

    private var state = State.nobody
    private var lastCame: ContinuousClock.Instant
    /// How many groups are taken at once after the last gathering in vain, and how many of them are left.
    private var ungathered = 0
    private var left = 0

    /// - Parameter now: The time; what comes in the next moments counts as a lone change.
    init(now: ContinuousClock.Instant) { lastCame = now - Self.quiet }

    /// A change has come.
    ///
    /// - Returns: Whether those that wait begin to be in a hurry by that.
    mutating func came(_ urgency: CommitUrgency, at now: ContinuousClock.Instant) -> Bool {
        let isLone = lastCame.duration(to: now) >= Self.quiet
        lastCame = now
        switch state {
        case .hurried: return false
        case .nobody:
            guard urgency == .gathered, !isLone, left == 0 else {
                if !isLone { left = max(0, left - 1) }
                state = .hurried
                return false
            }
            state = .gathering(since: now, count: 1)
            return false
        case .gathering(let start, let count):
            guard urgency == .prompt || count + 1 >= Self.enough else {
                state = .gathering(since: start, count: count + 1)
                return false
            }
            if urgency == .gathered { ungathered = 0 }
            state = .hurried
            return true
        }
    }

    /// Those that wait are to be taken now, whatever they are.
    mutating func hurry() { state = .hurried }

    /// Those that waited were taken.
    mutating func taken(at now: ContinuousClock.Instant) {
        if case .gathering = state {
            let isInVain = lastCame.duration(to: now) >= Self.quiet
            ungathered = isInVain ? min(Self.mostUngathered, max(1, ungathered * 2)) : 0
            left = ungathered
        }
        state = .nobody
    }

    /// When those that wait are to be taken if nothing more comes; `nil` = now.
    var end: ContinuousClock.Instant? {
        guard case .gathering(let start, _) = state else { return nil }
        return min(lastCame + Self.quiet, start + Self.longest)
    }
}
