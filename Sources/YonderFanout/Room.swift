import YonderModel

/// What a loop's connections can watch: a channel, or what concerns one user's own shares.
enum Topic: Hashable {
    case channel(ChannelId)
    case own(UserId)
}

/// A topic as one loop knows it: its log and who watches it here.
final class Room {
    let topic: Topic
    var log = ChannelLog()
    private(set) var watchers: [Subscription] = []
    /// Whether some of its watchers are about to leave.
    var isEmptying = false

    init(_ topic: Topic) { self.topic = topic }

    func add(_ subscription: Subscription) {
        subscription.index = watchers.count
        watchers.append(subscription)
    }

    func remove(_ subscription: Subscription) {
        let last = watchers.removeLast()
        guard last !== subscription else { return }
        watchers[subscription.index] = last
        last.index = subscription.index
    }

    /// Gives everybody what is new: those who have all the rest get one and the same batch.
    ///
    /// - Parameter wrote: Called for each watcher that was written to.
    func flush(wrote: (Subscription) -> Void) {
        let before = log.flushed
        let news = log.takeNews()
        // After a burst that the log could not hold, or a loss, the news have a gap.
        let areWhole = log.lost <= before
        var slowest = log.end
        var areLevel = true
        for subscription in watchers {
            if !subscription.isBlocked {
                if areWhole, subscription.takesNews(after: before) {
                    subscription.write(news, after: before)
                } else {
                    subscription.catchUp()
                }
                wrote(subscription)
            }
            slowest = min(slowest, subscription.cursor)
            areLevel = areLevel && subscription.isLevel
        }
        log.trim(events: slowest, areLevel: areLevel)
    }
}
