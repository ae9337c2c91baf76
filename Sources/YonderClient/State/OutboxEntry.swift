import YonderModel
import YonderRules

/// Something that the user has done and the server does not know yet, as the local store keeps it.
struct OutboxEntry: Codable, Hashable, Sendable {
    enum Action: Codable, Hashable, Sendable {
        case send(MessageDraft)
        case stop(MessageId, channel: ChannelId)
    }

    /// A refusal, as far as it outlives the program.
    struct Refusal: Codable, Hashable, Sendable {
        /// See ``ClientError/Code/word``.
        var code: String
        var message: String
    }

    /// Rises from entry to entry; 0 until it is kept.
    var id: Int64 = 0
    var action: Action
    /// When it was done, on the device's clock.
    var queuedAt: Timestamp
    /// Why it is not tried any more; `nil` = it is.
    var refusal: Refusal?

    /// The message that it is about.
    var messageId: MessageId {
        switch action {
        case .send(let draft): draft.id
        case .stop(let id, _): id
        }
    }

    var draft: MessageDraft? {
        if case .send(let draft) = action { draft } else { nil }
    }
}

/// A message that the server does not have yet.
struct MessageDraft: Codable, Hashable, Sendable {
    let id: MessageId
    let cid: ChannelId
    var text: String?
    var parentId: MessageId?
    var quotedId: MessageId?
    var location: SharedLocationBody?
    /// Whether the server may have got it: from then on a repetition has to be the same message.
    var isAttempted = false

    /// Whether it begins a live share.
    var isLive: Bool { location?.endAt != nil }

    /// Whether it is a live share whose end has come, by the device's clock, by which it was chosen.
    func isOver(at now: Timestamp) -> Bool { location?.endAt.map { $0 <= now } ?? false }

    /// The body of `POST /v1/channels/{cid}/messages`, as sent at a moment of the device's clock.
    func body(sentAt: Timestamp) -> MessageBody {
        MessageBody(
            id: id, text: text, parentId: parentId, quotedId: quotedId, location: location, sentAt: sentAt)
    }
}

extension ClientError {
    init(_ refusal: OutboxEntry.Refusal) { self.init(Code(word: refusal.code), refusal.message) }
}

extension OutboxEntry.Refusal {
    init(_ error: ClientError) { self.init(code: error.code.word, message: error.message) }
}
