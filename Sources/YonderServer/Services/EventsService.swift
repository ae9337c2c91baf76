import Synchronization
import YonderFanout
import YonderModel
import YonderRules
import YonderStore

/// What a connection is told and may ask over `/v1/events`.
struct EventsService: ViewerCommands {
    static let maxChannelsAtOnce = 100
    /// Events replayed to one who was away; who missed more reads the channel again.
    static let maxReplayed: Int64 = 1_000

    let store: any Store
    let table: ShareTable
    let lives: LiveLocationService
    let limiter: RateLimiter
    let log: Log
    let clock: @Sendable () -> Timestamp

    func greeting(of viewer: Viewer, connectionId: String) -> [UInt8]? {
        // A disk that fails is no reason to send anybody away.
        let found = try? store.read { try ($0.isStillAdmitted(viewer), viewer.user.flatMap($0.user)) }
        if let (isAdmitted, _) = found, !isAdmitted { return nil }
        let hello = Hello(
            connectionId: connectionId, user: found?.1, serverTimestamp: clock(), heartbeatSeconds: 25)
        return WireJSON.encode(OutgoingEvent(.hello, hello))
    }

    func heartbeat(at now: Timestamp) -> [UInt8] {
        WireJSON.encode(OutgoingEvent(.heartbeat, Heartbeat(serverTime: now)))
    }

    func received(_ text: [UInt8], from viewer: ViewerHandle) {
        // From here to the store's queue a command runs at once, so commands keep their order.
        let head = CommandHead(json: text)
        do {
            if let problem = head.problem { throw problem }
            switch (head.op, viewer.viewer.identity) {
            case ("ping", _): viewer.send(Ack(id: head.id).json)
            case ("fix", .user(let user)): try apply(text, id: head.id, of: user, for: viewer)
            case ("subscribe", let identity), ("unsubscribe", let identity):
                var command = try WireJSON.decode(WatchingCommand.self, from: text)
                command.id = head.id
                Task.immediate { [command] in
                    do {
                        switch identity {
                        case .user(let user):
                            try await head.op == "subscribe"
                                ? subscribe(command, of: user, for: viewer)
                                : unsubscribe(command, of: user, for: viewer)
                        case .guest(let guest):
                            try await head.op == "subscribe"
                                ? subscribe(command, of: guest, for: viewer)
                                : unsubscribe(command, of: guest, for: viewer)
                        }
                    } catch { refuse(head.id, error, to: viewer) }
                }
            case ("fix", .guest): throw Self.notForGuests
            default: throw WireError(.invalidArgument, "no such op", field: "/op")
            }
        } catch { refuse(head.id, error, to: viewer) }
    }

    static let notForGuests = WireError(.notFound, "a view link shows one share and nothing else")

    private func refuse(_ id: Int?, _ error: any Error, to viewer: ViewerHandle) {
        let error = WireError(any: error, log: log)
        viewer.send(
            WireJSON.encode(
                OutgoingEvent(.error, Refusal(id: id, code: error.code.wire, detail: error.detail))))
    }

    private func apply(_ text: [UInt8], id: Int?, of user: UserId, for viewer: ViewerHandle) throws {
        try limiter.count(.locations(user))
        lives.apply(try FixReport(json: text), by: user) { result in
            switch result {
            case .success(let outcome): viewer.send(outcome.ackJSON(id: id))
            case .failure(let error): refuse(id, error, to: viewer)
            }
        }
    }

    private func unsubscribe(_ command: WatchingCommand, of user: UserId, for viewer: ViewerHandle)
        async throws
    {
        let channels = try channels(of: command)
        try limiter.count(.subscriptions(user), times: max(1, channels.count))
        // Through the store like `subscribe`, so that the two keep their order.
        _ = try await store.commit { _ in
        } publish: {
            viewer.unwatch(channels.map(Topic.channel), answer: Ack(id: command.id).json)
        }
    }

    private func channels(of command: WatchingCommand) throws -> [ChannelId] {
        guard let channels = command.channels else {
            throw WireError(.invalidArgument, "channels is required", field: "/channels")
        }
        guard channels.count <= Self.maxChannelsAtOnce else {
            throw WireError(.invalidArgument, "at most 100 channels at once", field: "/channels")
        }
        return channels.compactMap(ChannelId.init)
    }

    /// Begins to watch channels.
    ///
    /// A change that writes nothing: so it takes its place in the order of changes. What was published
    /// before it is in the state that it sends or in the replay, all else comes after it.
    private func subscribe(_ command: WatchingCommand, of user: UserId, for viewer: ViewerHandle) async throws
    {
        let wanted = Array(Set(try channels(of: command)))
        try limiter.count(.subscriptions(user), times: max(1, wanted.count))
        let point = SubscribingPoint()
        _ = try await store.commit { change in
            try wanted.compactMap { id -> Channel? in
                guard try change.member(user, in: id) != nil else { return nil }
                return try change.channel(id)
            }
        } publish: { (found: [Channel]) in
            let now = clock()
            point.states = found.map { channel in
                ChannelState(
                    channelId: channel.cid, seq: channel.seq,
                    activeLiveLocations: table.activeShares(in: channel.cid, at: now))
            }
            let known = Set(found.map(\.cid.rawValue))
            let answer = (command.channels ?? []).map { ($0, known.contains($0) ? "ok" : "not_found") }
            viewer.watch(
                found.map { .channel($0.cid) },
                answer: Ack(id: command.id, channels: Dictionary(answer) { first, _ in first }).json)
        }
        for state in point.states {
            let missed = try replay(to: state, since: command.since?[state.channelId.rawValue] ?? nil)
            viewer.open(
                .channel(state.channelId),
                with: missed + [WireJSON.encode(OutgoingEvent(.channelState, state))])
        }
    }

    /// What a watcher missed, or that it must read the channel again.
    private func replay(to state: ChannelState, since: Int64?) throws -> [[UInt8]] {
        guard let since, since != state.seq else { return [] }
        let missed = state.seq.subtractingReportingOverflow(since)
        guard !missed.overflow, (1...Self.maxReplayed).contains(missed.partialValue) else {
            return [ResyncEvent(channel: state.channelId).json]
        }
        let now = clock()
        let events = try store.read { reader in
            try reader.events(after: since, in: state.channelId, limit: Int(missed.partialValue))
                .map {
                    try EventRenderer(reader: reader, now: now).json(
                        $0.event, seq: $0.seq, in: state.channelId)
                }
        }
        let whole = events.compactMap(\.self)
        return whole.count == Int(missed.partialValue) ? whole : [ResyncEvent(channel: state.channelId).json]
    }
}

extension StoreReader {
    /// Whether nothing has ended a viewer's right to be there since it was let in.
    fileprivate func isStillAdmitted(_ viewer: Viewer) throws -> Bool {
        switch viewer.identity {
        case .user(let user):
            if let session = viewer.session, try admission(.session, session) == nil { return false }
            return try tokensRefusedUntil(of: user).map { $0 < viewer.admittedAt } ?? true
        case .guest(let guest): return try links(of: guest.message).contains { $0.id == guest.link }
        }
    }
}

/// What the channels were like at the place in the order of changes where somebody began to watch them.
private final class SubscribingPoint: Sendable {
    private let contents = Mutex<[ChannelState]>([])

    var states: [ChannelState] {
        get { contents.withLock { $0 } }
        set { contents.withLock { $0 = newValue } }
    }
}

/// What stands in a command beside its head, as it came. The head alone says what is asked for, also where a
/// key stands twice.
struct WatchingCommand: Decodable, Sendable {
    /// The head's number.
    var id: Int?
    var channels: [String]?
    var since: [String: Int64?]?
    /// Of a guest: the message whose share is watched.
    var share: String?

    enum CodingKeys: CodingKey {
        case channels, since, share
    }
}

private struct Heartbeat: Encodable {
    var serverTime: Timestamp

    enum CodingKeys: String, CodingKey {
        case serverTime = "server_time"
    }
}

private struct Refusal: Encodable {
    var id: Int?
    var code: String
    var detail: String
}

struct Ack: Encodable {
    var id: Int?
    var channels: [String: String]?

    var json: [UInt8] { WireJSON.encode(OutgoingEvent(.ack, self)) }
}
