import YonderModel

/// What happened that some watcher may still have to get: durable events in
/// order, and of what only the newest counts (positions) the newest alone.
///
/// A watcher is a number into it, not a queue: everything up to that number it
/// has. Bounded: positions by the number of shares, durable events by
/// ``maxDurableFrames`` and ``maxDurableBytes``; whoever falls behind those has
/// ``lost`` something and must read ``lostChannels`` again.
struct ChannelLog {
    private struct Entry {
        let number: UInt64
        let channel: ChannelId
        let frame: [UInt8]
        /// `nil` for a durable event.
        let latest: Publication.Latest?
    }

    static let maxDurableFrames = 1_000
    static let maxDurableBytes = 1 << 20

    private var entries: [Entry] = []
    private var newest: [Publication.Latest: UInt64] = [:]
    private var durableFrames = 0
    private var durableBytes = 0
    /// Number of the newest entry.
    private(set) var end: UInt64 = 0
    /// Number of the newest durable event that was dropped; a watcher below it has missed one.
    private(set) var lost: UInt64 = 0
    /// Whose durable events were dropped.
    private(set) var lostChannels: Set<ChannelId> = []

    var isEmpty: Bool { entries.isEmpty }

    mutating func append(_ publication: Publication) {
        end += 1
        if case .shareEnded(let share) = publication.kind {
            removeNewest(.position(share))
            removeNewest(.watchers(share))
        }
        let latest = publication.latest
        if let latest {
            removeNewest(latest)
            newest[latest] = end
        } else {
            durableFrames += 1
            durableBytes += publication.frame.count
        }
        entries.append(
            Entry(number: end, channel: publication.channel, frame: publication.frame, latest: latest))
        dropExcess()
    }

    private mutating func dropExcess() {
        while durableFrames > Self.maxDurableFrames || durableBytes > Self.maxDurableBytes,
            let oldest = entries.firstIndex(where: { $0.latest == nil })
        {
            let dropped = entries.remove(at: oldest)
            forget(dropped)
            lost = dropped.number
            lostChannels.insert(dropped.channel)
        }
    }

    private mutating func removeNewest(_ latest: Publication.Latest) {
        guard let number = newest.removeValue(forKey: latest) else { return }
        let index = firstIndex(after: number - 1)
        if index < entries.count, entries[index].number == number { entries.remove(at: index) }
    }

    /// Says that a channel's events are lost to whoever has not had them by now.
    mutating func lose(_ channel: ChannelId) {
        end += 1
        lost = end
        lostChannels.insert(channel)
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
        if let latest = entry.latest {
            newest[latest] = nil
        } else {
            durableFrames -= 1
            durableBytes -= entry.frame.count
        }
    }

    /// What a watcher misses, oldest first.
    ///
    /// - Parameters:
    ///   - cursor: The number it has reached.
    ///   - last: The number to stop at. Default: the newest.
    ///   - maxBytes: Stop once this many are collected; at least one frame is given where there is one.
    ///   - skips: Whether to leave a channel's entry with some number out; it counts as had.
    /// - Returns: The frames, and how far they reach.
    func frames(
        after cursor: UInt64, through last: UInt64 = .max, maxBytes: Int = .max,
        skipping skips: (ChannelId, UInt64) -> Bool = { _, _ in false }
    ) -> FrameBatch {
        var batch = FrameBatch(reached: min(end, last))
        for entry in entries[firstIndex(after: cursor)...] where !skips(entry.channel, entry.number) {
            if entry.number > last { break }
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
