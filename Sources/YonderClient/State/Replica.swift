import Foundation
import Synchronization
import YonderModel
import YonderRules

/// The client's copy of what it knows: one ``ChatState``, the store behind it and the observers before it.
///
/// Every change is saved and told in the order in which it happened.
final class Replica: Sendable {
    /// Changes that may wait for an observer; one that reads slower loses the oldest.
    static let maxWaiting = 10_000

    private struct Observer {
        let tell: @Sendable (ChatState, ChatState.Change) -> Void
        let finish: @Sendable () -> Void
    }

    private struct Guarded {
        var state: ChatState
        var clock = ServerClock()
        var nextObserver = 0
        var observers: [Int: Observer] = [:]
    }

    let store: LocalStore
    /// The device's clock, which may be wrong.
    let deviceTime: @Sendable () -> Timestamp
    /// Rings where a share may end at another moment than before.
    private let alarm = Alarm()
    private let guarded: Mutex<Guarded>

    init(
        store: LocalStore, deviceId: DeviceId, onlyCurrentDevice: Bool,
        deviceTime: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.deviceTime = deviceTime
        var state = ChatState(deviceId: deviceId, onlyCurrentDevice: onlyCurrentDevice)
        state.clockOffset = store.fact("clock_offset").flatMap { Int64($0) } ?? 0
        guarded = Mutex(Guarded(state: state))
    }

    deinit {
        for observer in guarded.withLock({ Array($0.observers.values) }) { observer.finish() }
    }

    private func now(_ guarded: Guarded) -> Timestamp {
        guarded.clock.now(at: .now) ?? deviceTime().advanced(byMilliseconds: guarded.state.clockOffset)
    }

    /// Looks at the state as it is now.
    func read<Value>(_ body: (ChatState) throws -> Value) rethrows -> Value {
        try guarded.withLock { guarded in
            guarded.state.now = now(guarded)
            return try body(guarded.state)
        }
    }

    /// Changes the state, saves what has to be kept and tells whoever observes.
    @discardableResult
    func update<Value>(_ body: (inout ChatState) throws -> Value) rethrows -> Value {
        let (value, hasNewEnd) = try guarded.withLock { guarded in
            guarded.state.now = now(guarded)
            let value = try body(&guarded.state)
            let unsaved = guarded.state.takeUnsaved()
            if !unsaved.isEmpty { store.save(unsaved, of: guarded.state) }
            for change in guarded.state.takeChanges() {
                for observer in guarded.observers.values { observer.tell(guarded.state, change) }
            }
            return (value, guarded.state.takeHasNewEnd())
        }
        if hasNewEnd { alarm.ring() }
        return value
    }

    /// The changes from now on as an observer sees them.
    ///
    /// - Parameters:
    ///   - first: What it is told at once; `nil` = nothing.
    ///   - view: What it is told of a change; `nil` = nothing.
    /// - Returns: What it is told, for one reader.
    func observe<Element: Sendable>(
        first: (ChatState) -> Element? = { _ in nil },
        _ view: @escaping @Sendable (ChatState, ChatState.Change) -> Element?
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(Self.maxWaiting))
        let id = guarded.withLock { guarded in
            guarded.state.now = now(guarded)
            if let first = first(guarded.state) { continuation.yield(first) }
            guarded.nextObserver += 1
            guarded.observers[guarded.nextObserver] = Observer { state, change in
                if let element = view(state, change) { continuation.yield(element) }
            } finish: {
                continuation.finish()
            }
            return guarded.nextObserver
        }
        continuation.onTermination = { [weak self] _ in
            // Not under the lock: the observer's end may free what it holds.
            _ = self?.guarded.withLock { $0.observers.removeValue(forKey: id) }
        }
        return stream
    }

    /// The server's clock, as well as it is known.
    var serverTime: Timestamp { guarded.withLock { now($0) } }

    /// The server has said its time.
    func heard(_ time: Timestamp) {
        let offset: Int64? = guarded.withLock { guarded in
            guarded.clock.heard(time, at: .now)
            let offset = now(guarded).milliseconds(since: deviceTime())
            guard abs(offset - guarded.state.clockOffset) > 500 else { return nil }
            guarded.state.clockOffset = offset
            return offset
        }
        guard let offset else { return }
        store.setFact("clock_offset", String(offset))
        update { state in for id in Array(state.locations.keys) { state.judge(id) } }
        alarm.ring()
    }

    /// Makes the store a user's: what it holds of another is erased, what it holds of this one is read.
    ///
    /// - Returns: The fixes that have not been sent.
    /// - Throws: `ClientError` with code `.localStoreUnavailable`.
    func become(_ user: UserId) throws(ClientError) -> [QueuedFix] {
        if read({ $0.userId }) == user { return store.contents().fixes }
        let isKnown = try store.become(user)
        let contents = isKnown ? store.contents() : LocalStore.Contents()
        update { state in
            state.empty()
            state.fill(with: contents, user: user)
        }
        let kept = read { state in
            Set(state.timelines.values.flatMap(\.ids)).union(state.active)
        }
        store.prune(keeping: kept, of: contents.messages)
        return contents.fixes
    }

    /// Ends shares when their time comes, whether the server says so or not. Works until it is cancelled.
    func watchEnds() async {
        while !Task.isCancelled {
            guard let wait = read({ state in state.nextEnd?.milliseconds(since: state.now) }) else {
                await alarm.wait(until: nil)
                continue
            }
            if wait > 0 {
                await alarm.wait(until: .now + .milliseconds(wait))
            } else {
                update { $0.expire() }
            }
        }
    }
}

// MARK: The outbox

extension Replica {
    /// Keeps something that was done, durably, and shows it.
    ///
    /// - Throws: `ClientError` with code `.localStoreUnavailable`.
    func queue(_ action: OutboxEntry.Action) throws(ClientError) -> OutboxEntry {
        let entry = try store.append(OutboxEntry(action: action, queuedAt: deviceTime()))
        update { $0.queue(entry) }
        return entry
    }

    func replace(_ entry: OutboxEntry) {
        store.replace(entry)
        update { $0.replace(entry) }
    }

    func remove(_ entry: OutboxEntry) {
        update { $0.remove(entry) }
        store.removeEntry(entry.id)
    }

    /// The server has taken a message.
    func sent(_ entry: OutboxEntry, as message: Message) {
        update { $0.sent(entry, as: message) }
        store.removeEntry(entry.id)
    }
}

extension ChatState {
    /// Forgets everything of a user.
    mutating func empty() {
        for cid in Set(channels.keys).union(timelines.keys) { forget(cid) }
        for id in messages.keys { forget(id) }
        for id in locations.keys { forgetLocation(id) }
        (user, userId, devices) = (nil, nil, [])
        (channelOrder, floors, unplaced, threads) = (nil, [:], [:], [:])
        (outbox, problems, sending) = ([], [:], nil)
        tellOwnShares()
        _ = takeUnsaved()
    }

    /// Takes what the store holds of a user.
    mutating func fill(with contents: LocalStore.Contents, user: UserId) {
        userId = user
        self.user = contents.user
        channelOrder = contents.channelOrder
        for message in contents.messages { merge(message) }
        for (channel, timeline, floor) in contents.channels {
            merge(channel)
            timelines[channel.cid] = Timeline(timeline.filter { messages[$0] != nil })
            floors[channel.cid] = floor
            if floor == nil { incomplete.insert(channel.cid) }
        }
        for entry in contents.outbox { queue(entry) }
        for share in locations.keys { judge(share) }
        note(.user)
        if channelOrder != nil { note(.channelList) }
        _ = takeUnsaved()
    }
}
