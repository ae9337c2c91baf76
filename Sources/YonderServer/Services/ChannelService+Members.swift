import YonderFanout
import YonderModel
import YonderRules
import YonderStore

/// What became of adding somebody.
struct MemberChange: Sendable {
    var member: Member
    var isNew: Bool
    /// Number of the event; `nil` where nothing changed.
    var seq: Int64?
}

extension ChannelService {
    /// Adds somebody, or changes their role.
    func putMember(
        _ user: UserId, role: MemberRole?, in id: ChannelId, by caller: Caller
    ) async throws -> MemberChange {
        let now = clock()
        guard role != .owner else {
            throw WireError(.invalidArgument, "a channel has one owner: its maker", field: "/role")
        }
        return try await store.commit { change in
            _ = try change.visibleChannel(id, to: caller.user)
            let actor = try change.member(caller.user, in: id)?.role ?? .member
            let before = try change.member(user, in: id)
            guard actor == .owner || (actor == .moderator && role ?? .member == .member) else {
                throw WireError(.forbidden, "only the owner and moderators add members")
            }
            guard before?.role != .owner else {
                throw WireError(.conflict, "the owner's role cannot change")
            }
            guard before == nil || role ?? before?.role == before?.role || actor == .owner else {
                throw WireError(.forbidden, "only the owner changes roles")
            }
            guard try change.user(user) != nil, try !change.isErased(user) else {
                throw WireError(.notFound, "no such user")
            }
            if before?.role == .moderator, role == .member { try change.deleteInvites(to: id, by: user) }
            try change.putMember(user, role: role ?? before?.role ?? .member, joinedAt: now, in: id)
            guard let member = try change.member(user, in: id) else {
                throw WireError(.internal, "the member is not there")
            }
            let event: EventName = before == nil ? .memberAdded : .memberUpdated
            let seq =
                member == before ? nil : try change.append(StoredEvent(event, member), to: id, at: now)
            return MemberChange(member: member, isNew: before == nil, seq: seq)
        } publish: { [announcer] made in
            guard let seq = made.seq else { return }
            announcer.member(
                made.isNew ? .memberAdded : .memberUpdated, made.member, in: id, seq: seq)
        }
    }

    /// Removes somebody, or lets them leave; their live shares, links and invites there end.
    func removeMember(_ user: UserId, from id: ChannelId, by caller: Caller) async throws {
        let now = clock()
        _ = try await store.commit { change in
            _ = try change.visibleChannel(id, to: caller.user)
            guard let member = try change.member(user, in: id) else {
                throw WireError(.notFound, "no such member")
            }
            guard member.role != .owner else {
                throw WireError(.conflict, "the owner cannot leave the channel")
            }
            let actor = try change.member(caller.user, in: id)?.role ?? .member
            guard user == caller.user || actor == .owner || (actor == .moderator && member.role == .member)
            else { throw WireError(.forbidden, "only the owner and moderators remove members") }
            return try change.remove(member, from: id, now: now)
        } publish: {
            announceRemoval($0)
        }
    }

    /// Says that a member is gone. Call from `publish` alone.
    func announceRemoval(_ removed: RemovedMember) {
        if let ended = removed.ended { lives.announceEnd(of: ended) }
        announcer.linksEnded(removed.links)
        announcer.member(.memberRemoved, removed.member, in: removed.channel, seq: removed.seq)
        announcer.fanout.revoke(removed.member.user.id, from: removed.channel)
    }
}
