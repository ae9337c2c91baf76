import YonderModel
import YonderRules
import YonderStore

extension StoreReader {
    /// The channel, for one of its members.
    ///
    /// - Throws: `WireError` `.notFound` also where it is there but not for this user to see.
    func visibleChannel(_ id: ChannelId, to user: UserId) throws -> Channel {
        guard let channel = try channel(id), try member(user, in: id) != nil else {
            throw WireError(.notFound, "no such channel")
        }
        return channel
    }

    /// A message, for a member of its channel.
    ///
    /// - Throws: `WireError` `.notFound` also where it is there but not for this user to see.
    func visibleMessage(_ id: MessageId, to user: UserId) throws -> (message: Message, member: Member) {
        guard let message = try message(id), let member = try member(user, in: message.channelId) else {
            throw WireError(.notFound, "no such message")
        }
        return (message, member)
    }
}

/// A share that was just ended, and the number of its `location.ended`.
struct EndedShare: Sendable {
    var share: SharedLocation
    let seq: Int64
}

extension StoreTransaction {
    /// Ends a share now, or at its own end where that has passed already.
    ///
    /// - Returns: The share as it is then, and the number of its `location.ended`.
    func end(
        _ share: SharedLocation, reason: EndedReason, now: Timestamp
    ) throws -> EndedShare {
        var ended = share
        let isDue = share.lifetime?.isDue(at: now) == true
        ended.endedTime = isDue ? share.endTime : now
        ended.endedReason = isDue ? .expired : reason
        ended.updatedTime = now
        ended.isLiveSharingActive = false
        try endShare(
            share.messageId, at: ended.endedTime ?? now, reason: ended.endedReason ?? reason, updatedAt: now)
        return EndedShare(
            share: ended,
            seq: try append(
                StoredEvent(.locationEnded, message: share.messageId), to: share.channelId, at: now))
    }
}
