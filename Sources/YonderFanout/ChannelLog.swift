import YonderModel

/// What happened in a channel that some watcher may still have to get: its
/// durable events in order, and of each share the newest position alone.
///
/// A watcher is a number into it, not a queue: everything up to that number it
/// has. Bounded: positions by the number of shares, durable events by
/// ``maxDurableFrames`` and ``maxDurableBytes``; whoever falls behind those has
/// ``lost`` something and must read the channel again.
struct ChannelLog {
    private struct Entry {
        let number: UInt64
        let frame: [UInt8]
        /// `nil` for a durable event.
        let share: MessageId?
    }

    static let maxDurableFrames = 1_000
    static let maxDurableBytes = 1 << 20

    private var entries: [Entry] = []
    private var newestPosition: [MessageId: UInt64] = [:]
    private var durableFrames = 0
    private var durableBytes = 0
    /// Number of the newest entry.
    private(set) var end: UInt64 = 0
    /// Number of the newest durable event that was dropped; a watcher below it has missed one.
    private(set) var lost: UInt64 = 0

    var isEmpty: Bool { entries.isEmpty }

    mutating func append(_ publication: Publication) {
        end += 1
        switch publication.kind {
        case .durable:
            appendDurable(publication.frame)
        case .shareEnded(let share):
            removePosition(of: share)
            appendDurable(publication.frame)
        case .position(let share):
            removePosition(of: share)
            newestPosition[share] = end
            entries.append(Entry(number: end, frame: publication.frame, share: share))
        }
    }

    private mutating func appendDurable(_ frame: [UInt8]) {
        entries.append(Entry(number: end, frame: frame, share: nil))
        durableFrames += 1
        durableBytes += frame.count
        while durableFrames > Self.maxDurableFrames || durableBytes > Self.maxDurableBytes,
            let oldest = entries.firstIndex(where: { $0.share == nil })
        {
            let dropped = entries.remove(at: oldest)
            forget(dropped)
            lost = dropped.number
        }
    }

    private mutating func removePosition(of share: MessageId) {
        guard let number = newestPosition.removeValue(forKey: share) else { return }
        let index = firstIndex(after: number - 1)
        if index < entries.count, entries[index].number == number { entries.remove(at: index) }
    }

    /// Says that nobody may read on from here any more: watchers below get a `resync`.
    mutating func loseEverything() {
        end += 1
        lost = end
        trim(upTo: end)
    }

    /// Forgets what every watcher has.
    mutating func trim(upTo number: UInt64) {
        let count = firstIndex(after: number)
        guard count > 0 else { return }
        for entry in entries[..<count] { forget(entry) }
        entries.removeFirst(count)
    }

    private mutating func forget(_ entry: Entry) {
        if let share = entry.share {
            newestPosition[share] = nil
        } else {
            durableFrames -= 1
            durableBytes -= entry.frame.count
        }
    }

    /// What a watcher misses, oldest first.
    ///
    /// - Parameters:
    ///   - cursor: The number it has reached.
    ///   - maxBytes: Stop once this many are collected; at least one frame is given where there is one.
    /// - Returns: The frames, and how far they reach.
    func frames(after cursor: UInt64, maxBytes: Int = .max) -> FrameBatch {
        var batch = FrameBatch(reached: end)
        for entry in entries[firstIndex(after: cursor)...] {
            if let last = batch.numbers.last, batch.bytes.count + entry.frame.count > maxBytes {
                batch.reached = last
                break
            }
            batch.append(entry.frame, number: entry.number)
        }
        return batch
    }

    /// Index of the first entry with a larger number, by halving: entries are in order of number.
    private func firstIndex(after number: UInt64) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number <= number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
