import YonderHTTP
import YonderModel
import YonderRules

/// The connections of one loop and the channels that they watch. Lives on the loop's thread.
final class FanoutLoop: WebSocketLoopDelegate {
    private let mailbox: Mailbox
    private let commands: any ViewerCommands
    private let configuration: Fanout.Configuration
    private let clock: @Sendable () -> Timestamp

    private var peers: [UInt64: Peer] = [:]
    private let counts: WatcherCounts
    private(set) var rooms: [Topic: Room] = [:]
    private var unflushed: [Topic: Room] = [:]
    /// Those of users' own shares: they are few and go in this turn, with the answers to the fixes.
    private var unflushedOwn: [Topic: Room] = [:]
    private var now = ContinuousClock.now
    private var lastFlush = ContinuousClock.now
    private var nextRound = ContinuousClock.now

    init(
        mailbox: Mailbox, commands: any ViewerCommands, configuration: Fanout.Configuration,
        counts: WatcherCounts, clock: @escaping @Sendable () -> Timestamp
    ) {
        self.mailbox = mailbox
        self.commands = commands
        self.configuration = configuration
        self.counts = counts
        self.clock = clock
    }

    func opened(_ connection: WebSocketConnection) {
        guard let viewer = connection.context as? Viewer else {
            return connection.close(code: 1011, reason: "no viewer")
        }
        let peer = Peer(connection: connection, viewer: viewer)
        peers[connection.id] = peer
        connection.attachment = peer
        if let user = viewer.user { peer.own = subscribe(peer, to: .own(user), awaitsOpening: false) }
        guard let greeting = commands.greeting(of: viewer, connectionId: String(connection.id)) else {
            return connection.close(code: 4401, reason: "no longer admitted")
        }
        connection.send(text: greeting)
    }

    func received(_ connection: WebSocketConnection, text: [UInt8]) {
        guard let peer = connection.attachment as? Peer else { return }
        commands.received(
            text, from: ViewerHandle(viewer: peer.viewer, id: connection.id, mailbox: mailbox))
    }

    func writable(_ connection: WebSocketConnection) {
        guard let peer = connection.attachment as? Peer else { return }
        peer.own?.catchUp()
        for subscription in peer.subscriptions.values {
            subscription.catchUp()
            if subscription.isFinished { end(subscription) }
        }
    }

    func closed(_ connection: WebSocketConnection) {
        guard let peer = peers.removeValue(forKey: connection.id) else { return }
        for topic in Array(peer.subscriptions.keys) { unwatch(topic, by: peer) }
        if let own = peer.own { leave(own) }
    }

    func poll(now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        self.now = now
        for item in mailbox.take() { perform(item) }
        for room in unflushedOwn.values { flush(room) }
        unflushedOwn.removeAll(keepingCapacity: true)
        if now >= nextRound {
            makeRound()
            nextRound = now + .seconds(1)
        }
        guard !unflushed.isEmpty else { return nextRound }
        // Right away after a quiet time, gathered while much is going on.
        let due = lastFlush + configuration.tick
        guard now >= due else {
            mailbox.expectLoop()
            return min(due, nextRound)
        }
        flush()
        return nextRound
    }

    private func flush() {
        for room in unflushed.values { flush(room) }
        unflushed.removeAll(keepingCapacity: true)
        // From its end: the more there is to write, the longer what comes is gathered.
        lastFlush = .now
    }

    private func perform(_ item: Mailbox.Item) {
        switch item {
        case .publication(let publication):
            if case .watchers = publication.kind {
            } else {
                append(publication, to: publication.topic)
            }
            if let owner = publication.owner { append(publication, to: .own(owner)) }
        case .lost(let loss):
            lose(loss.channel, in: loss.topic)
            if let owner = loss.owner { lose(loss.channel, in: .own(owner)) }
        case .send(let id, let json): peers[id]?.connection.send(text: json)
        case .watch(let id, let answer, let topics):
            guard let peer = peers[id] else { return }
            peer.connection.send(text: answer)
            for topic in topics { watch(topic, by: peer) }
        case .open(let id, let topic, let batch):
            guard let subscription = peers[id]?.subscriptions[topic] else { return }
            subscription.open(batch)
            if subscription.isFinished { end(subscription) }
        case .unwatch(let id, let answer, let topics):
            guard let peer = peers[id] else { return }
            peer.connection.send(text: answer)
            for topic in topics { unwatch(topic, by: peer) }
        case .revoke(let user, let channel):
            empty(.channel(channel)) { $0.viewer.user == user }
        case .closeRoom(let channel):
            empty(.channel(channel)) { _ in true }
        case .closeLink(let link): close(link)
        case .disconnect(let connections):
            let (code, reason) = connections.end
            for peer in peers.values where connections.contains(peer.viewer) {
                peer.connection.close(code: code, reason: reason)
            }
        }
    }

    private func append(_ publication: Publication, to topic: Topic) {
        guard let room = rooms[topic] else { return }
        room.log.append(publication)
        note(room)
    }

    private func lose(_ channel: ChannelId, in topic: Topic) {
        guard let room = rooms[topic] else { return }
        room.log.lose(channel)
        note(room)
    }

    /// It has something to give.
    private func note(_ room: Room) {
        switch room.topic {
        case .channel, .link: unflushed[room.topic] = room
        case .own: unflushedOwn[room.topic] = room
        }
    }

    /// Ends the watching of some, once each of them has what is there now.
    private func empty(_ topic: Topic, where isMeant: (Peer) -> Bool) {
        guard let room = rooms[topic] else { return }
        for subscription in room.watchers where !subscription.isFinishing && isMeant(subscription.peer) {
            subscription.finish()
            noteLeaving(topic, subscription.peer)
        }
        room.isEmptying = true
        flush(room)
    }

    private func flush(_ room: Room) {
        room.flush()
        guard room.isEmptying else { return }
        for subscription in room.watchers where subscription.isFinished { end(subscription) }
    }

    private func end(_ subscription: Subscription) {
        let (topic, peer) = (subscription.room.topic, subscription.peer)
        unwatch(topic, by: peer)
        if case .link = topic { closeOver(peer) }
    }

    /// Ends a link's connections: those that watch once they have all that is there.
    private func close(_ link: LinkId) {
        for peer in peers.values where peer.subscriptions[.link(link)] == nil {
            if case .guest(let guest) = peer.viewer.identity, guest.link == link { closeOver(peer) }
        }
        empty(.link(link)) { _ in true }
    }

    private func closeOver(_ peer: Peer) {
        peer.connection.close(code: 4401, reason: "the share is over")
    }

    private func watch(_ topic: Topic, by peer: Peer) {
        unwatch(topic, by: peer)
        peer.subscriptions[topic] = subscribe(peer, to: topic, awaitsOpening: true)
        count(1, peer, in: topic)
    }

    private func unwatch(_ topic: Topic, by peer: Peer) {
        guard let subscription = peer.subscriptions.removeValue(forKey: topic) else { return }
        if !subscription.isFinishing {
            if peer.own != nil { subscription.giveOwn() }
            noteLeaving(topic, peer)
        }
        leave(subscription)
        count(-1, peer, in: topic)
    }

    private func count(_ delta: Int, _ peer: Peer, in topic: Topic) {
        switch (peer.viewer.identity, topic) {
        case (.user(let user), .channel(let channel)): counts.change(by: delta, user, in: channel)
        case (.guest(let guest), .link): counts.change(by: delta, guest)
        default: break
        }
    }

    /// From here on the channel no longer tells of the user's own shares.
    private func noteLeaving(_ topic: Topic, _ peer: Peer) {
        guard case .channel(let channel) = topic else { return }
        if let own = peer.own, !own.isLevel { peer.left[channel] = own.room.log.end }
    }

    private func subscribe(_ peer: Peer, to topic: Topic, awaitsOpening: Bool) -> Subscription {
        let room = rooms[topic] ?? Room(topic)
        rooms[topic] = room
        let subscription = Subscription(room: room, peer: peer, awaitsOpening: awaitsOpening)
        room.add(subscription)
        return subscription
    }

    private func leave(_ subscription: Subscription) {
        let room = subscription.room
        room.remove(subscription)
        guard room.isEmpty else { return }
        rooms[room.topic] = nil
        unflushed[room.topic] = nil
        unflushedOwn[room.topic] = nil
    }

    /// Once a second: heartbeats into long silences, and an end for tokens that are over.
    private func makeRound() {
        let time = clock()
        var heartbeat: [UInt8]?
        for peer in peers.values {
            if let end = peer.viewer.expiresAt, time >= end {
                peer.connection.close(code: 4401, reason: "token expired")
            } else if now - peer.connection.lastSent >= configuration.heartbeat {
                let json = heartbeat ?? commands.heartbeat(at: time)
                heartbeat = json
                peer.connection.send(text: json)
            }
        }
    }
}
