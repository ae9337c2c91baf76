public import Foundation
public import YonderModel
import YonderRules

/// Told of changes in a channel, on the main actor.
@MainActor public protocol ChatChannelControllerDelegate: AnyObject, Sendable {
    /// The channel itself, or which shares are on in it, has changed; not each move of a pin.
    func channelController(
        _ controller: ChatChannelController, didUpdateChannel change: EntityChange<ChatChannel>)
    /// A message outside of threads has come, changed or gone; also a pin that has moved.
    func channelController(
        _ controller: ChatChannelController, didUpdateMessage change: EntityChange<ChatMessage>)
    /// An action failed that nobody waited for.
    func channelController(_ controller: ChatChannelController, didFailWith error: ClientError)
}

extension ChatChannelControllerDelegate {
    public func channelController(
        _: ChatChannelController, didUpdateChannel _: EntityChange<ChatChannel>
    ) {}
    public func channelController(
        _: ChatChannelController, didUpdateMessage _: EntityChange<ChatMessage>
    ) {}
    public func channelController(_: ChatChannelController, didFailWith _: ClientError) {}
}

/// One channel. Made by ``ChatClient/channelController(for:)``.
public final class ChatChannelController: Sendable {
    private enum Change: Sendable {
        case channel(EntityChange<ChatChannel>)
        case message(EntityChange<ChatMessage>)
    }

    /// Messages in a page.
    static let pageSize = 30

    /// The client that made it.
    public let client: ChatClient
    /// Which channel it is.
    public let cid: ChannelId

    private let creation: ChannelBody?
    private let observer = Observer<any ChatChannelControllerDelegate>()

    init(client: ChatClient, cid: ChannelId, creation: ChannelBody?) {
        self.client = client
        self.cid = cid
        self.creation = creation
    }

    /// The channel as it is known; `nil` before ``synchronize()``, unless the local store holds it.
    public var channel: ChatChannel? { client.replica.read { $0.chatChannel(cid) } }

    /// The messages that are known, oldest first, without those in threads; those that are not sent yet last.
    public var messages: [ChatMessage] { client.replica.read { $0.chatMessages(cid) } }

    /// Whether ``messages`` reach back to the channel's first.
    public var hasLoadedAllPreviousMessages: Bool {
        client.replica.read { $0.timelines[cid]?.reachesBeginning == true }
    }

    /// Told of changes from now on; held weakly.
    public var delegate: (any ChatChannelControllerDelegate)? {
        get { observer.delegate }
        set {
            let changes = changes
            observer.set(newValue) {
                Task { @MainActor [weak self] in
                    for await change in changes {
                        guard !Task.isCancelled, let self, let delegate else { return }
                        switch change {
                        case .channel(let change):
                            delegate.channelController(self, didUpdateChannel: change)
                        case .message(let change):
                            delegate.channelController(self, didUpdateMessage: change)
                        }
                    }
                }
            }
        }
    }

    @MainActor private func report(_ error: ClientError) {
        delegate?.channelController(self, didFailWith: error)
    }

    private var changes: AsyncStream<Change> {
        let cid = cid
        return client.replica.observe { _, change in
            switch change {
            case .channel(let change) where change.item.cid == cid: .channel(change)
            case .message(let change) where change.item.cid == cid && change.item.parentMessageId == nil:
                .message(change)
            default: nil
            }
        }
    }

    /// The changes of the channel from now on. Each call is a sequence of its own, for one reader.
    public var channelChanges: some AsyncSequence<EntityChange<ChatChannel>, Never> & Sendable {
        changes.compactMap { if case .channel(let change) = $0 { change } else { nil } }
    }

    /// The changes of its messages from now on. Each call is a sequence of its own, for one reader.
    public var messageChanges: some AsyncSequence<EntityChange<ChatMessage>, Never> & Sendable {
        changes.compactMap { if case .message(let change) = $0 { change } else { nil } }
    }

    /// The shares that are on, newest first, at each change from now on: when one begins, moves, changes or ends.
    /// Each call is a sequence of its own, for one reader.
    public var activeLiveLocationChanges: AsyncStream<[SharedLocation]> {
        let cid = cid
        return client.replica.observe { state, change in
            if case .share(cid) = change { state.activeShares { $0.channelId == cid } } else { nil }
        }
    }

    /// Reads the channel with its newest messages and watches it from now on, also after a reconnection.
    ///
    /// One that ``ChatClient/channelController(creating:name:members:)`` made is made on the server first, unless
    /// it is there.
    ///
    /// Where the server cannot be reached the channel is watched and read as soon as it can be; one that has to be
    /// made first is not.
    ///
    /// - Returns: The channel; without a connection as the local store holds it.
    /// - Throws: `ClientError`: `.server(.notFound)` where the user is no member of such a channel,
    ///   `.cannotConnect`, … where the server cannot be reached and nothing is known of the channel.
    @discardableResult
    public func synchronize() async throws(ClientError) -> ChatChannel {
        let session = try client.session()
        if let creation { try await create(creation, session) }
        do throws(ClientError) {
            try await session.subscribe(to: cid)
            try await session.read(cid)
        } catch {
            guard error.isPassing else { throw error }
            session.readSoon(cid)
            guard let known = channel else { throw error }
            return known
        }
        guard let channel else { throw ClientError(.server(.notFound), "the channel is gone") }
        return channel
    }

    private func create(_ body: ChannelBody, _ session: Session) async throws(ClientError) {
        do throws(ClientError) {
            let made = try await session.api.call("POST", "/v1/channels", as: Channel.self) {
                WireJSON.encode(body)
            }
            client.replica.update { $0.merge(made) }
        } catch {
            // It is there; whether it is for this user to see shows when it is read.
            guard error.code == .server(.conflict) else { throw error }
        }
    }

    /// Reads older messages.
    ///
    /// - Parameter limit: How many at most, 1...100. Default 30.
    /// - Returns: Those messages, oldest first; none where there are no more.
    /// - Throws: `ClientError`.
    @discardableResult
    public func loadPreviousMessages(limit: Int = 30) async throws(ClientError) -> [ChatMessage] {
        let session = try client.session()
        let oldest = client.replica.read { $0.timelines[cid]?.ids.first }
        var next = oldest
        while true {
            let before = next.map { "&before=\($0)" } ?? ""
            let page = try await session.api.call(
                "GET", "/v1/channels/\(cid)/messages?limit=\(limit)\(before)", as: MessageList.self
            ).messages
            let shown = client.replica.update { state in
                state.merge(older: page, of: cid, before: oldest, isLast: page.count < limit)
                return page.compactMap { state.chatMessage($0.id) }
            }
            // Where all of a page were deleted there may be more before them.
            guard shown.isEmpty, page.count == limit, let first = page.first else { return shown }
            next = first.id
        }
    }

    /// Reads messages, oldest first, without those in threads, and keeps none of them.
    ///
    /// - Parameters:
    ///   - after: The message that they follow; `nil` = the newest ones.
    ///   - limit: How many at most, 1...100.
    /// - Returns: Those messages; none where there are no more.
    /// - Throws: `ClientError`: `.server(.invalidArgument)` where there is no such message to follow.
    package func messages(after: MessageId? = nil, limit: Int) async throws(ClientError) -> [Message] {
        let following = after.map { "&after=\($0)" } ?? ""
        return try await client.session().api.call(
            "GET", "/v1/channels/\(cid)/messages?limit=\(limit)\(following)", as: MessageList.self
        ).messages
    }

    /// Reads who is in it, and keeps none of that.
    ///
    /// - Throws: `ClientError`.
    package func members() async throws(ClientError) -> [Member] {
        try await client.session().api.call("GET", "/v1/channels/\(cid)/members", as: MemberList.self).members
    }

    /// Sends a text. Where the server cannot be reached it is kept, and sent when it can be.
    ///
    /// - Parameters:
    ///   - text: 1 to 20,000 Unicode scalars.
    ///   - quoting: A message of this channel that it quotes; `nil` = none. Default `nil`.
    ///   - inThreadOf: A message of this channel that it answers; `nil` = it is in no thread. Default `nil`.
    /// - Returns: The message; its ``ChatMessage/localState`` says whether the server has it.
    /// - Throws: `ClientError` where the server refuses it; it then stays as failed until it is deleted.
    @discardableResult
    public func sendMessage(
        text: String, quoting: MessageId? = nil, inThreadOf: MessageId? = nil
    ) async throws(ClientError) -> ChatMessage {
        try await client.session().send(
            MessageDraft(id: .random(), cid: cid, text: text, parentId: inThreadOf, quotedId: quoting))
    }

    /// Sends a location that does not move. Where the server cannot be reached it is kept, and sent when it can be.
    ///
    /// - Parameters:
    ///   - location: Where somebody is.
    ///   - options: How it is shared; what is for live shares alone counts for nothing.
    /// - Returns: The message; its ``ChatMessage/localState`` says whether the server has it.
    /// - Throws: `ClientError`: `.server(.invalidArgument)` for a position that is none,
    ///   `.server(.locationSharingDisabled)`, …
    @discardableResult
    public func sendStaticLocation(
        _ location: LocationInfo, options: LocationSharingOptions = .init()
    ) async throws(ClientError) -> ChatMessage {
        var body = SharedLocationBody(try measured(location), options)
        body.keepTrail = nil
        return try await client.session().send(
            MessageDraft(id: .random(), cid: cid, text: options.text, location: body))
    }

    /// Starts a live share; a share of the user's in this channel is replaced.
    ///
    /// Where the server cannot be reached the share is kept: it is on for this device from now on, and for others
    /// from when the server knows of it, unless `endDate` has passed by then.
    ///
    /// - Parameters:
    ///   - location: Where it begins.
    ///   - endDate: When it ends by itself: 60 s to the channel's `maxLiveSeconds` from now.
    ///   - options: How it is shared.
    /// - Returns: The message that carries the share; its ``ChatMessage/localState`` says whether the server has it.
    /// - Throws: `ClientError`.
    @discardableResult
    public func startLiveLocationSharing(
        _ location: LocationInfo, endDate: Date, options: LocationSharingOptions = .init()
    ) async throws(ClientError) -> ChatMessage {
        let session = try client.session()
        var body = SharedLocationBody(try measured(location), options)
        body.deviceId = session.deviceId
        body.fedBy = options.fedBy
        body.endAt = Timestamp(endDate)
        return try await session.send(
            MessageDraft(id: .random(), cid: cid, text: options.text, location: body))
    }

    /// A position that the server would take, with the time at which it was measured.
    private func measured(_ location: LocationInfo) throws(ClientError) -> LocationInfo {
        var location = try location.checked()
        if location.recordedAt == nil { location.recordedAt = client.replica.deviceTime().date }
        return location
    }

    /// Makes a link by which others join; for the channel's owner and moderators.
    ///
    /// - Parameters:
    ///   - uses: How many may join by it, 1...1000. Default 1.
    ///   - lifetime: How long it is good for, from a minute to a year. Default 7 days.
    /// - Returns: The invite; the server does not tell its code again.
    /// - Throws: `ClientError`: `.server(.forbidden)` for other members.
    public func makeInvite(
        uses: Int = 1, validFor lifetime: Duration = .seconds(7 * 86_400)
    ) async throws(ClientError) -> ChannelInvite {
        let body = InviteBody(uses: uses, expiresInSeconds: lifetime.components.seconds)
        let answer = try await client.session().api.call(
            "POST", "/v1/channels/\(cid)/invites", as: MadeInvite.self
        ) { WireJSON.encode(body) }
        guard let url = URL(string: answer.url) else {
            throw ClientError(.invalidResponse, "the server's answer cannot be read")
        }
        return ChannelInvite(
            id: answer.id, url: url, code: answer.code, expiresAt: answer.expiresAt.date, uses: answer.uses)
    }
}

extension ChatChannelController {
    /// Reads the channel and watches it; see ``synchronize()``.
    public func synchronize(
        completion: (@MainActor @Sendable (Result<ChatChannel, ClientError>) -> Void)? = nil
    ) {
        client.run("synchronize", completion, failed: report) { () async throws(ClientError) in
            try await self.synchronize()
        }
    }

    /// Reads older messages; see ``loadPreviousMessages(limit:)``.
    public func loadPreviousMessages(
        limit: Int = 30,
        completion: (@MainActor @Sendable (Result<[ChatMessage], ClientError>) -> Void)? = nil
    ) {
        client.run("loadPreviousMessages", completion, failed: report) { () async throws(ClientError) in
            try await self.loadPreviousMessages(limit: limit)
        }
    }

    /// Sends a text; see ``sendMessage(text:quoting:inThreadOf:)``.
    public func sendMessage(
        text: String, quoting: MessageId? = nil, inThreadOf: MessageId? = nil,
        completion: (@MainActor @Sendable (Result<ChatMessage, ClientError>) -> Void)? = nil
    ) {
        client.run("sendMessage", completion, failed: report) { () async throws(ClientError) in
            try await self.sendMessage(text: text, quoting: quoting, inThreadOf: inThreadOf)
        }
    }

    /// Sends a location that does not move; see ``sendStaticLocation(_:options:)``.
    public func sendStaticLocation(
        _ location: LocationInfo, options: LocationSharingOptions = .init(),
        completion: (@MainActor @Sendable (Result<ChatMessage, ClientError>) -> Void)? = nil
    ) {
        client.run("sendStaticLocation", completion, failed: report) { () async throws(ClientError) in
            try await self.sendStaticLocation(location, options: options)
        }
    }

    /// Starts a live share; see ``startLiveLocationSharing(_:endDate:options:)``.
    public func startLiveLocationSharing(
        _ location: LocationInfo, endDate: Date, options: LocationSharingOptions = .init(),
        completion: (@MainActor @Sendable (Result<ChatMessage, ClientError>) -> Void)? = nil
    ) {
        client.run("startLiveLocationSharing", completion, failed: report) { () async throws(ClientError) in
            try await self.startLiveLocationSharing(location, endDate: endDate, options: options)
        }
    }

    /// Makes a link by which others join; see ``makeInvite(uses:validFor:)``.
    public func makeInvite(
        uses: Int = 1, validFor lifetime: Duration = .seconds(7 * 86_400),
        completion: (@MainActor @Sendable (Result<ChannelInvite, ClientError>) -> Void)? = nil
    ) {
        client.run("makeInvite", completion, failed: report) { () async throws(ClientError) in
            try await self.makeInvite(uses: uses, validFor: lifetime)
        }
    }
}

extension MessageId {
    /// One that nobody else has.
    static func random() -> MessageId { MessageId(UUID().uuidString.lowercased())! }
}
