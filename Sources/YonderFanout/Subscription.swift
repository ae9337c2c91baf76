import YonderHTTP
package import YonderModel

/// One connection's watching of one topic: a number into the topic's log.
final class Subscription {
    /// Bytes given at once to a watcher that is behind: what it gets next is then read anew, and fresh.
    static let maxBytesBehind = 8_192

    /// What comes before the log's entries.
    private enum Opening {
        /// It is on its way; nothing of the log is given until it is there.
        case awaited
        case frames(FrameBatch, next: Int)
        case given
    }

    let room: Room
    unowned let guest: Guest
    /// Everything up to this number of the room's log is written.
    private(set) var cursor: UInt64
    /// Where it stands in the room's list of watchers.
    var index = 0
    private var opening: Opening
    /// The last number that may be given; `nil` = there is no last one.
    private var last: UInt64?

    /// - Parameters:
    ///   - room: What is watched.
    ///   - guest: Who watches.
    ///   - awaitsOpening: Whether ``open(_:)`` will follow.
    init(room: Room, guest: Guest, awaitsOpening: Bool) {
        self.room = room
        self.guest = guest
        cursor = room.log.end
        opening = awaitsOpening ? .awaited : .given
    }

    var isBlocked: Bool {
        if case .awaited = opening { return true }
        return guest.connection.isBlocked
    }

    /// Whether what comes first is given.
    var isOpen: Bool {
        if case .given = opening { true } else { false }
    }

    /// Lets what is there be given, and nothing after it.
    func finish() { last = last ?? room.log.end }

    /// Whether all that may be given is given.
    var isFinished: Bool { last.map { isOpen && cursor >= $0 } ?? false }

    /// Whether it takes what everybody takes.
    var takesAll: Bool { isOpen && last == nil }

    /// Gives what comes first, then what the log has.
    func open(_ batch: FrameBatch) {
        opening = .frames(batch, next: 0)
        catchUp()
    }

    func write(_ batch: FrameBatch) {
        let count = guest.connection.write(frames: batch.bytes, ends: batch.ends)
        cursor = batch.cursor(after: count, from: cursor)
    }

    /// Writes what the watcher misses, a little at a time, until it has all or is blocked.
    func catchUp() {
        if case .frames(let batch, let next) = opening, !guest.connection.isBlocked {
            let count = guest.connection.write(frames: batch.bytes, ends: batch.ends, from: next)
            opening = next + count == batch.ends.count ? .given : .frames(batch, next: next + count)
        }
        guard isOpen else { return }
        if cursor < room.log.lost {
            for channel in room.log.lostChannels where !isTold(elsewhere: channel, room.log.lost) {
                guest.connection.send(text: ResyncEvent(channel: channel).json)
            }
            cursor = room.log.lost
        }
        let end = min(room.log.end, last ?? .max)
        while !isBlocked, cursor < end {
            write(
                room.log.frames(after: cursor, through: end, maxBytes: Self.maxBytesBehind) {
                    isTold(elsewhere: $0, $1)
                })
        }
        if case .own = room.topic, cursor == room.log.end { guest.left = [:] }
    }

    /// A user's own shares are told of in the channels that the connection watches anyway.
    private func isTold(elsewhere channel: ChannelId, _ number: UInt64) -> Bool {
        guard case .own = room.topic else { return false }
        return guest.subscriptions[channel] != nil || number <= guest.left[channel] ?? 0
    }
}

/// One connection on its loop: whose it is and what it watches.
final class Guest {
    let connection: WebSocketConnection
    let viewer: Viewer
    var subscriptions: [ChannelId: Subscription] = [:]
    /// To what concerns the user's own shares.
    var own: Subscription?
    /// How far the log of those was when a channel was left: up to there it told of them.
    var left: [ChannelId: UInt64] = [:]
    var lastSent: ContinuousClock.Instant

    init(connection: WebSocketConnection, viewer: Viewer, now: ContinuousClock.Instant) {
        self.connection = connection
        self.viewer = viewer
        lastSent = now
    }
}

/// The event `resync`.
package struct ResyncEvent: Encodable {
    private enum Key: String, CodingKey {
        case event
        case channel = "channel_id"
    }

    private let channel: ChannelId

    package init(channel: ChannelId) { self.channel = channel }

    package var json: [UInt8] { WireJSON.encode(self) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(EventName.resync, forKey: .event)
        try container.encode(channel, forKey: .channel)
    }
}
