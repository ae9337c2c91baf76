import Foundation
import Synchronization
import YonderModel
import YonderRules

/// One user's connection to the server, from `connectUser` to `disconnect`: keeps the WebSocket up,
/// subscribes again, feeds the shares.
final class Session: Sendable {
    private typealias Command = CheckedContinuation<Result<[String: String], ClientError>, Never>
    private typealias Ready = CheckedContinuation<Result<Void, ClientError>, Never>

    /// Most channels that the server takes in one command.
    private static let maxChannelsAtOnce = 100

    private struct State {
        var ledger = EventLedger()
        /// The link once the server has said hello on it.
        var link: (any EventLink)?
        var nextCommand = 0
        var commands: [Int: Command] = [:]
        /// How the first attempt to connect ended; `nil` = it has not.
        var firstResult: Result<Void, ClientError>?
        var ready: Ready?
        /// Channels that have to be read again.
        var unread: Set<ChannelId> = []
        /// Channels in which shares are on whose messages are not known.
        var withUnknownShares: Set<ChannelId> = []

        mutating func takeReady() -> Ready? {
            defer { ready = nil }
            return ready
        }
    }

    let userId: UserId
    let deviceId: DeviceId
    let api: ServerAPI
    let feeder: LiveLocationFeeder
    let outbox: OutboxSender
    let device: DeviceRegistration
    let replica: Replica
    private let tokens: TokenKeeper
    private let transport: any ChatTransport
    private let hub: EventHub
    private let state = Mutex(State())
    private let reading = Alarm()

    init(
        userId: UserId, token: Token, deviceId: DeviceId, config: ChatClientConfig,
        transport: any ChatTransport, hub: EventHub, replica: Replica
    ) throws(ClientError) {
        self.userId = userId
        self.deviceId = deviceId
        self.transport = transport
        self.hub = hub
        self.replica = replica
        tokens = TokenKeeper(token, of: userId, provider: config.tokenProvider)
        api = ServerAPI(transport: transport, tokens: tokens)
        device = DeviceRegistration(api: api, id: deviceId)
        feeder = LiveLocationFeeder(
            api: api, replica: replica, deviceId: config.onlyCurrentDevice ? deviceId : nil,
            interval: config.minimumUpdateInterval, fixes: try replica.become(userId))
        outbox = OutboxSender(api: api, replica: replica, feeder: feeder, device: device)
    }

    /// Starts to work.
    ///
    /// - Returns: The work, to be cancelled at the end.
    func start() -> Task<Void, Never> { Task { await run() } }

    /// Waits for the server's first hello, once.
    ///
    /// - Throws: `ClientError`; `.cancelled` where the work or the caller's task was cancelled.
    func untilReady() async throws(ClientError) {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (ready: Ready) in
                let result = state.withLock { state -> Result<Void, ClientError>? in
                    if let known = state.firstResult { return known }
                    if Task.isCancelled { return .failure(.cancelled) }
                    state.ready = ready
                    return nil
                }
                if let result { ready.resume(returning: result) }
            }
        } onCancel: {
            let ready = state.withLock { $0.takeReady() }
            ready?.resume(returning: .failure(.cancelled))
        }
        try result.get()
    }

    /// Watches a channel, now and after every reconnection; what an earlier run of the app knew of it is only
    /// brought up to date.
    func subscribe(to channel: ChannelId) async throws(ClientError) {
        let floor = replica.read { $0.keptFloor(channel) }
        let id = state.withLock { state in
            state.nextCommand += 1
            return state.nextCommand
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (command: Command) in
                let result = state.withLock { state -> Result<[String: String], ClientError>? in
                    if Task.isCancelled { return .failure(.cancelled) }
                    state.ledger.subscribe(to: channel, since: floor)
                    // Without a connection it is subscribed as soon as there is one.
                    guard let link = state.link else { return .success([:]) }
                    state.commands[id] = command
                    link.send(Self.subscription([channel], state.ledger, id))
                    return nil
                }
                if let result { command.resume(returning: result) }
            }
        } onCancel: {
            answer(id, .failure(.cancelled))
        }
        if try result.get()[channel.rawValue] == "not_found" {
            throw ClientError(
                .server(.notFound), "there is no such channel, or the user is no member of it")
        }
    }

    func unsubscribe(from channel: ChannelId) {
        state.withLock { $0.ledger.unsubscribe(from: channel) }
    }

    private static func subscription(_ channels: [ChannelId], _ ledger: EventLedger, _ id: Int) -> [UInt8] {
        let since = ledger.since.filter { channels.contains($0.key) }
        return WireJSON.encode(SubscribeCommand(id: id, channels: channels, since: since))
    }
}

extension Session {
    private func run() async {
        hub.publish(.connecting)
        let end = await withDiscardingTaskGroup { group in
            group.addTask { await self.feeder.run() }
            group.addTask { await self.outbox.run() }
            group.addTask { await self.readChannels() }
            let end = await keepConnected()
            group.cancelAll()
            return end
        }
        await tokens.end()
        hub.publish(.disconnected, because: end)
    }

    /// Connects again and again, until the server refuses for good or the work is cancelled.
    ///
    /// - Returns: Why the server refused; `nil` where it was cancelled.
    private func keepConnected() async -> ClientError? {
        var backoff = ReconnectBackoff()
        var isTokenFresh = false
        var askedAt: ContinuousClock.Instant?
        while !Task.isCancelled {
            let token = await tokens.token
            do throws(ClientError) {
                let link = try await transport.openEvents(token: token)
                let end = await read(link)
                await link.close()
                let error = Self.error(closedWith: end.code)
                if end.sawHello {
                    if !error.asksForToken { backoff.succeeded() }
                    isTokenFresh = false
                }
                throw error
            } catch {
                do throws(ClientError) {
                    // One that was just given and is refused, too, is followed by no third.
                    guard error.asksForToken, !isTokenFresh else { throw error }
                    _ = try await tokens.replacement(for: token, after: error)
                    isTokenFresh = true
                    defer { askedAt = .now }
                    // Where each is taken and called too old at once, the next one waits for its turn.
                    guard let askedAt, .now - askedAt < ReconnectBackoff.cap else { continue }
                } catch {
                    if Task.isCancelled { break }
                    if !error.endsSession { hub.publish(.connecting, because: error) }
                    let isFirst = answerReady(.failure(error))
                    if error.endsSession || isFirst && !error.isWorthWaiting { return error }
                }
            }
            try? await Task.sleep(for: backoff.failed(jitter: .random(in: 0...1)))
        }
        _ = answerReady(.failure(.cancelled))
        return nil
    }

    private static func error(closedWith code: UInt16) -> ClientError {
        switch code {
        case 4401: ClientError(.server(.tokenExpired), "the token is not valid any more")
        case 4403: ClientError(.server(.forbidden), "the account is gone")
        default: ClientError(.connectionLost, "the connection broke off")
        }
    }

    /// Tells ``untilReady()`` how the first attempt ended.
    ///
    /// - Returns: Whether it was the first.
    private func answerReady(_ result: Result<Void, ClientError>) -> Bool {
        let (isFirst, ready) = state.withLock { state in
            guard state.firstResult == nil else { return (false, nil as Ready?) }
            state.firstResult = result
            return (true, state.takeReady())
        }
        ready?.resume(returning: result)
        return isFirst
    }

    /// How long the server may take to say hello once it has shaken hands.
    private static let helloLimit = Duration.seconds(10)

    /// Handles one link's frames to its end.
    private func read(_ link: any EventLink) async -> (code: UInt16, sawHello: Bool) {
        var code: UInt16 = 0
        var sawHello = false
        let patience = Task {
            try await Task.sleep(for: Self.helloLimit)
            await link.close()
        }
        defer { patience.cancel() }
        state.withLock { $0.ledger.connectionOpened() }
        for await signal in link.frames {
            switch signal {
            case .closed(let sent): code = sent
            case .text(let json):
                defer { link.handled(bytes: json.count) }
                guard let event = Self.event(json) else { continue }
                if case .hello = event {
                    sawHello = true
                    patience.cancel()
                }
                handle(ReceivedEvent(json: json, event: event), on: link)
            }
        }
        let commands = state.withLock { state in
            defer { state.commands = [:] }
            state.link = nil
            return state.commands.values
        }
        feeder.connectionLost()
        outbox.connectionLost()
        let lost = ClientError(.connectionLost, "the connection broke off")
        for command in commands { command.resume(returning: .failure(lost)) }
        return (code, sawHello)
    }

    /// Where and which durable event a frame of any kind is.
    private struct Envelope: Decodable {
        var event: String
        var channelId: ChannelId?
        var seq: Int64?

        private enum CodingKeys: String, CodingKey {
            case event, seq
            case channelId = "channel_id"
        }
    }

    /// What a frame says; one that is malformed is an unknown event by its name, if it has one.
    private static func event(_ json: [UInt8]) -> ServerEvent? {
        if let event = try? WireJSON.decode(ServerEvent.self, from: json) { return event }
        return (try? WireJSON.decode(Envelope.self, from: json)).map { .unknown($0.event) }
    }

    private func handle(_ received: ReceivedEvent, on link: any EventLink) {
        guard admits(received) else { return }
        switch received.event {
        case .hello(let hello): replica.heard(hello.serverTimestamp)
        case .heartbeat(let time): replica.heard(time)
        default: break
        }
        replica.update { state in
            state.apply(received.event)
            // What the server tells unasked says nothing of what came before it.
            if let place = received.event.place, isCurrent(place.channel) {
                state.setFloor(place.channel, place.seq)
            }
        }
        switch received.event {
        case .hello: opened(link)
        case .ack(let id, let channels): answer(id, .success(channels))
        case .error(let id?, let code, let detail):
            answer(id, .failure(ClientError(WireError(code, detail))))
        case .channelState(let channel):
            feeder.sharesChanged()
            readUnknownShares(of: channel.channelId)
        case .locationStarted, .locationChanged, .locationEnded, .messageDeleted: feeder.sharesChanged()
        case .memberRemoved(let event):
            if event.member.user.id == userId { unsubscribe(from: event.channelId) }
        case .memberUpdated(let event):
            // What one may do has changed.
            if event.member.user.id == userId { readSoon(event.channelId) }
        case .channelDeleted(let event): unsubscribe(from: event.channelId)
        case .resync(let channel): readSoon(channel)
        case .memberAdded, .messageNew, .messageUpdated, .locationUpdated, .channelUpdated, .shareState,
            .locationWatchers, .heartbeat, .error, .unknown:
            break
        }
        hub.publish(received)
    }

    private func isCurrent(_ channel: ChannelId) -> Bool {
        state.withLock { $0.ledger.isCurrent(channel) }
    }

    /// Reads a channel as soon as there is a connection.
    func readSoon(_ channel: ChannelId) {
        _ = state.withLock { $0.unread.insert(channel) }
        reading.ring()
    }

    private func readUnknownShares(of channel: ChannelId) {
        guard replica.read({ !$0.unknownShares(in: channel).isEmpty }) else { return }
        _ = state.withLock { $0.withUnknownShares.insert(channel) }
        reading.ring()
    }

    /// Reads a channel with its newest messages.
    func read(_ channel: ChannelId) async throws(ClientError) {
        let limit = 30
        let read = try await api.call("GET", "/v1/channels/\(channel)", as: Channel.self)
        let page = try await api.call(
            "GET", "/v1/channels/\(channel)/messages?limit=\(limit)", as: MessageList.self
        ).messages
        replica.update { state in
            state.merge(read)
            state.merge(newest: page, of: channel, isLast: page.count < limit)
        }
        feeder.sharesChanged()
    }

    /// Reads again what the server could not replay. Works until it is cancelled.
    private func readChannels() async {
        while !Task.isCancelled {
            let (unread, unknown) = state.withLock { state in
                guard state.link != nil else { return (nil as ChannelId?, nil as ChannelId?) }
                let unread = state.unread.popFirst()
                return (unread, unread ?? state.withUnknownShares.popFirst())
            }
            guard let channel = unknown else {
                await reading.wait(until: nil)
                continue
            }
            do throws(ClientError) {
                if unread != nil { try await read(channel) }
                try await readMessages(replica.read { $0.unknownShares(in: channel) })
            } catch {
                if error.code == .server(.notFound) {
                    replica.update { $0.forget(channel) }
                } else if error.isPassing {
                    _ = state.withLock { $0.unread.insert(channel) }
                    await reading.wait(until: .now + .seconds(2))
                }
            }
        }
    }

    /// Reads messages; one that is gone is none.
    private func readMessages(_ ids: [MessageId]) async throws(ClientError) {
        for id in ids {
            do throws(ClientError) {
                let message = try await api.call("GET", "/v1/messages/\(id)", as: Message.self)
                replica.update { $0.merge(message) }
            } catch {
                guard error.code == .server(.notFound) else { throw error }
                replica.update { $0.shareOver(id) }
            }
        }
    }

    private func admits(_ received: ReceivedEvent) -> Bool {
        state.withLock { state in
            switch received.event {
            case .channelState(let channel):
                state.ledger.stateReceived(channel.channelId, seq: channel.seq)
                return true
            case .resync(let channel):
                state.ledger.resyncReceived(channel)
                return true
            case .unknown:
                guard let envelope = try? WireJSON.decode(Envelope.self, from: received.json),
                    let channel = envelope.channelId, let seq = envelope.seq
                else { return true }
                return state.ledger.admits(channel, seq: seq)
            default:
                guard let place = received.event.place else { return true }
                return state.ledger.admits(place.channel, seq: place.seq)
            }
        }
    }

    private func opened(_ link: any EventLink) {
        state.withLock { state in
            state.link = link
            var rest = state.ledger.channels[...]
            while !rest.isEmpty {
                state.nextCommand += 1
                let channels = Array(rest.prefix(Self.maxChannelsAtOnce))
                link.send(Self.subscription(channels, state.ledger, state.nextCommand))
                rest = rest.dropFirst(channels.count)
            }
        }
        hub.publish(.connected)
        feeder.connectionOpened()
        outbox.connectionOpened()
        reading.ring()
        _ = answerReady(.success(()))
    }

    private func answer(_ id: Int, _ result: Result<[String: String], ClientError>) {
        let words = (try? result.get()) ?? [:]
        let gone = words.filter { $0.value == "not_found" }.keys.compactMap { ChannelId($0) }
        let command = state.withLock { state in
            for channel in gone { state.ledger.unsubscribe(from: channel) }
            return state.commands.removeValue(forKey: id)
        }
        // The user was removed, or it was deleted, while there was no connection.
        if !gone.isEmpty { replica.update { state in for channel in gone { state.forget(channel) } } }
        command?.resume(returning: result)
    }
}
