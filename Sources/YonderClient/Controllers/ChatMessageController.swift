import Synchronization
public import YonderModel

/// One message and the share that it carries. Made by ``ChatClient/messageController(cid:messageId:)``.
public final class ChatMessageController: Sendable {
    /// The client that made it.
    public let client: ChatClient
    /// The channel that it is in.
    public let cid: ChannelId
    /// Which message it is.
    public let messageId: MessageId

    private let known = Mutex<ChatMessage?>(nil)

    init(client: ChatClient, cid: ChannelId, messageId: MessageId) {
        self.client = client
        self.cid = cid
        self.messageId = messageId
    }

    /// The message as it was last read; `nil` before ``synchronize()``.
    public var message: ChatMessage? { known.withLock { $0 } }

    /// Reads the message.
    ///
    /// - Throws: `ClientError`: `.server(.notFound)` where the user may not see such a message.
    @discardableResult
    public func synchronize() async throws(ClientError) -> ChatMessage {
        let session = try client.session()
        let message = ChatMessage(
            try await session.api.call("GET", "/v1/messages/\(messageId)", as: Message.self),
            currentUserId: session.userId)
        known.withLock { $0 = message }
        return message
    }

    /// Stops the live share; one that is over stays so.
    ///
    /// A position that still waits to be sent is not waited for: see
    /// ``CurrentChatUserController/updateLiveLocation(_:)``.
    ///
    /// - Returns: The share as it ended.
    /// - Throws: `ClientError`.
    @discardableResult
    public func stopLiveLocationSharing() async throws(ClientError) -> SharedLocation {
        let session = try client.session()
        let share = try await session.api.call(
            "DELETE", "/v1/messages/\(messageId)/live-location", as: SharedLocation.self)
        session.feeder.shareChanged(share)
        known.withLock { $0?.sharedLocation = share }
        return share
    }
}

extension ChatMessageController {
    /// Reads the message; see ``synchronize()``.
    public func synchronize(completion: (@Sendable (Result<ChatMessage, ClientError>) -> Void)? = nil) {
        client.run(completion) { () async throws(ClientError) in try await self.synchronize() }
    }

    /// Stops the live share; see ``stopLiveLocationSharing()``.
    public func stopLiveLocationSharing(
        completion: (@Sendable (Result<SharedLocation, ClientError>) -> Void)? = nil
    ) {
        client.run(completion) { () async throws(ClientError) in
            try await self.stopLiveLocationSharing()
        }
    }
}
