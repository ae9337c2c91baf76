import YonderFanout
import YonderModel

/// Tells the owners of live shares how many watch, so that a sender nobody watches may slow down.
struct WatcherReporter: Sendable {
    let table: ShareTable
    let announcer: Announcer

    /// Runs until its task is cancelled.
    func run() async {
        var due = WatcherReports()
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            due.changed(
                announcer.fanout.takeChannelsWithOtherWatchers().union(table.takeChannelsWithNewShares()))
            for share in due.take(now: .now, table.shares(in:)) {
                let count = announcer.fanout.watchers(
                    of: share.messageId, in: share.channelId, without: share.userId)
                if due.isNews(count, of: share.messageId) { announcer.locationWatchers(share, count: count) }
            }
            due.forget { table.share($0) == nil }
        }
    }
}

/// When which owner is to be told: at most every five seconds a share, and only news.
struct WatcherReports {
    static let interval = Duration.seconds(5)

    private var waiting: Set<ChannelId> = []
    private var told: [MessageId: (count: Int, at: ContinuousClock.Instant)] = [:]
    private var now = ContinuousClock.now

    /// Something is different in these channels.
    mutating func changed(_ channels: Set<ChannelId>) { waiting.formUnion(channels) }

    /// The shares whose owners may be told now; the others' channels stay on the list.
    mutating func take(
        now: ContinuousClock.Instant, _ shares: (ChannelId) -> [SharedLocation]
    ) -> [SharedLocation] {
        self.now = now
        var due: [SharedLocation] = []
        for channel in waiting {
            let all = shares(channel)
            let free = all.filter { share in
                told[share.messageId].map { now - $0.at >= Self.interval } ?? true
            }
            due += free
            if free.count == all.count { waiting.remove(channel) }
        }
        return due
    }

    /// Notes that a count is about to be told.
    ///
    /// - Returns: Whether it is another than the last one told.
    mutating func isNews(_ count: Int, of share: MessageId) -> Bool {
        guard told[share]?.count != count else { return false }
        told[share] = (count, now)
        return true
    }

    /// Forgets the shares that are over.
    mutating func forget(_ isOver: (MessageId) -> Bool) {
        told = told.filter { !isOver($0.key) }
    }
}
