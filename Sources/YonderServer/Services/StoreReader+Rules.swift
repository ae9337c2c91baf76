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

    /// A user who must be there.
    ///
    /// - Throws: `WireError` `.unauthenticated`.
    func known(_ id: UserId) throws -> User {
        guard let user = try user(id) else { throw WireError(.unauthenticated, "the user is gone") }
        return user
    }

    /// Lets a caller go on whose account was not erased since their token was issued. What a caller leaves
    /// behind by themselves is written after this alone: their request may have waited behind the erasure.
    ///
    /// - Throws: `WireError` `.unauthenticated`.
    func requireAccount(of caller: Caller) throws {
        if let end = try tokensRefusedUntil(of: caller.user), caller.issuedAt <= end {
            throw WireError(.unauthenticated, "the account is gone")
        }
    }

    /// A message as a view link shows it.
    ///
    /// - Throws: `WireError` `.notFound` where it is not the link's.
    func message(_ id: MessageId, through link: ViewLink) throws -> Message {
        guard id == link.messageId, let message = try message(id) else {
            throw WireError(.notFound, "no such message")
        }
        return link.shown(message)
    }

    /// A message with a location, for its author.
    ///
    /// - Throws: `WireError` `.notFound` for who may not see it, `.forbidden` for who is not its author,
    ///   `.notLive` where it holds no location.
    func ownShare(_ id: MessageId, of user: UserId) throws -> SharedLocation {
        let (message, _) = try visibleMessage(id, to: user)
        guard message.user.id == user else {
            throw WireError(.forbidden, "only its owner may do this to a share")
        }
        guard message.deletedTime == nil, let share = message.sharedLocation else {
            throw WireError(.notLive, "the message holds no location")
        }
        return share
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

/// A share that was just ended, the number of its `location.ended`, and the links that ended with it.
struct EndedShare: Sendable {
    var share: SharedLocation
    let seq: Int64
    let links: [LinkId]
}

/// A message that was just deleted.
struct DeletedMessage: Sendable {
    /// Its tombstone.
    var message: Message
    var ended: EndedShare?
    /// The links of a static location.
    var links: [LinkId] = []
    /// Number of the `message.deleted`; `nil` where it was deleted before.
    var seq: Int64?
}

/// A member who was just taken out of a channel.
struct RemovedMember: Sendable {
    let channel: ChannelId
    let member: Member
    let ended: EndedShare?
    /// The links of static locations.
    let links: [LinkId]
    let seq: Int64
}

extension StoreTransaction {
    /// Deletes a message, with its position; its share ends before. Deleting twice is once.
    func delete(_ message: Message, now: Timestamp) throws -> DeletedMessage {
        var deleted = DeletedMessage(message: message)
        guard message.deletedTime == nil else { return deleted }
        if let share = message.sharedLocation, share.isLive, share.endedTime == nil {
            deleted.ended = try end(share, reason: .deleted, now: now)
            deleted.ended?.share.position = nil
        }
        deleted.links = try endLinks(of: message.id, at: now)
        try deleteMessage(message.id, at: now)
        deleted.seq = try append(
            StoredEvent(.messageDeleted, message: message.id), to: message.channelId, at: now)
        deleted.message = try self.message(message.id) ?? message
        return deleted
    }

    /// Takes somebody out of a channel: what they began there ends, and nobody comes in by them any more.
    func remove(_ member: Member, from channel: ChannelId, now: Timestamp) throws -> RemovedMember {
        let user = member.user.id
        let ended = try unendedShare(of: user, in: channel).map { try end($0, reason: .left, now: now) }
        let links = try endLinks(of: user, in: channel, at: now)
        try deleteInvites(to: channel, by: user)
        try removeMember(user, in: channel)
        let seq = try append(StoredEvent(.memberRemoved, member), to: channel, at: now)
        return RemovedMember(channel: channel, member: member, ended: ended, links: links, seq: seq)
    }

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
                StoredEvent(.locationEnded, message: share.messageId), to: share.channelId, at: now),
            links: try endLinks(of: share.messageId, at: ended.endedTime ?? now))
    }
}
