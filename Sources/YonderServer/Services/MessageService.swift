import Foundation
import YonderCrypto
import YonderModel
import YonderRules
import YonderStore

/// Sends, changes and reads messages.
struct MessageService: Sendable {
    let store: any Store
    let signer: TokenSigner
    let table: ShareTable
    let lives: LiveLocationService
    let announcer: Announcer
    let limits: SharingLimits
    let clock: @Sendable () -> Timestamp

    /// What became of a send.
    struct Sent: Sendable {
        var message: Message
        /// `false` where the same message was there already.
        var isNew: Bool
        var seq: Int64 = 0
        var replaced: EndedShare?
        var startedSeq: Int64?
    }

    /// Sends a message; with an id that is there already, by the same author and
    /// with the same body, it answers the stored one.
    func send(_ body: MessageBody, in channel: ChannelId, by caller: Caller) async throws -> Sent {
        let now = clock()
        let draft = try MessageDraft(body, now: now)
        let id = draft.id ?? MessageId(UUIDv7.make(milliseconds: now.milliseconds))!
        let fingerprint = signer.fingerprint(
            Self.canonicalJSON(MessageIdentity(draft, author: caller.user, channel: channel)))
        let composer = MessageComposer(
            draft: draft, id: id, author: caller.user, limits: limits, now: now)
        return try await store.commit { change in
            let room = try change.visibleChannel(channel, to: caller.user)
            if let stored = try change.message(id) {
                guard try change.messageFingerprint(id) == fingerprint else {
                    throw WireError(.conflict, "another message has this id")
                }
                return Sent(message: stored, isNew: false)
            }
            let message = try composer.message(in: room, change)
            return try Self.insert(
                message, fingerprint: fingerprint, deviceTime: draft.location?.recordedAt, now: now, change)
        } publish: { [table, announcer] sent in
            guard sent.isNew else { return }
            if let replaced = sent.replaced { lives.announceEnd(of: replaced) }
            announcer.message(.messageNew, sent.message, seq: sent.seq)
            if let share = sent.message.sharedLocation, let seq = sent.startedSeq {
                table.put(share)
                announcer.location(.locationStarted, share, seq: seq)
            }
        }
    }

    private static func insert(
        _ message: Message, fingerprint: [UInt8], deviceTime: Timestamp?, now: Timestamp,
        _ change: any StoreTransaction
    ) throws -> Sent {
        var sent = Sent(message: message, isNew: true)
        let (channel, isLive) = (message.channelId, message.sharedLocation?.isLive == true)
        // At most one live share per user and channel: the new one ends the old.
        if isLive, let previous = try change.unendedShare(of: message.user.id, in: channel) {
            sent.replaced = try change.end(previous, reason: .replaced, now: now)
        }
        guard try !isLive || change.unendedShares(of: message.user.id).count < SharingLimits.maxLiveShares
        else {
            throw WireError(
                .conflict, "at most \(SharingLimits.maxLiveShares) live locations at a time: stop one first")
        }
        try change.insertMessage(message, fingerprint: fingerprint, deviceTime: deviceTime)
        sent.seq = try change.append(
            StoredEvent(.messageNew, message: message.id), to: channel, at: now, isActivity: true)
        if isLive {
            sent.startedSeq = try change.append(
                StoredEvent(.locationStarted, message: message.id), to: channel, at: now)
        }
        return sent
    }

    private static func canonicalJSON(_ identity: MessageIdentity) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        do {
            return Array(try encoder.encode(identity))
        } catch {
            preconditionFailure("an identity did not encode")
        }
    }

    /// Changes a message's text; for its author.
    func edit(_ id: MessageId, text: String, by caller: Caller) async throws -> Message {
        let now = clock()
        try MessageDraft.checkLength(of: text)
        return try await store.commit { change in
            let (message, _) = try change.visibleMessage(id, to: caller.user)
            guard message.user.id == caller.user else {
                throw WireError(.forbidden, "only its author may change a message")
            }
            guard message.deletedTime == nil else { throw WireError(.notFound, "the message is deleted") }
            guard !text.isEmpty || message.sharedLocation != nil else {
                throw WireError(.invalidArgument, "a text is required", field: "/text")
            }
            try change.editMessage(id, text: text, at: now)
            let seq = try change.append(
                StoredEvent(.messageUpdated, message: id), to: message.channelId, at: now)
            return (try change.visibleMessage(id, to: caller.user).message, seq)
        } publish: { [announcer] (message: Message, seq: Int64) in
            announcer.message(.messageUpdated, message, seq: seq)
        }.0.asSeen(at: now)
    }

    /// Deletes a message, with its position; for its author and moderators. Deleting twice is once.
    func delete(_ id: MessageId, by caller: Caller) async throws -> Message {
        let now = clock()
        return try await store.commit { change in
            let (message, member) = try change.visibleMessage(id, to: caller.user)
            guard message.user.id == caller.user || member.role.isModerating else {
                throw WireError(.forbidden, "only its author or a moderator may delete a message")
            }
            return try change.delete(message, now: now)
        } publish: {
            announceDeletion($0)
        }.message.asSeen(at: now)
    }

    /// Says that a message is deleted. Call from `publish` alone.
    func announceDeletion(_ deleted: DeletedMessage) {
        if let ended = deleted.ended { lives.announceEnd(of: ended) }
        announcer.linksEnded(deleted.links)
        if let seq = deleted.seq { announcer.message(.messageDeleted, deleted.message, seq: seq) }
    }
}
