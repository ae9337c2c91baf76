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
}

extension StoreTransaction {
    /// Ends a share now, or at its own end where that has passed already.
    ///
    /// - Returns: The share as it is then, and the number of its `location.ended`.
    func end(
        _ share: SharedLocation, reason: EndedReason, now: Timestamp
    ) throws -> (share: SharedLocation, seq: Int64) {
        var ended = share
        let isDue = share.lifetime?.isDue(at: now) == true
        ended.endedTime = isDue ? share.endTime : now
        ended.endedReason = isDue ? .expired : reason
        ended.updatedTime = now
        ended.isLiveSharingActive = false
        try endShare(
            share.messageId, at: ended.endedTime ?? now, reason: ended.endedReason ?? reason, updatedAt: now)
        return (ended, try nextSequence(in: share.channelId, updatedAt: nil))
    }
}
