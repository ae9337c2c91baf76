import YonderModel

/// What is subscribed and what of it has been seen: lets each durable event through once, whatever is
/// replayed after a new connection.
struct EventLedger {
    private struct Entry {
        /// The last event up to which nothing is missing; `nil` before the first state.
        var floor: Int64?
        /// Events over the floor seen before this connection's state: one's own shares' come unasked.
        var early: Set<Int64> = []
        /// Whether this connection has told the channel's state.
        var isCurrent = false
    }

    private var entries: [ChannelId: Entry] = [:]

    /// What to subscribe to.
    var channels: [ChannelId] { entries.keys.sorted { $0.rawValue < $1.rawValue } }

    /// From which event on each channel is to be replayed; a new one is not.
    var since: [ChannelId: Int64] { entries.compactMapValues(\.floor) }

    /// Watches a channel from now on; one that is watched stays as it is.
    ///
    /// - Parameters:
    ///   - channel: Which one.
    ///   - floor: The event up to which the channel is known already; `nil` = it is not known.
    mutating func subscribe(to channel: ChannelId, since floor: Int64? = nil) {
        if entries[channel] == nil { entries[channel] = Entry(floor: floor) }
    }

    /// Whether everything up to the last event that was admitted is known.
    func isCurrent(_ channel: ChannelId) -> Bool { entries[channel]?.isCurrent == true }

    mutating func unsubscribe(from channel: ChannelId) { entries[channel] = nil }

    /// A new connection: every channel has to be subscribed again.
    mutating func connectionOpened() {
        for channel in entries.keys { entries[channel]?.isCurrent = false }
    }

    /// The channel's state as of an event. It may lie before the floor, where the server lost some.
    mutating func stateReceived(_ channel: ChannelId, seq: Int64) {
        guard entries[channel] != nil else { return }
        entries[channel] = Entry(floor: seq, isCurrent: true)
    }

    /// The server cannot replay what is missing; a state follows.
    mutating func resyncReceived(_ channel: ChannelId) {
        guard entries[channel] != nil else { return }
        entries[channel] = Entry()
    }

    /// Whether an event is new. Events of channels that are not subscribed always are.
    mutating func admits(_ channel: ChannelId, seq: Int64) -> Bool {
        guard var entry = entries[channel] else { return true }
        if let floor = entry.floor, seq <= floor { return false }
        if entry.isCurrent {
            entry.floor = seq
        } else if !entry.early.insert(seq).inserted {
            return false
        }
        entries[channel] = entry
        return true
    }
}
