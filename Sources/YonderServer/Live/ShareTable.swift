import Synchronization
import YonderGeo
import YonderModel
import YonderRules

/// The live shares that nothing has ended yet, in memory: what the hot path looks at.
///
/// Changes only once a commit has succeeded, on the store's writing thread, in
/// the order of the commits; rebuilt from the store at the start.
final class ShareTable: Sendable {
    private struct Contents {
        var shares: [MessageId: SharedLocation] = [:]
        var byUser: [UserId: [MessageId]] = [:]
        var byChannel: [ChannelId: [MessageId]] = [:]
        /// The links that show a share, oldest first.
        var links: [MessageId: [ViewLink]] = [:]
        var lastArrival: [UserId: Timestamp] = [:]
        /// Where shares have begun since this was last asked.
        var channelsWithNewShares: Set<ChannelId> = []
        /// No share ends before this.
        var earliestEnd = Timestamp(milliseconds: .max)

        /// Where a position's time was its arrival, later arrivals come after it, whatever the clock does.
        mutating func note(_ share: SharedLocation) {
            guard [share.createdTime, share.updatedTime].contains(share.recordedTime) else { return }
            let last = lastArrival[share.userId] ?? share.recordedTime
            lastArrival[share.userId] = max(last, share.recordedTime)
        }
    }

    private let contents = Mutex(Contents())

    /// Puts a share in, or in place of the same one.
    func put(_ share: SharedLocation) {
        contents.withLock { contents in
            if contents.shares.updateValue(share, forKey: share.messageId) == nil {
                contents.byUser[share.userId, default: []].append(share.messageId)
                contents.byChannel[share.channelId, default: []].append(share.messageId)
                contents.channelsWithNewShares.insert(share.channelId)
            }
            contents.note(share)
            if let end = share.endTime { contents.earliestEnd = min(contents.earliestEnd, end) }
        }
    }

    /// Takes a share out.
    func remove(_ id: MessageId) {
        contents.withLock { contents in
            guard let share = contents.shares.removeValue(forKey: id) else { return }
            contents.links[id] = nil
            contents.byUser[share.userId]?.removeAll { $0 == id }
            contents.byChannel[share.channelId]?.removeAll { $0 == id }
            if contents.byUser[share.userId]?.isEmpty == true {
                contents.byUser[share.userId] = nil
                contents.lastArrival[share.userId] = nil
            }
            if contents.byChannel[share.channelId]?.isEmpty == true {
                contents.byChannel[share.channelId] = nil
            }
        }
    }

    /// Moves a share to a newer position; an older one changes nothing.
    func move(_ id: MessageId, to position: Position, recordedAt: Timestamp, updatedAt: Timestamp) {
        contents.withLock { contents in
            guard let old = contents.shares[id], recordedAt > old.recordedTime else { return }
            contents.shares[id]?.position = position
            contents.shares[id]?.recordedTime = recordedAt
            contents.shares[id]?.updatedTime = updatedAt
            if let moved = contents.shares[id] { contents.note(moved) }
        }
    }

    /// Puts a link in, or in place of the same one; nothing happens where its share is not there.
    func put(_ link: ViewLink) {
        contents.withLock { contents in
            guard contents.shares[link.messageId] != nil else { return }
            contents.links[link.messageId, default: []].removeAll { $0.id == link.id }
            contents.links[link.messageId, default: []].append(link)
        }
    }

    /// Gives a link another cell; nothing happens where it is not there.
    func moveLink(_ id: LinkId, of share: MessageId, to cell: Coordinate) {
        contents.withLock { contents in
            guard let index = contents.links[share]?.firstIndex(where: { $0.id == id }) else { return }
            contents.links[share]?[index].cell = cell
        }
    }

    /// Takes a link out.
    func removeLink(_ id: LinkId, of share: MessageId) {
        contents.withLock { contents in
            contents.links[share]?.removeAll { $0.id == id }
            if contents.links[share]?.isEmpty == true { contents.links[share] = nil }
        }
    }

    /// The links that show a share, oldest first; some may have expired.
    func links(of share: MessageId) -> [ViewLink] { contents.withLock { $0.links[share] ?? [] } }

    /// A user's shares, oldest first.
    func shares(of user: UserId) -> [SharedLocation] {
        contents.withLock { contents in
            contents.byUser[user, default: []].compactMap { contents.shares[$0] }
        }
    }

    /// The shares of a channel that are on at a moment, newest first.
    func activeShares(in channel: ChannelId, at now: Timestamp) -> [SharedLocation] {
        contents.withLock { contents in
            contents.byChannel[channel, default: []].reversed()
                .compactMap { contents.shares[$0]?.asSeen(at: now) }
                .filter(\.isLiveSharingActive)
        }
    }

    /// A channel's shares, oldest first.
    func shares(in channel: ChannelId) -> [SharedLocation] {
        contents.withLock { contents in
            contents.byChannel[channel, default: []].compactMap { contents.shares[$0] }
        }
    }

    /// The channels where shares have begun since this was last asked.
    func takeChannelsWithNewShares() -> Set<ChannelId> {
        contents.withLock { contents in
            defer { contents.channelsWithNewShares.removeAll() }
            return contents.channelsWithNewShares
        }
    }

    /// How many there are.
    var count: Int { contents.withLock { $0.shares.count } }

    /// A share by its message.
    func share(_ id: MessageId) -> SharedLocation? { contents.withLock { $0.shares[id] } }

    /// The shares whose end has come; cheap while there are none.
    func dueShares(at now: Timestamp) -> [SharedLocation] {
        contents.withLock { contents in
            guard now >= contents.earliestEnd else { return [] }
            let due = contents.shares.values.filter { $0.lifetime?.isDue(at: now) == true }
            let later = contents.shares.values.compactMap(\.endTime).filter { $0 > now }
            contents.earliestEnd = due.isEmpty ? later.min() ?? Timestamp(milliseconds: .max) : now
            return due
        }
    }

    /// A time for a fix that says none: its arrival, later than that of the user's last such fix.
    func arrivalTime(of user: UserId, now: Timestamp) -> Timestamp {
        contents.withLock { contents in
            let time = contents.lastArrival[user].map { max(now, $0.advanced(byMilliseconds: 1)) } ?? now
            contents.lastArrival[user] = time
            return time
        }
    }
}
