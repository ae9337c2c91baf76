public import Foundation
import Synchronization
public import YonderModel
import YonderRules

/// One channel. Made by ``ChatClient/channelController(for:)``.
public final class ChatChannelController: Sendable {
    /// The client that made it.
    public let client: ChatClient
    /// Which channel it is.
    public let cid: ChannelId

    private let known = Mutex<ChatChannel?>(nil)

    init(client: ChatClient, cid: ChannelId) {
        self.client = client
        self.cid = cid
    }

    /// The channel as it was last read; `nil` before ``synchronize()``.
    public var channel: ChatChannel? { known.withLock { $0 } }

    /// Reads the channel and watches it from now on, also after a reconnection: the server's
    /// `channel.state` and then the channel's events reach every observer of events.
    ///
    /// - Throws: `ClientError`: `.server(.notFound)` where the user is no member of such a channel.
    @discardableResult
    public func synchronize() async throws(ClientError) -> ChatChannel {
        let session = try client.session()
        try await session.subscribe(to: cid)
        let channel = ChatChannel(try await session.api.call("GET", "/v1/channels/\(cid)", as: Channel.self))
        known.withLock { $0 = channel }
        return channel
    }

    /// Reads messages, oldest first, without those in threads.
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

    /// Sends a text.
    ///
    /// - Parameter text: At most 20,000 Unicode scalars.
    /// - Returns: The message as the server keeps it.
    /// - Throws: `ClientError`.
    @discardableResult
    public func sendMessage(text: String) async throws(ClientError) -> ChatMessage {
        try await send(text: text, location: nil)
    }

    /// Sends a location that does not move.
    ///
    /// - Throws: `ClientError`: `.server(.locationSharingDisabled)`, …
    @discardableResult
    public func sendStaticLocation(_ location: LocationInfo) async throws(ClientError) -> ChatMessage {
        try await send(text: nil, location: SharedLocationBody(location: location))
    }

    /// Starts a live share; a share of the user's in this channel is replaced.
    ///
    /// - Parameters:
    ///   - location: Where it begins.
    ///   - endDate: When it ends by itself: 60 s to the channel's `maxLiveSeconds` from now.
    ///   - text: Goes along with it; `nil` = none. Default `nil`.
    ///   - fedBy: The device of the user's that moves it; `nil` = this one. Default `nil`.
    /// - Returns: The message that carries the share.
    /// - Throws: `ClientError`.
    @discardableResult
    public func startLiveLocationSharing(
        _ location: LocationInfo, endDate: Date, text: String? = nil, fedBy: DeviceId? = nil
    ) async throws(ClientError) -> ChatMessage {
        let session = try client.session()
        try await session.ensureDevice()
        let body = SharedLocationBody(
            location: location, deviceId: session.deviceId, fedBy: fedBy, endAt: Timestamp(endDate))
        let message = try await send(text: text, location: body)
        if let share = message.sharedLocation { session.feeder.shareChanged(share) }
        return message
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

    private func send(
        text: String?, location: SharedLocationBody?
    ) async throws(ClientError) -> ChatMessage {
        let session = try client.session()
        // Chosen here, so that a repeated attempt is the same message.
        let id = MessageId(UUID().uuidString.lowercased())!
        var location = location
        if location != nil, location?.location.recordedAt == nil { location?.location.recordedAt = Date() }
        let body = location
        let message = try await session.api.call(
            "POST", "/v1/channels/\(cid)/messages", as: Message.self
        ) {
            WireJSON.encode(MessageBody(id: id, text: text, location: body, sentAt: .now))
        }
        return ChatMessage(message, currentUserId: session.userId)
    }
}

extension ChatChannelController {
    /// Reads the channel and watches it; see ``synchronize()``.
    public func synchronize(completion: (@Sendable (Result<ChatChannel, ClientError>) -> Void)? = nil) {
        client.run(completion) { () async throws(ClientError) in try await self.synchronize() }
    }

    /// Sends a text; see ``sendMessage(text:)``.
    public func sendMessage(
        text: String, completion: (@Sendable (Result<ChatMessage, ClientError>) -> Void)? = nil
    ) {
        client.run(completion) { () async throws(ClientError) in try await self.sendMessage(text: text) }
    }

    /// Sends a location that does not move; see ``sendStaticLocation(_:)``.
    public func sendStaticLocation(
        _ location: LocationInfo,
        completion: (@Sendable (Result<ChatMessage, ClientError>) -> Void)? = nil
    ) {
        client.run(completion) { () async throws(ClientError) in
            try await self.sendStaticLocation(location)
        }
    }

    /// Makes a link by which others join; see ``makeInvite(uses:validFor:)``.
    public func makeInvite(
        uses: Int = 1, completion: (@Sendable (Result<ChannelInvite, ClientError>) -> Void)?
    ) {
        client.run(completion) { () async throws(ClientError) in try await self.makeInvite(uses: uses) }
    }

    /// Starts a live share; see ``startLiveLocationSharing(_:endDate:text:)``.
    public func startLiveLocationSharing(
        _ location: LocationInfo, endDate: Date,
        completion: (@Sendable (Result<ChatMessage, ClientError>) -> Void)? = nil
    ) {
        client.run(completion) { () async throws(ClientError) in
            try await self.startLiveLocationSharing(location, endDate: endDate)
        }
    }
}
