import YonderModel

/// What happened that some watcher may still have to get: durable events in
/// order, and of what only the newest counts (positions) the newest alone.
///
/// A watcher is a number into it, not a queue: everything up to that number it
/// has. Bounded: positions by the number of shares, durable events by
/// ``maxDurableFrames`` and ``maxDurableBytes``; whoever falls behind those has
/// ``lost`` something and must read ``lostChannels`` again.
///
/// Who is behind goes round in laps (``Lap``): positions stand in slots that keep
/// their place however often they change, so each lap comes past every share
/// once and gives it as it is by then. No share can starve another.
struct ChannelLog {
    private struct Event {
        let number: UInt64
        let publication: Publication

        var frame: [UInt8] { publication.frame }
    }

    private struct Slot {
        /// Number of the first of its publications.
        let born: UInt64
        /// The newest of them.
        var publication: Publication
        /// Number of that.
        var number: UInt64

        var frame: [UInt8] { publication.frame }
    }

    static let maxDurableFrames = 1_000
    static let maxDurableBytes = 1 << 20

    private var events: [Event] = []
    private var durableBytes = 0
    private var slots: [Slot?] = []
    private var slotOf: [Publication.Latest: Int] = [:]
    private var freeSlots: [Int] = []
    /// Free too, but still on the list of those that changed.
    private var freedSlots: [Int] = []
    /// Slots that changed since the log was last given out.
    private var changedSlots: [Int] = []

    /// Number of the newest publication.
    private(set) var end: UInt64 = 0
    /// How far the log was when it was last given out.
    private(set) var flushed: UInt64 = 0
    /// Number of the newest durable event that was dropped; a watcher below it has missed one.
    private(set) var lost: UInt64 = 0
    /// Whose durable events were dropped.
    private(set) var lostChannels: Set<ChannelId> = []

    var isEmpty: Bool { events.isEmpty && slotOf.isEmpty }

    mutating func append(_ publication: Publication) {
        end += 1
        if case .shareEnded(let share) = publication.kind {
            removeSlot(.position(share))
            removeSlot(.watchers(share))
            if let link = publication.link { removeSlot(.linkPosition(link)) }
        }
        if let latest = publication.latest {
            put(publication, as: latest)
        } else {
            events.append(Event(number: end, publication: publication))
            durableBytes += publication.frame.count
            dropExcess()
        }
    }

    private mutating func put(_ publication: Publication, as latest: Publication.Latest) {
        if let index = slotOf[latest], let old = slots[index] {
            if old.number <= flushed { changedSlots.append(index) }
            slots[index]?.publication = publication
            slots[index]?.number = end
            return
        }
        let slot = Slot(born: end, publication: publication, number: end)
        let index: Int
        if let free = freeSlots.popLast() {
            index = free
            slots[free] = slot
        } else {
            index = slots.count
            slots.append(slot)
        }
        slotOf[latest] = index
        changedSlots.append(index)
    }

    private mutating func removeSlot(_ latest: Publication.Latest) {
        guard let index = slotOf.removeValue(forKey: latest) else { return }
        slots[index] = nil
        freedSlots.append(index)
    }

    private mutating func dropExcess() {
        var count = 0
        while events.count - count > Self.maxDurableFrames || durableBytes > Self.maxDurableBytes {
            durableBytes -= events[count].frame.count
            lost = events[count].number
            lostChannels.insert(events[count].publication.channel)
            count += 1
        }
        events.removeFirst(count)
    }

    /// Says that a channel's events are lost to whoever has not had them by now.
    mutating func lose(_ channel: ChannelId) {
        end += 1
        lost = end
        lostChannels.insert(channel)
        for event in events { lostChannels.insert(event.publication.channel) }
        events = []
        durableBytes = 0
    }

    /// What came since this was last called, for all who have the rest.
    mutating func takeNews() -> FrameBatch {
        var batch = FrameBatch()
        for event in events[firstEvent(after: flushed)...] { batch.append(event.frame, .event(event.number)) }
        // In the slots' order: who takes a part goes on with a lap, which comes past them in that order.
        for index in changedSlots.sorted() {
            if let slot = slots[index] { batch.append(slot.frame, .slot(index)) }
        }
        changedSlots.removeAll(keepingCapacity: true)
        freeSlots += freedSlots
        freedSlots.removeAll(keepingCapacity: true)
        flushed = end
        return batch
    }

    /// The next piece of a lap.
    ///
    /// - Parameters:
    ///   - lap: How far it is.
    ///   - maxBytes: Stop once this many are collected; at least one frame is given where there is one.
    ///   - skips: Whether to leave a publication with some number out; it counts as had.
    /// - Returns: The frames; none where the lap is complete.
    func frames(
        of lap: Lap, maxBytes: Int, skipping skips: (Publication, UInt64) -> Bool = { _, _ in false }
    ) -> FrameBatch {
        var batch = FrameBatch()
        func fits(_ frame: [UInt8]) -> Bool {
            batch.ends.isEmpty || batch.bytes.count + frame.count <= maxBytes
        }
        for event in events[firstEvent(after: lap.events)...] {
            guard event.number <= lap.end else { break }
            if skips(event.publication, event.number) { continue }
            guard fits(event.frame) else { return batch }
            batch.append(event.frame, .event(event.number))
        }
        guard lap.takesPositions else { return batch }
        for index in min(lap.slot, slots.count)..<slots.count {
            // What was born after the lap began may not be told of yet: its share's start comes first.
            guard let slot = slots[index], slot.number > lap.start, slot.born <= lap.end,
                !skips(slot.publication, slot.number)
            else { continue }
            guard fits(slot.frame) else { return batch }
            batch.append(slot.frame, .slot(index))
        }
        return batch
    }

    /// Forgets what every watcher has.
    ///
    /// - Parameters:
    ///   - number: All have the durable events up to this number.
    ///   - areLevel: Whether all have everything.
    mutating func trim(events number: UInt64, areLevel: Bool) {
        let count = firstEvent(after: number)
        for event in events[..<count] { durableBytes -= event.frame.count }
        events.removeFirst(count)
        guard areLevel, !slots.isEmpty else { return }
        slots.removeAll(keepingCapacity: true)
        slotOf.removeAll(keepingCapacity: true)
        freeSlots.removeAll(keepingCapacity: true)
        freedSlots.removeAll(keepingCapacity: true)
        changedSlots.removeAll(keepingCapacity: true)
    }

    /// Index of the first event with a larger number, by halving: they are in order of number.
    private func firstEvent(after number: UInt64) -> Int {
        var low = 0
        var high = events.count
        while low < high {
            let middle = (low + high) / 2
            if events[middle].number <= number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// A watcher's way from one number of a log to another: the durable events
/// between them in order, then each position that changed meanwhile, once.
struct Lap {
    /// Positions up to this number the watcher has had.
    let start: UInt64
    /// Where it leads.
    let end: UInt64
    /// Whether positions are given.
    private(set) var takesPositions: Bool
    /// The last durable event that was given.
    private(set) var events: UInt64
    /// The slot that is next.
    private(set) var slot = 0

    init(from start: UInt64, to end: UInt64, takesPositions: Bool = true) {
        self.start = start
        self.end = end
        self.takesPositions = takesPositions
        events = start
    }

    /// Leaves out the positions that it has not come past yet.
    mutating func leaveOutPositions() { takesPositions = false }

    /// Notes that frames were written.
    mutating func passed(_ marks: some Sequence<FrameBatch.Mark>) {
        for mark in marks {
            switch mark {
            case .event(let number): events = number
            case .slot(let index):
                events = end
                slot = index + 1
            }
        }
    }
}
