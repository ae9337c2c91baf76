import YonderHTTP
import YonderModel

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
    unowned let peer: Peer
    private let connection: WebSocketConnection
    /// Where it stands among the room's watchers.
    var place = Room.Place.other(0)
    /// Everything up to this number of the room's log is written; not kept up while it is level.
    private var had: UInt64
    /// The way from there on, while it is not level with the log.
    private var lap: Lap?
    private var opening: Opening
    /// The last number that may be given; `nil` = there is no last one.
    private var last: UInt64?
    /// All that was lost up to this number the watcher knows to be lost: it reads the channel again.
    private var told: UInt64 = 0

    /// - Parameters:
    ///   - room: What is watched.
    ///   - peer: Who watches.
    ///   - awaitsOpening: Whether ``open(_:)`` will follow.
    init(room: Room, peer: Peer, awaitsOpening: Bool) {
        self.room = room
        self.peer = peer
        connection = peer.connection
        had = room.log.end
        opening = awaitsOpening ? .awaited : .given
    }

    /// The durable events up to this number are written.
    var cursor: UInt64 {
        if case .level = place { room.log.flushed } else { lap?.events ?? had }
    }

    /// Whether everything that the log has is written.
    var isLevel: Bool { lap == nil && cursor == room.log.end }

    /// Its connection, where whatever comes is for it; `nil` where it is to be asked for each event.
    var connectionOfOneWhoGetsAll: WebSocketConnection? {
        switch room.topic {
        case .channel, .link: isOpen && !isFinishing ? connection : nil
        case .own: nil
        }
    }

    private var isOpen: Bool {
        if case .given = opening { true } else { false }
    }

    /// Whether nothing that is published from now on will be given.
    var isFinishing: Bool { last != nil }

    /// Lets what is there be given, and nothing after it.
    func finish() {
        room.setApart(self)
        last = last ?? room.log.end
        // A lap gives positions as they are when it comes past: they would be from after this.
        lap?.leaveOutPositions()
    }

    /// Whether all that may be given is given.
    var isFinished: Bool { last.map { isOpen && lap == nil && had >= $0 } ?? false }

    /// Gives what comes first, then what the log has. Who is finishing may not be told what came first:
    /// it can be from after the end.
    func open(_ batch: FrameBatch) {
        opening = isFinishing ? .given : .frames(batch, next: 0)
        catchUp()
    }

    /// Notes how far it is, as it is no longer level.
    ///
    /// - Parameters:
    ///   - number: Everything up to it is written.
    ///   - marks: What of the news after it is written, too. Default: nothing.
    func stand(at number: UInt64, having marks: some Collection<FrameBatch.Mark> = []) {
        had = number
        guard !marks.isEmpty else { return }
        var lap = Lap(from: number, to: room.log.end)
        lap.passed(marks)
        self.lap = lap
    }

    /// Writes what the watcher misses, a little at a time, until it has all or is blocked.
    func catchUp() {
        if case .level = place { return }
        if case .frames(let batch, let next) = opening, !connection.isBlocked {
            let count = connection.write(frames: batch.bytes, ends: batch.ends, from: next)
            opening = next + count == batch.ends.count ? .given : .frames(batch, next: next + count)
        }
        guard isOpen else { return }
        while !connection.isBlocked, let lap = lap ?? nextLap() {
            tellOfLoss()
            go(on: lap)
        }
        if case .own = room.topic, isLevel { peer.left = [:] }
    }

    private func nextLap() -> Lap? {
        let end = min(room.log.end, last ?? .max)
        guard cursor < end else { return nil }
        // Who is about to leave may not have positions from after that.
        return Lap(from: cursor, to: end, takesPositions: last == nil)
    }

    /// Says what has to be read again, once for all that was published so far.
    private func tellOfLoss() {
        guard cursor < room.log.lost, told < room.log.lost else { return }
        told = room.log.end
        for channel in room.log.lostChannels where !isTold(elsewhere: channel, room.log.lost) {
            connection.send(text: ResyncEvent(channel: channel).json)
        }
    }

    private func go(on lap: Lap) {
        let batch = room.log.frames(of: lap, maxBytes: Self.maxBytesBehind) { isTold(elsewhere: $0, $1) }
        guard !batch.ends.isEmpty else {
            had = lap.end
            self.lap = nil
            return
        }
        var lap = lap
        let count = connection.write(frames: batch.bytes, ends: batch.ends)
        lap.passed(batch.marks.prefix(count))
        self.lap = lap
    }

    /// Gives what is still missing of the user's own shares: nobody else will tell of that.
    func giveOwn() {
        room.setApart(self)
        while let lap = lap ?? nextLap() {
            tellOfLoss()
            let batch = room.log.frames(of: lap, maxBytes: .max) { publication, _ in
                publication.owner != peer.viewer.user
            }
            if !batch.bytes.isEmpty { connection.send(frames: batch.bytes) }
            had = lap.end
            self.lap = nil
        }
    }

    private func isTold(elsewhere publication: Publication, _ number: UInt64) -> Bool {
        if case .watchers = publication.kind { return false }
        return isTold(elsewhere: publication.channel, number)
    }

    /// A user's own shares are told of in the channels that the connection watches anyway.
    private func isTold(elsewhere channel: ChannelId, _ number: UInt64) -> Bool {
        guard case .own = room.topic else { return false }
        if let subscription = peer.subscriptions[.channel(channel)], !subscription.isFinishing {
            return true
        }
        return number <= peer.left[channel] ?? 0
    }
}
