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
    /// How far the log was when it was last given out.
    private(set) var flushed: UInt64 = 0

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
        let batch = log.frames(after: flushed)
        let isShared = if case .channel = topic { true } else { false }
        var slowest = log.end
        for subscription in watchers {
            if !subscription.isBlocked {
                if isShared, subscription.cursor == flushed, subscription.takesAll {
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
