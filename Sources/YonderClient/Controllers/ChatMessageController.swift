public import Foundation
public import YonderModel
import YonderRules

/// Told of changes of a message, on the main actor.
@MainActor public protocol ChatMessageControllerDelegate: AnyObject, Sendable {
    /// The message has come, changed or gone; also its pin has moved, or its share is over.
    func messageController(
        _ controller: ChatMessageController, didChangeMessage change: EntityChange<ChatMessage>)
    /// A reply in the message's thread has come, changed or gone.
    func messageController(
        _ controller: ChatMessageController, didChangeReply change: EntityChange<ChatMessage>)
    /// An action failed that nobody waited for.
    func messageController(_ controller: ChatMessageController, didFailWith error: ClientError)
}

extension ChatMessageControllerDelegate {
    public func messageController(
        _: ChatMessageController, didChangeMessage _: EntityChange<ChatMessage>
    ) {}
    public func messageController(
        _: ChatMessageController, didChangeReply _: EntityChange<ChatMessage>
    ) {}
    public func messageController(_: ChatMessageController, didFailWith _: ClientError) {}
}

/// One message and the share that it carries. Made by ``ChatClient/messageController(cid:messageId:)``.
///
/// What others do to it shows while its channel is watched, see ``ChatChannelController/synchronize()``; what the
/// user's own shares go through always does.
public final class ChatMessageController: Sendable {
    private enum Change: Sendable {
        case message(EntityChange<ChatMessage>)
        case reply(EntityChange<ChatMessage>)
    }

    /// The client that made it.
    public let client: ChatClient
    /// The channel that it is in.
    public let cid: ChannelId
    /// Which message it is.
    public let messageId: MessageId

    private let observer = Observer<any ChatMessageControllerDelegate>()

    init(client: ChatClient, cid: ChannelId, messageId: MessageId) {
        self.client = client
        self.cid = cid
        self.messageId = messageId
    }

    /// The message as it is known; `nil` before ``synchronize()``, unless it is known otherwise.
    public var message: ChatMessage? { client.replica.read { $0.chatMessage(messageId) } }

    /// The messages of its thread that are known, oldest first; those that are not sent yet last.
    public var replies: [ChatMessage] { client.replica.read { $0.replies(to: messageId) } }

    /// Told of changes from now on; held weakly.
    public var delegate: (any ChatMessageControllerDelegate)? {
        get { observer.delegate }
        set {
            let changes = changes
            observer.set(newValue) {
                Task { @MainActor [weak self] in
                    for await change in changes {
                        guard !Task.isCancelled, let self, let delegate else { return }
                        switch change {
                        case .message(let change): delegate.messageController(self, didChangeMessage: change)
                        case .reply(let change): delegate.messageController(self, didChangeReply: change)
                        }
                    }
                }
            }
        }
    }

    @MainActor private func report(_ error: ClientError) {
        delegate?.messageController(self, didFailWith: error)
    }

    private var changes: AsyncStream<Change> {
        let id = messageId
        return client.replica.observe { _, change in
            switch change {
            case .message(let change) where change.item.id == id: .message(change)
            case .message(let change) where change.item.parentMessageId == id: .reply(change)
            default: nil
            }
        }
    }

    /// The changes of the message from now on. Each call is a sequence of its own, for one reader.
    public var messageChanges: some AsyncSequence<EntityChange<ChatMessage>, Never> & Sendable {
        changes.compactMap { if case .message(let change) = $0 { change } else { nil } }
    }

    /// The changes in its thread from now on. Each call is a sequence of its own, for one reader.
    public var replyChanges: some AsyncSequence<EntityChange<ChatMessage>, Never> & Sendable {
        changes.compactMap { if case .reply(let change) = $0 { change } else { nil } }
    }

    /// Reads the message.
    ///
    /// - Throws: `ClientError`: `.server(.notFound)` where the user may not see such a message.
    @discardableResult
    public func synchronize() async throws(ClientError) -> ChatMessage {
        let session = try client.session()
        do throws(ClientError) {
            let read = try await session.api.call("GET", "/v1/messages/\(messageId)", as: Message.self)
            client.replica.update { $0.merge(read) }
        } catch {
            if error.code == .server(.notFound) { client.replica.update { $0.forget(messageId) } }
            throw error
        }
        guard let message else { throw ClientError(.server(.notFound), "the message was deleted") }
        return message
    }

    /// Reads replies of the message's thread: the newest at first, then those before them.
    ///
    /// - Parameter limit: How many at most, 1...100. Default 30.
    /// - Returns: Those messages, oldest first; none where there are no more.
    /// - Throws: `ClientError`.
    @discardableResult
    public func loadPreviousReplies(limit: Int = 30) async throws(ClientError) -> [ChatMessage] {
        let session = try client.session()
        var next = client.replica.read { $0.threads[messageId]?.ids.first }
        while true {
            let before = next.map { "&before=\($0)" } ?? ""
            let page = try await session.api.call(
                "GET", "/v1/messages/\(messageId)/replies?limit=\(limit)\(before)", as: MessageList.self
            ).messages
            let shown = client.replica.update { state in
                state.merge(
                    replies: page, to: messageId, areNewest: next == nil, isLast: page.count < limit)
                return page.compactMap { state.chatMessage($0.id) }
            }
            // Where all of a page were deleted there may be more before them.
            guard shown.isEmpty, page.count == limit, let first = page.first else { return shown }
            next = first.id
        }
    }

    /// Stops the live share; one that is over stays so.
    ///
    /// It is over for this device at once. Without a connection the stop is kept, and sent when there is one;
    /// positions from before it go first, as far as that takes no longer than 10 s. A position that still waits for the throttle is not waited for.
    ///
    /// - Returns: The share as it is known now; `nil` where it is not.
    /// - Throws: `ClientError` where the server refuses.
    @discardableResult
    public func stopLiveLocationSharing() async throws(ClientError) -> SharedLocation? {
        let session = try client.session()
        let before = message?.sharedLocation
        _ = try await session.stop(messageId, in: cid)
        if let now = client.replica.read({ $0.location(messageId) }) { return now }
        var withdrawn = before
        withdrawn?.isLiveSharingActive = false
        return withdrawn
    }

    /// Changes when the live share ends by itself.
    ///
    /// - Parameter end: At most the channel's `maxLiveSeconds` from now; now or earlier stops it.
    /// - Returns: The share as the server has it now.
    /// - Throws: `ClientError`: `.server(.liveLocationEnded)` where it is over, `.server(.notLive)`, …
    @discardableResult
    public func extendLiveLocationSharing(until end: Date) async throws(ClientError) -> SharedLocation {
        try await client.session().change(messageId, endAt: Timestamp(end))
    }

    /// Says which of the user's devices moves the live share from now on.
    ///
    /// - Throws: `ClientError`: `.server(.invalidArgument)` where the user has no such device, …
    @discardableResult
    public func feedLiveLocation(from deviceId: DeviceId) async throws(ClientError) -> SharedLocation {
        try await client.session().change(messageId, fedBy: deviceId)
    }

    /// Makes a link by which people without an account see the share; for its owner.
    ///
    /// - Parameters:
    ///   - end: When it ends by itself; `nil` = with the share, a static location's after 7 days. Default `nil`.
    ///   - precision: How finely it shows where the share is, never finer than the share does. Default `.exact`.
    /// - Returns: The link; the server does not tell its URL again.
    /// - Throws: `ClientError`.
    public func makeViewLink(
        expiresAt end: Date? = nil, precision: SharePrecision = .exact
    ) async throws(ClientError) -> ShareLink {
        let answer = try await client.session().api.call(
            "POST", "/v1/messages/\(messageId)/links", as: LinkAnswer.self
        ) {
            WireJSON.encode(LinkBody(expiresAt: end.map { Timestamp($0) }, precision: precision))
        }
        guard let url = answer.url.flatMap({ URL(string: $0) }) else {
            throw ClientError(.invalidResponse, "the server's answer cannot be read")
        }
        return ShareLink(id: answer.id, url: url, precision: precision, expiresAt: answer.expiresAt.date)
    }

    /// Reads the share's links that still show something; for its owner.
    ///
    /// - Throws: `ClientError`.
    public func viewLinks() async throws(ClientError) -> [ShareLink] {
        try await client.session().api.call(
            "GET", "/v1/messages/\(messageId)/links", as: LinkList.self
        ).links.map(ShareLink.init)
    }

    /// Ends a link: who came by it sees nothing more.
    ///
    /// - Throws: `ClientError`: `.server(.notFound)` where the share has no such link.
    public func revoke(_ link: LinkId) async throws(ClientError) {
        try await client.session().api.call("DELETE", "/v1/messages/\(messageId)/links/\(link)")
    }

    /// Ends a link; see ``revoke(_:)-(LinkId)``.
    public func revoke(_ link: ShareLink) async throws(ClientError) { try await revoke(link.id) }

    /// Reads who can see the share now; for its owner.
    ///
    /// - Throws: `ClientError`.
    public func audience() async throws(ClientError) -> ShareAudience {
        let answer = try await client.session().api.call(
            "GET", "/v1/messages/\(messageId)/audience", as: AudienceAnswer.self)
        return ShareAudience(
            members: answer.members, links: answer.links.map(ShareLink.init), count: answer.count)
    }

    /// Reads the way that the share has gone, while the server keeps it.
    ///
    /// - Returns: Its points, in the order of their times.
    /// - Throws: `ClientError`: `.server(.notFound)` where it is not kept, or not for this user to see.
    public func trail() async throws(ClientError) -> [TrailPoint] {
        try await client.session().api.call(
            "GET", "/v1/messages/\(messageId)/trail", as: TrailFeature.self
        ).points
    }

    /// Changes the message's text; for its author.
    ///
    /// - Throws: `ClientError`.
    @discardableResult
    public func editMessage(text: String) async throws(ClientError) -> ChatMessage? {
        let body = EditBody(text: text)
        let edited = try await client.session().api.call(
            "PATCH", "/v1/messages/\(messageId)", as: Message.self
        ) { WireJSON.encode(body) }
        client.replica.update { $0.merge(edited) }
        return message
    }

    /// Deletes the message; its live share ends. One that was not sent yet, or was refused, is just forgotten.
    ///
    /// - Throws: `ClientError`.
    public func deleteMessage() async throws(ClientError) {
        let session = try client.session()
        if client.replica.withdraw(messageId) { return session.feeder.forget(messageId) }
        let tombstone = try await session.api.call("DELETE", "/v1/messages/\(messageId)", as: Message.self)
        client.replica.update { $0.merge(tombstone) }
        session.feeder.forget(messageId)
    }

    /// Tries once more to send a message that was refused.
    ///
    /// - Throws: `ClientError` with code `.notConnected` before `connectUser`.
    public func resendMessage() throws(ClientError) {
        let session = try client.session()
        let entry = client.replica.read { $0.draftEntry(messageId) }
        guard var entry, entry.refusal != nil else { return }
        entry.refusal = nil
        client.replica.replace(entry)
        session.outbox.retry()
    }
}

extension ShareLink {
    init(_ answer: LinkAnswer) {
        self.init(
            id: answer.id, url: nil, precision: answer.precision ?? .exact, expiresAt: answer.expiresAt.date)
    }
}

extension ChatMessageController {
    /// Reads the message; see ``synchronize()``.
    public func synchronize(
        completion: (@MainActor @Sendable (Result<ChatMessage, ClientError>) -> Void)? = nil
    ) {
        client.run("synchronize", completion, failed: report) { () async throws(ClientError) in
            try await self.synchronize()
        }
    }

    /// Reads replies; see ``loadPreviousReplies(limit:)``.
    public func loadPreviousReplies(
        limit: Int = 30,
        completion: (@MainActor @Sendable (Result<[ChatMessage], ClientError>) -> Void)? = nil
    ) {
        client.run("loadPreviousReplies", completion, failed: report) { () async throws(ClientError) in
            try await self.loadPreviousReplies(limit: limit)
        }
    }

    /// Stops the live share; see ``stopLiveLocationSharing()``.
    public func stopLiveLocationSharing(
        completion: (@MainActor @Sendable (Result<SharedLocation?, ClientError>) -> Void)? = nil
    ) {
        client.run("stopLiveLocationSharing", completion, failed: report) { () async throws(ClientError) in
            try await self.stopLiveLocationSharing()
        }
    }

    /// Changes when the live share ends; see ``extendLiveLocationSharing(until:)``.
    public func extendLiveLocationSharing(
        until end: Date,
        completion: (@MainActor @Sendable (Result<SharedLocation, ClientError>) -> Void)? = nil
    ) {
        client.run("extendLiveLocationSharing", completion, failed: report) { () async throws(ClientError) in
            try await self.extendLiveLocationSharing(until: end)
        }
    }

    /// Says which device moves the live share; see ``feedLiveLocation(from:)``.
    public func feedLiveLocation(
        from deviceId: DeviceId,
        completion: (@MainActor @Sendable (Result<SharedLocation, ClientError>) -> Void)? = nil
    ) {
        client.run("feedLiveLocation", completion, failed: report) { () async throws(ClientError) in
            try await self.feedLiveLocation(from: deviceId)
        }
    }

    /// Makes a link that shows the share; see ``makeViewLink(expiresAt:precision:)``.
    public func makeViewLink(
        expiresAt end: Date? = nil, precision: SharePrecision = .exact,
        completion: (@MainActor @Sendable (Result<ShareLink, ClientError>) -> Void)? = nil
    ) {
        client.run("makeViewLink", completion, failed: report) { () async throws(ClientError) in
            try await self.makeViewLink(expiresAt: end, precision: precision)
        }
    }

    /// Ends a link; see ``revoke(_:)-(LinkId)``.
    public func revoke(
        _ link: ShareLink, completion: (@MainActor @Sendable (Result<Void, ClientError>) -> Void)? = nil
    ) {
        client.run("revoke", completion, failed: report) { () async throws(ClientError) in
            try await self.revoke(link.id)
        }
    }

    /// Reads who can see the share; see ``audience()``.
    public func audience(
        completion: (@MainActor @Sendable (Result<ShareAudience, ClientError>) -> Void)? = nil
    ) {
        client.run("audience", completion, failed: report) { () async throws(ClientError) in
            try await self.audience()
        }
    }

    /// Reads the way that the share has gone; see ``trail()``.
    public func trail(completion: (@MainActor @Sendable (Result<[TrailPoint], ClientError>) -> Void)? = nil) {
        client.run("trail", completion, failed: report) { () async throws(ClientError) in
            try await self.trail()
        }
    }

    /// Deletes the message; see ``deleteMessage()``.
    public func deleteMessage(
        completion: (@MainActor @Sendable (Result<Void, ClientError>) -> Void)? = nil
    ) {
        client.run("deleteMessage", completion, failed: report) { () async throws(ClientError) in
            try await self.deleteMessage()
        }
    }

    /// Reads the share's links; see ``viewLinks()``.
    public func viewLinks(
        completion: (@MainActor @Sendable (Result<[ShareLink], ClientError>) -> Void)? = nil
    ) {
        client.run("viewLinks", completion, failed: report) { () async throws(ClientError) in
            try await self.viewLinks()
        }
    }

    /// Changes the message's text; see ``editMessage(text:)``.
    public func editMessage(
        text: String, completion: (@MainActor @Sendable (Result<ChatMessage?, ClientError>) -> Void)? = nil
    ) {
        client.run("editMessage", completion, failed: report) { () async throws(ClientError) in
            try await self.editMessage(text: text)
        }
    }
}
