import YonderModel
import YonderRules
import YonderStore

extension LiveLocationService {
    /// Ends a share on somebody's word. Stopping twice is once.
    func stop(_ id: MessageId, by caller: Caller) async throws -> SharedLocation {
        let now = clock()
        return try await store.commit { change in
            let (message, member) = try change.visibleMessage(id, to: caller.user)
            guard message.user.id == caller.user || member.role.isModerating else {
                throw WireError(.forbidden, "only its owner or a moderator may stop a share")
            }
            let share = try message.liveShare()
            guard share.endedTime == nil else { return Change(share: share) }
            let ended = try change.end(share, reason: .stopped, now: now)
            return Change(share: ended.share, ended: ended)
        } publish: {
            announce($0)
        }.share.asSeen(at: now)
    }

    /// Gives a share another end, or another device to feed it; for its owner, from any device.
    func change(_ id: MessageId, _ body: ShareChangeBody, by caller: Caller) async throws -> SharedLocation {
        let now = clock()
        return try await store.commit { change in
            let (message, _) = try change.visibleMessage(id, to: caller.user)
            guard message.user.id == caller.user else {
                throw WireError(.forbidden, "only its owner may change a share")
            }
            let share = try message.liveShare()
            guard share.lifetime?.isActive(at: now) == true else {
                throw WireError(.liveLocationEnded, "the live location has ended")
            }
            let wanted = try body.checked(
                for: share, in: try change.channel(share.channelId), now: now, change)
            if let endAt = wanted.endAt, endAt <= now {
                let ended = try change.end(share, reason: .stopped, now: now)
                return Change(share: ended.share, ended: ended)
            }
            try change.changeShare(id, endAt: wanted.endAt, fedBy: wanted.fedBy, updatedAt: now)
            return Change(
                share: try change.visibleMessage(id, to: caller.user).message.liveShare(),
                changedSeq: try change.append(
                    StoredEvent(.locationChanged, message: id), to: share.channelId, at: now))
        } publish: {
            announce($0)
        }.share.asSeen(at: now)
    }

    /// What became of a share; without a number nothing happened.
    private struct Change: Sendable {
        let share: SharedLocation
        var ended: EndedShare?
        var changedSeq: Int64?
    }

    private func announce(_ change: Change) {
        if let ended = change.ended { announceEnd(of: ended) }
        if let seq = change.changedSeq { announceChange(of: change.share, seq: seq) }
    }

    /// Ends all shares of a user.
    func stopAll(of user: UserId) async throws {
        try await end(reason: .stopped) { try $0.unendedShares(of: user) }
    }

    /// Ends every share whose end has come.
    func endDueShares() async throws {
        let now = clock()
        let due = table.dueShares(at: now)
        guard !due.isEmpty else { return }
        try await end(reason: .expired) { change in
            try due.compactMap { try change.message($0.messageId)?.sharedLocation }
                .filter { $0.lifetime?.isDue(at: now) == true }
        }
    }

    /// Fills the table after a start; what ended while the server was down is ended, at its time.
    func restore() async throws {
        let (shares, links) = try store.read { (try $0.unendedShares(), try $0.linksOfUnendedShares()) }
        for share in shares { table.put(share) }
        for link in links { table.put(link) }
        try await endDueShares()
    }

    private func end(
        reason: EndedReason,
        _ choose: @escaping @Sendable (any StoreTransaction) throws -> [SharedLocation]
    ) async throws {
        let now = clock()
        _ = try await store.commit { change in
            try choose(change).map { try change.end($0, reason: reason, now: now) }
        } publish: { ended in
            for share in ended { announceEnd(of: share) }
        }
    }

    /// Takes an ended share off the table and says so. Call from `publish` alone.
    func announceEnd(of ended: EndedShare) {
        let links = table.links(of: ended.share.messageId)
        table.remove(ended.share.messageId)
        metrics.countEnd(ended.share.endedReason ?? .stopped)
        announcer.location(.locationEnded, ended.share, seq: ended.seq, links: links)
        announcer.linksEnded(ended.links)
    }

    /// Puts a changed share in its place on the table and says so. Call from `publish` alone.
    func announceChange(of share: SharedLocation, seq: Int64) {
        table.put(share)
        announcer.location(.locationChanged, share, seq: seq, links: table.links(of: share.messageId))
    }
}

extension Message {
    /// Its live share, over or not.
    ///
    /// - Throws: `WireError` `.notLive` where it holds none.
    func liveShare() throws(WireError) -> SharedLocation {
        guard deletedTime == nil, let share = sharedLocation, share.isLive else {
            throw WireError(.notLive, "the message holds no live location")
        }
        return share
    }
}

/// The body of a share's change, as it came.
struct ShareChangeBody: Decodable {
    var endAt: Timestamp?
    var fedBy: DeviceId?
    var sentAt: Timestamp?

    enum CodingKeys: String, CodingKey {
        case endAt = "end_at"
        case fedBy = "fed_by"
        case sentAt = "sent_at"
    }

    /// What is to be changed, on the server's clock.
    ///
    /// - Throws: `WireError` naming the field that is wrong, or that nothing would change.
    func checked(
        for share: SharedLocation, in channel: Channel?, now: Timestamp, _ reader: any StoreReader
    ) throws -> (endAt: Timestamp?, fedBy: DeviceId?) {
        let endAt = endAt.map(ClockCorrection(sentAt: sentAt, now: now).corrected)
        let longest = Int64(channel?.config.maxLiveSeconds ?? 0)
        if let endAt, endAt > now.advanced(byMilliseconds: longest * 1000 + ShareLimits.grace) {
            throw WireError(.invalidArgument, "at most \(longest) seconds from now", field: "/end_at")
        }
        if let fedBy, try reader.device(fedBy, of: share.userId) == nil {
            throw WireError(.invalidArgument, "none of your devices has this id", field: "/fed_by")
        }
        guard
            (endAt ?? share.endTime) != share.endTime || (fedBy ?? share.fedByDeviceId) != share.fedByDeviceId
        else {
            throw WireError(
                .invalidArgument, "nothing would change", field: endAt == nil ? "/fed_by" : "/end_at")
        }
        return (endAt, fedBy)
    }
}
