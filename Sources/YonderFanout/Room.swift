import YonderHTTP
package import YonderModel

/// What a loop's connections can watch.
package enum Topic: Hashable, Sendable {
    case channel(ChannelId)
    /// What concerns one user's own shares.
    case own(UserId)
    /// One share, as finely as a link shows it.
    case link(LinkId)
}

/// A topic as one loop knows it: its log and who watches it here.
final class Room {
    /// Where a watcher stands: among those who are level, or among the others.
    enum Place {
        case level(Int)
        case other(Int)
    }

    /// A watcher who is level; the connection beside it saves a look into the subscription.
    private struct Level {
        /// Held by the subscription.
        let connection: Unmanaged<WebSocketConnection>
        let subscription: Subscription
    }

    let topic: Topic
    var log = ChannelLog()
    /// Those who have all that was given out and only wait for news: all of them get the same.
    private var level: [Level] = []
    /// Those who are behind, or who are not to get all.
    private var others: [Subscription] = []
    /// Whether some of its watchers are about to leave.
    var isEmptying = false

    init(_ topic: Topic) { self.topic = topic }

    var watchers: [Subscription] { level.map(\.subscription) + others }
    var isEmpty: Bool { level.isEmpty && others.isEmpty }

    func add(_ subscription: Subscription) {
        subscription.place = .other(others.count)
        others.append(subscription)
    }

    func remove(_ subscription: Subscription) {
        switch subscription.place {
        case .level(let index):
            let last = level.removeLast()
            guard last.subscription !== subscription else { return }
            level[index] = last
            last.subscription.place = .level(index)
        case .other(let index):
            let last = others.removeLast()
            guard last !== subscription else { return }
            others[index] = last
            last.place = .other(index)
        }
    }

    /// Takes a watcher out of those who are level: from here on it stands where the log was last given out.
    func setApart(_ subscription: Subscription) {
        guard case .level = subscription.place else { return }
        subscription.stand(at: log.flushed)
        remove(subscription)
        add(subscription)
    }

    /// Gives everybody what is new: those who are level get one and the same batch.
    func flush() {
        // After a burst that the log could not hold, or a loss, the news would have a gap.
        if log.lost > log.flushed { for entry in level { setApart(entry.subscription) } }
        let before = log.flushed
        let news = log.takeNews()
        var behind: [(subscription: Subscription, count: Int)] = []
        let current = level
        for index in current.indices {
            if index + 1 < current.count { WebSocketConnection.prepare(current[index + 1].connection) }
            let count = current[index].connection._withUnsafeGuaranteedRef {
                $0.write(frames: news.bytes, ends: news.ends)
            }
            if count < news.ends.count { behind.append((current[index].subscription, count)) }
        }
        for (subscription, count) in behind {
            remove(subscription)
            add(subscription)
            subscription.stand(at: before, having: news.marks.prefix(count))
        }
        catchUp()
    }

    /// Gives the others what they miss, and forgets what all have.
    private func catchUp() {
        var slowest = log.end
        var areLevel = true
        for subscription in others {
            subscription.catchUp()
            slowest = min(slowest, subscription.cursor)
            guard subscription.isLevel else {
                areLevel = false
                continue
            }
            if let connection = subscription.connectionOfOneWhoGetsAll {
                remove(subscription)
                subscription.place = .level(level.count)
                level.append(Level(connection: .passUnretained(connection), subscription: subscription))
            }
        }
        log.trim(events: slowest, areLevel: areLevel)
    }
}
