import YonderHTTP
import YonderModel

/// One connection's watching of one channel: a number into the channel's log.
final class Subscription {
    /// Bytes given at once to a watcher that is behind: what it gets next is then read anew, and fresh.
    static let maxBytesBehind = 8_192

    let room: Room
    unowned let guest: Guest
    /// Everything up to this number of the room's log is written.
    private(set) var cursor: UInt64
    /// Where it stands in the room's list of watchers.
    var index = 0

    init(room: Room, guest: Guest) {
        self.room = room
        self.guest = guest
        cursor = room.log.end
    }

    var isBlocked: Bool { guest.connection.isBlocked }

    func write(_ batch: FrameBatch) {
        let count = guest.connection.write(frames: batch.bytes, ends: batch.ends)
        cursor = batch.cursor(after: count, from: cursor)
    }

    /// Writes what the watcher misses, a little at a time, until it has all or is blocked.
    func catchUp() {
        if cursor < room.log.lost {
            guest.connection.send(text: WireJSON.encode(ResyncEvent(channel: room.channel)))
            cursor = room.log.lost
        }
        while !isBlocked, cursor < room.log.end {
            write(room.log.frames(after: cursor, maxBytes: Self.maxBytesBehind))
        }
    }
}

/// One connection on its loop: whose it is and what it watches.
final class Guest {
    let connection: WebSocketConnection
    let viewer: Viewer
    var subscriptions: [ChannelId: Subscription] = [:]
    var lastSent: ContinuousClock.Instant

    init(connection: WebSocketConnection, viewer: Viewer, now: ContinuousClock.Instant) {
        self.connection = connection
        self.viewer = viewer
        lastSent = now
    }
}

/// The event `resync`.
struct ResyncEvent: Encodable {
    let event = EventName.resync
    let channel: ChannelId

    enum CodingKeys: String, CodingKey {
        case event
        case channel = "channel_id"
    }
}
