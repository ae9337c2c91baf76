import Foundation
import YonderCrypto
import YonderModel
import YonderRules
import YonderStore

/// Sends and reads messages.
struct MessageService: Sendable {
    let store: any Store
    let signer: TokenSigner
    let table: ShareTable
    let announcer: Announcer
    let limits: SharingLimits
    let clock: @Sendable () -> Timestamp

    /// What became of a send.
    struct Sent: Sendable {
        var message: Message
        /// `false` where the same message was there already.
        var isNew: Bool
        var seq: Int64 = 0
        var replaced: (share: SharedLocation, seq: Int64)?
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
        let limits = limits
        return try await store.commit { change in
            let room = try change.visibleChannel(channel, to: caller.user)
            if let stored = try change.message(id) {
                guard try change.messageFingerprint(id) == fingerprint else {
                    throw WireError(.conflict, "another message has this id")
                }
                return Sent(message: stored, isNew: false)
            }
            var sent = Sent(
                message: try Self.message(
                    draft, id: id, in: room, by: caller.user, limits: limits, now: now, change), isNew: true)
            if sent.message.sharedLocation?.isLive == true {
                sent.replaced = try Self.endPrevious(of: caller.user, in: channel, now: now, change)
            }
            sent.seq = try change.nextSequence(in: channel, updatedAt: now)
            try change.insertMessage(sent.message, fingerprint: fingerprint)
            if sent.message.sharedLocation?.isLive == true {
                sent.startedSeq = try change.nextSequence(in: channel, updatedAt: nil)
            }
            return sent
        } publish: { [table, announcer] sent in
            guard sent.isNew else { return }
            if let replaced = sent.replaced {
                table.remove(replaced.share.messageId)
                announcer.locationEnded(replaced.share, seq: replaced.seq)
            }
            announcer.messageNew(sent.message, seq: sent.seq)
            if let share = sent.message.sharedLocation, let seq = sent.startedSeq {
                table.put(share)
                announcer.locationStarted(share, seq: seq)
            }
        }
    }

    private static func message(
        _ draft: MessageDraft, id: MessageId, in channel: Channel, by author: UserId, limits: SharingLimits,
        now: Timestamp, _ change: any StoreTransaction
    ) throws -> Message {
        guard let user = try change.user(author) else {
            throw WireError(.unauthenticated, "the user is gone")
        }
        var message = Message(
            id: id, channelId: channel.cid, user: user, text: draft.text, createdTime: now, updatedTime: now,
            sharedLocation: nil)
        guard let location = draft.location else { return message }
        guard channel.config.sharedLocationsEnabled else {
            throw WireError(.locationSharingDisabled, "location sharing is off in this channel")
        }
        for (device, field) in [(location.deviceId, "device_id"), (location.fedBy, "fed_by")] {
            guard let device else { continue }
            guard try change.device(device, of: author) != nil else {
                throw WireError(
                    .invalidArgument, "none of your devices has this id", field: "/shared_location/\(field)")
            }
        }
        let endAt = location.endAt.map(draft.correction.corrected)
        if let endAt, !limits.share(in: channel.config).allows(endAt: endAt, startingAt: now) {
            throw WireError(
                .invalidArgument,
                "a live location lasts \(limits.minimumSeconds) to \(channel.config.maxLiveSeconds) seconds",
                field: "/shared_location/end_at")
        }
        message.sharedLocation = SharedLocation(
            messageId: id, channelId: channel.cid, userId: author, createdByDeviceId: location.deviceId,
            fedByDeviceId: endAt == nil ? nil : location.fedBy ?? location.deviceId,
            position: location.position,
            recordedTime: draft.correction.measured(location.recordedAt, arrival: now), createdTime: now,
            updatedTime: now, endTime: endAt)
        return message
    }

    /// At most one live share per user and channel: the new one ends the old.
    private static func endPrevious(
        of user: UserId, in channel: ChannelId, now: Timestamp, _ change: any StoreTransaction
    ) throws -> (share: SharedLocation, seq: Int64)? {
        guard let share = try change.unendedShare(of: user, in: channel) else { return nil }
        return try change.end(share, reason: .replaced, now: now)
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

    /// One page of a channel, oldest first.
    func page(
        of channel: ChannelId, limit: Int, before: MessageId?, after: MessageId?, for caller: Caller
    ) throws -> [Message] {
        let now = clock()
        return try store.read { reader in
            _ = try reader.visibleChannel(channel, to: caller.user)
            do {
                return try reader.messages(in: channel, limit: limit, before: before, after: after)
                    .map { $0.asSeen(at: now) }
            } catch let error as StoreError where error.code == .unknownCursor {
                throw WireError(
                    .invalidArgument, "no message of this channel",
                    field: before == nil ? "?after" : "?before")
            }
        }
    }

    /// One message.
    func message(_ id: MessageId, for caller: Caller) throws -> Message {
        try store.read { reader in
            guard let message = try reader.message(id),
                try reader.member(caller.user, in: message.channelId) != nil
            else { throw WireError(.notFound, "no such message") }
            return message.asSeen(at: clock())
        }
    }
}
