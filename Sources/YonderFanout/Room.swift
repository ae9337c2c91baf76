import YonderModel

/// A channel as one loop knows it: its log and who watches it here.
final class Room {
    let channel: ChannelId
    var log = ChannelLog()
    private(set) var watchers: [Subscription] = []
    /// How far the log was when it was last given out.
    private(set) var flushed: UInt64 = 0

    init(channel: ChannelId) { self.channel = channel }

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
        let batch = log.frames(after: flushed)
        var slowest = log.end
        for subscription in watchers {
            if !subscription.isBlocked {
                if subscription.cursor == flushed {
                    subscription.write(batch)
                } else {
                    subscription.catchUp()
                }
                wrote(subscription)
            }
            slowest = min(slowest, subscription.cursor)
        }
        flushed = log.end
        log.trim(upTo: slowest)
    }
}
