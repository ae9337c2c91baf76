import YonderFanout
import YonderModel
import YonderRules
import YonderStore

/// What a connection is told and may ask over `/v1/events`.
struct EventsService: ViewerCommands {
    static let maxChannelsAtOnce = 100

    let store: any Store
    let table: ShareTable
    let lives: LiveLocationService
    let log: Log
    let clock: @Sendable () -> Timestamp

    func greeting(of viewer: Viewer, connectionId: String) -> [UInt8] {
        let hello = Hello(
            connectionId: connectionId, user: viewer.user, serverTimestamp: clock(), heartbeatSeconds: 25)
        return WireJSON.encode(OutgoingEvent(.hello, hello))
    }

    func heartbeat(at now: Timestamp) -> [UInt8] {
        WireJSON.encode(OutgoingEvent(.heartbeat, Heartbeat(serverTime: now)))
    }

    func received(_ text: [UInt8], from viewer: ViewerHandle) {
        // From here to its first wait a command runs at once, so commands keep their order.
        Task.immediate { await perform(text, for: viewer) }
    }

    private func perform(_ text: [UInt8], for viewer: ViewerHandle) async {
        var id: Int?
        do {
            let command = try WireJSON.decode(Command.self, from: text)
            id = command.id
            switch command.op {
            case "ping": viewer.send(Ack(id: id).json)
            case "fix":
                let report = try FixReport(json: text)
                let outcome = try await lives.apply(report, by: viewer.viewer.user.id)
                viewer.send(Ack(id: id, outcome: outcome).json)
            case "subscribe": try await subscribe(command, for: viewer)
            case "unsubscribe":
                viewer.unwatch(try channels(of: command), answer: Ack(id: id).json)
            default: throw WireError(.invalidArgument, "no such op", field: "/op")
            }
        } catch {
            let error = WireError(any: error, log: log)
            viewer.send(
                WireJSON.encode(
                    OutgoingEvent(.error, Refusal(id: id, code: error.code.wire, detail: error.detail))))
        }
    }

    private func channels(of command: Command) throws -> [ChannelId] {
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
    /// A change that writes nothing: so it takes its place in the order of changes, and
    /// what was published before it is in the state it sends, all else comes after.
    private func subscribe(_ command: Command, for viewer: ViewerHandle) async throws {
        let wanted = Array(Set(try channels(of: command)))
        let user = viewer.viewer.user.id
        _ = try await store.commit { change in
            try wanted.compactMap { id -> Channel? in
                guard try change.member(user, in: id) != nil else { return nil }
                return try change.channel(id)
            }
        } publish: { (found: [Channel]) in
            let now = clock()
            let watched = found.map { channel in
                let state = ChannelState(
                    channelId: channel.cid, seq: channel.seq,
                    activeLiveLocations: table.activeShares(in: channel.cid, at: now))
                let missed = command.since?[channel.cid.rawValue].map { $0 != channel.seq } ?? false
                return WatchedChannel(channel: channel.cid) {
                    Self.opening(state, missedEvents: missed)
                }
            }
            let known = Set(found.map(\.cid.rawValue))
            let answer = (command.channels ?? []).map { ($0, known.contains($0) ? "ok" : "not_found") }
            viewer.watch(
                watched,
                answer: Ack(id: command.id, channels: Dictionary(answer) { first, _ in first }).json)
        }
    }

    /// The server keeps no past events yet: who missed some reads the channel again.
    private static func opening(_ state: ChannelState, missedEvents: Bool) -> [[UInt8]] {
        let resync = OutgoingEvent(.resync, Resync(channelId: state.channelId))
        return (missedEvents ? [WireJSON.encode(resync)] : [])
            + [WireJSON.encode(OutgoingEvent(.channelState, state))]
    }
}

/// A command of a client, as it came.
private struct Command: Decodable, Sendable {
    var op: String
    var id: Int?
    var channels: [String]?
    var since: [String: Int64]?
}

private struct Heartbeat: Encodable {
    var serverTime: Timestamp

    enum CodingKeys: String, CodingKey {
        case serverTime = "server_time"
    }
}

private struct Resync: Encodable {
    var channelId: ChannelId

    enum CodingKeys: String, CodingKey {
        case channelId = "channel_id"
    }
}

private struct Refusal: Encodable {
    var id: Int?
    var code: String
    var detail: String
}

private struct Ack: Encodable {
    var id: Int?
    var channels: [String: String]?
    var outcome: FixOutcome?

    var json: [UInt8] { WireJSON.encode(OutgoingEvent(.ack, self)) }

    private enum Key: String, CodingKey {
        case id, channels
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(id, forKey: .id)
        try container.encodeIfPresent(channels, forKey: .channels)
        try outcome?.encode(to: encoder)
    }
}
