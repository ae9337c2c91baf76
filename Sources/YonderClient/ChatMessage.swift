public import Foundation
public import YonderModel

/// Where a message of the user's own is on its way; one that came from the server is `sent`.
public enum LocalMessageState: String, Hashable, Sendable {
    /// Kept in the local store, to be sent when the server can be reached.
    case pending
    /// On its way.
    case sending
    /// The server has it.
    case sent
    /// The server has refused it, or a live share's end came before it could be sent: ``ChatMessage/localError``
    /// says why. It stays until it is deleted or sent again.
    case failed
}

/// A message as an app shows it.
public struct ChatMessage: Hashable, Sendable, Identifiable {
    public var id: MessageId
    public var cid: ChannelId
    /// Empty where only a location was sent.
    public var text: String
    public var author: User
    /// Server time.
    public var createdAt: Date
    /// When its text was last changed, server time.
    public var updatedAt: Date
    /// The location that it carries; `nil` = none.
    public var sharedLocation: SharedLocation?
    /// The message that this one answers in a thread; `nil` = none.
    public var parentMessageId: MessageId?
    /// How many messages answer this one in its thread.
    public var replyCount: Int
    public var isSentByCurrentUser: Bool
    /// Whether the server has it.
    public var localState: LocalMessageState
    /// Why it has not been sent, where it has not.
    public var localError: ClientError?
    /// At most one: a list, because a value cannot hold itself.
    private var quotes: [ChatMessage] = []

    /// The message that this one quotes, one level deep; `nil` = none.
    public var quotedMessage: ChatMessage? {
        get { quotes.first }
        set { quotes = newValue.map { [$0] } ?? [] }
    }

    init(_ message: Message, currentUserId: UserId?) {
        id = message.id
        cid = message.channelId
        text = message.text
        author = message.user
        createdAt = message.createdAt
        updatedAt = message.updatedAt
        sharedLocation = message.sharedLocation
        parentMessageId = message.parentId
        replyCount = message.replyCount
        isSentByCurrentUser = message.user.id == currentUserId
        localState = .sent
        quotedMessage = message.quotedMessage.map { ChatMessage($0, currentUserId: currentUserId) }
    }
}
