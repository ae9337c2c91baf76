import Synchronization
import YonderModel

/// How many connections watch each channel and each share by links, and whose they are; kept by the loops.
final class WatcherCounts: Sendable {
    private struct Contents {
        var users: [ChannelId: [UserId: Int]] = [:]
        var totals: [ChannelId: Int] = [:]
        var guests: [MessageId: Int] = [:]
        var changed: Set<ChannelId> = []
    }

    private let contents = Mutex(Contents())

    func change(by delta: Int, _ user: UserId, in channel: ChannelId) {
        contents.withLock { contents in
            let count = (contents.users[channel]?[user] ?? 0) + delta
            contents.users[channel, default: [:]][user] = count > 0 ? count : nil
            let total = (contents.totals[channel] ?? 0) + delta
            contents.totals[channel] = total > 0 ? total : nil
            if total <= 0 { contents.users[channel] = nil }
            contents.changed.insert(channel)
        }
    }

    func change(by delta: Int, _ guest: ShareGuest) {
        contents.withLock { contents in
            let count = (contents.guests[guest.message] ?? 0) + delta
            contents.guests[guest.message] = count > 0 ? count : nil
            contents.changed.insert(guest.channel)
        }
    }

    /// The guests' connections that watch a share.
    func guests(of message: MessageId) -> Int { contents.withLock { $0.guests[message] ?? 0 } }

    /// The connections that watch a channel, without those of one user.
    func watchers(of channel: ChannelId, without user: UserId) -> Int {
        contents.withLock { contents in
            (contents.totals[channel] ?? 0) - (contents.users[channel]?[user] ?? 0)
        }
    }

    /// The channels whose numbers have changed since this was last asked.
    func takeChanged() -> Set<ChannelId> {
        contents.withLock { contents in
            defer { contents.changed.removeAll() }
            return contents.changed
        }
    }
}
