import YonderHTTP
import YonderModel
import YonderRules

/// The connections of one loop and the channels that they watch. Lives on the loop's thread.
final class FanoutLoop: WebSocketLoopDelegate {
    private let mailbox: Mailbox
    private let commands: any ViewerCommands
    private let configuration: Fanout.Configuration
    private let clock: @Sendable () -> Timestamp

    private var guests: [UInt64: Guest] = [:]
    private var rooms: [ChannelId: Room] = [:]
    private var unflushed: [ChannelId: Room] = [:]
    private var now = ContinuousClock.now
    private var lastFlush = ContinuousClock.now
    private var nextRound = ContinuousClock.now

    init(
        mailbox: Mailbox, commands: any ViewerCommands, configuration: Fanout.Configuration,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.mailbox = mailbox
        self.commands = commands
        self.configuration = configuration
        self.clock = clock
    }

    func opened(_ connection: WebSocketConnection) {
        guard let viewer = connection.context as? Viewer else {
            return connection.close(code: 1011, reason: "no viewer")
        }
        let guest = Guest(connection: connection, viewer: viewer, now: now)
        guests[connection.id] = guest
        connection.attachment = guest
        send(commands.greeting(of: viewer, connectionId: String(connection.id)), to: guest)
    }

    func received(_ connection: WebSocketConnection, text: [UInt8]) {
        guard let guest = connection.attachment as? Guest else { return }
        commands.received(
            text, from: ViewerHandle(viewer: guest.viewer, id: connection.id, mailbox: mailbox))
    }

    func writable(_ connection: WebSocketConnection) {
        guard let guest = connection.attachment as? Guest else { return }
        for subscription in guest.subscriptions.values where !connection.isBlocked {
            subscription.catchUp()
            guest.lastSent = now
        }
    }

    func closed(_ connection: WebSocketConnection) {
        guard let guest = guests.removeValue(forKey: connection.id) else { return }
        for subscription in guest.subscriptions.values { leave(subscription) }
        guest.subscriptions = [:]
    }

    func poll(now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        self.now = now
        for item in mailbox.take() { perform(item) }
        if now >= nextRound {
            makeRound()
            nextRound = now + .seconds(1)
        }
        guard !unflushed.isEmpty else { return nextRound }
        // Right away after a quiet time, gathered while much is going on.
        let due = lastFlush + configuration.tick
        guard now >= due else { return min(due, nextRound) }
        flush()
        return nextRound
    }

    private func flush() {
        lastFlush = now
        for room in unflushed.values {
            room.flush { $0.guest.lastSent = now }
        }
        unflushed.removeAll(keepingCapacity: true)
    }

    private func perform(_ item: Mailbox.Item) {
        switch item {
        case .publication(let publication):
            guard let room = rooms[publication.channel] else { return }
            room.log.append(publication)
            unflushed[publication.channel] = room
        case .channelLost(let channel):
            guard let room = rooms[channel] else { return }
            room.log.loseEverything()
            unflushed[channel] = room
        case .send(let id, let json):
            if let guest = guests[id] { send(json, to: guest) }
        case .watch(let id, let answer, let channels):
            guard let guest = guests[id] else { return }
            send(answer, to: guest)
            for channel in channels { watch(channel, by: guest) }
        case .unwatch(let id, let answer, let channels):
            guard let guest = guests[id] else { return }
            send(answer, to: guest)
            for channel in channels { unwatch(channel, by: guest) }
        case .revoke(let user, let channel):
            guard let room = rooms[channel] else { return }
            room.flush { $0.guest.lastSent = now }
            for subscription in room.watchers where subscription.guest.viewer.user.id == user {
                unwatch(channel, by: subscription.guest)
            }
        }
    }

    private func watch(_ watched: WatchedChannel, by guest: Guest) {
        unwatch(watched.channel, by: guest)
        let room = rooms[watched.channel] ?? Room(channel: watched.channel)
        rooms[watched.channel] = room
        let subscription = Subscription(room: room, guest: guest)
        room.add(subscription)
        guest.subscriptions[watched.channel] = subscription
        for json in watched.opening() { send(json, to: guest) }
    }

    private func unwatch(_ channel: ChannelId, by guest: Guest) {
        guard let subscription = guest.subscriptions.removeValue(forKey: channel) else { return }
        leave(subscription)
    }

    private func leave(_ subscription: Subscription) {
        let room = subscription.room
        room.remove(subscription)
        guard room.watchers.isEmpty else { return }
        rooms[room.channel] = nil
        unflushed[room.channel] = nil
    }

    private func send(_ json: [UInt8], to guest: Guest) {
        guest.connection.send(text: json)
        guest.lastSent = now
    }

    /// Once a second: heartbeats into long silences, and an end for tokens that are over.
    private func makeRound() {
        let time = clock()
        var heartbeat: [UInt8]?
        for guest in guests.values {
            if let end = guest.viewer.expiresAt, time >= end {
                guest.connection.close(code: 4401, reason: "token expired")
            } else if now - guest.lastSent >= configuration.heartbeat {
                let json = heartbeat ?? commands.heartbeat(at: time)
                heartbeat = json
                send(json, to: guest)
            }
        }
    }
}
