import Foundation
import Synchronization
import YonderModel
import YonderRules

/// Sends live positions for one session: runs ``UpdateThrottle`` and ``FixQueue`` against the server and the clock.
final class LiveLocationFeeder: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Void, ClientError>, Never>

    private struct State {
        var throttle: UpdateThrottle
        var queue: FixQueue
        /// Whether the shares that are on are known as of this connection.
        var isLoaded = false
        var needsLoading = false
        var loadAgainAt = ContinuousClock.now
        var isConnected = false
        /// When the next batch is sent; `nil` = nothing waits for one.
        var batchAt: ContinuousClock.Instant?
        var batchBackoff = ReconnectBackoff()
        var isOver = false
        var waiters: [(call: UUID, ticket: Int, waiter: Waiter)] = []
        /// Those who wait until everything of a share has been sent.
        var flushes: [(call: UUID, share: MessageId, waiter: CheckedContinuation<Void, Never>)] = []

        /// Takes the waiters whose position, or a newer one, has been dealt with.
        mutating func takeWaiters(through ticket: Int) -> [Waiter] {
            defer { waiters.removeAll { $0.ticket <= ticket } }
            return waiters.filter { $0.ticket <= ticket }.map(\.waiter)
        }

        /// Takes the waiter of one call, if it still waits.
        mutating func takeWaiter(of call: UUID) -> Waiter? {
            waiters.firstIndex { $0.call == call }.map { waiters.remove(at: $0).waiter }
        }

        mutating func takeFlushes(where isDone: (MessageId) -> Bool) -> [CheckedContinuation<Void, Never>] {
            defer { flushes.removeAll { isDone($0.share) } }
            return flushes.filter { isDone($0.share) }.map(\.waiter)
        }

        /// Whether fixes are to be kept for every share, not only for trails.
        var isOffline: Bool { !isConnected || throttle.backoff.attempts > 0 }
    }

    private enum Step {
        case load
        case send(LocationInfo, ticket: Int, shares: [MessageId])
        case batch([QueuedFix])
        /// Throw away what waits for shares that get no more.
        case forget([MessageId])
        case wait(until: ContinuousClock.Instant?)
    }

    private let api: ServerAPI
    private let replica: Replica
    private let deviceId: DeviceId?
    private let trailInterval: Duration
    private let state: Mutex<State>
    private let alarm = Alarm()

    /// Makes one that sends nothing yet.
    ///
    /// - Parameters:
    ///   - api: The way to the server.
    ///   - replica: What is known of the shares.
    ///   - deviceId: The device that feeds; `nil` = all of the user's shares are fed.
    ///   - interval: Shortest time between two requests with a position.
    ///   - trailInterval: How often the fixes that the throttle skipped are sent where a share keeps its trail.
    ///   - fixes: Those that an earlier session could not send.
    init(
        api: ServerAPI, replica: Replica, deviceId: DeviceId?, interval: Duration,
        trailInterval: Duration = .seconds(30), fixes: [QueuedFix]
    ) {
        self.trailInterval = trailInterval
        self.api = api
        self.replica = replica
        self.deviceId = deviceId
        state = Mutex(
            State(
                throttle: UpdateThrottle(interval: interval), queue: FixQueue(fixes),
                batchAt: fixes.isEmpty ? nil : .now))
    }

    private var shares: [SharedLocation] { replica.read(\.ownShares) }

    /// Takes a position to be sent when its time comes; newer ones replace it. One that is none is left out.
    func offer(_ location: LocationInfo) {
        guard let location = try? checked(location) else { return }
        _ = state.withLock { take(location, &$0) }
        alarm.ring()
    }

    /// Takes a position and waits until the server has answered for it or for a newer one.
    ///
    /// - Throws: `.cancelled` at once where the caller's task is cancelled; the position is still sent.
    func send(_ location: LocationInfo) async throws(ClientError) {
        let location = try checked(location)
        let call = UUID()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let refusal = state.withLock { state -> ClientError? in
                    if state.isOver { return .notConnected }
                    // Read under the lock: a cancellation after this finds the waiter.
                    if Task.isCancelled { return .cancelled }
                    state.waiters.append((call, take(location, &state), waiter))
                    return nil
                }
                if let refusal { waiter.resume(returning: .failure(refusal)) }
                alarm.ring()
            }
        } onCancel: {
            let waiter = state.withLock { $0.takeWaiter(of: call) }
            waiter?.resume(returning: .failure(.cancelled))
        }
        try result.get()
    }

    private func take(_ location: LocationInfo, _ state: inout State) -> Int {
        let ticket = state.throttle.offer(location)
        guard let time = location.recordedAt.map(Timestamp.init) else { return ticket }
        let ids = shares.filter { state.isOffline || $0.keepsTrail }.map(\.messageId)
        if !ids.isEmpty, let (fix, dropped) = state.queue.offer(location, recordedAt: time, to: ids) {
            replica.store.append(fix)
            replica.store.removeFixes(dropped)
            if state.batchAt == nil { state.batchAt = .now + trailInterval }
        }
        return ticket
    }

    /// A position that the server would take, with the time at which it was measured.
    private func checked(_ location: LocationInfo) throws(ClientError) -> LocationInfo {
        var location = try location.checked()
        if location.recordedAt == nil { location.recordedAt = replica.deviceTime().date }
        return location
    }

    /// The newest position that waits for a share; `nil` = none.
    func newestFix(of share: MessageId) -> LocationInfo? {
        state.withLock { state in state.queue.fixes.last { $0.shares.contains(share) }?.location }
    }

    /// The shares are others than before.
    func sharesChanged() { alarm.ring() }

    /// Something was told of the shares that has to be read again.
    func reload() {
        state.withLock { $0.needsLoading = true }
        alarm.ring()
    }

    /// A new connection stands: what happened meanwhile has to be asked for, what waited is sent.
    func connectionOpened() {
        state.withLock { state in
            state.isConnected = true
            state.isLoaded = false
            state.needsLoading = true
            state.loadAgainAt = .now
            state.throttle.connectionReturned()
            state.batchBackoff.succeeded()
            if !state.queue.isEmpty { state.batchAt = .now }
        }
        alarm.ring()
    }

    func connectionLost() { state.withLock { $0.isConnected = false } }

    /// Shares that the server does not know yet.
    private var drafts: Set<MessageId> { replica.read(\.draftIds) }

    /// Sends what waits for a share before it ends; gives up after a while, as a stop must not wait long.
    func flush(_ share: MessageId, within limit: Duration = .seconds(10)) async {
        let call = UUID()
        let drafts = drafts
        let timer = Task {
            try await Task.sleep(for: limit)
            endFlush(call)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
                let isNeeded = state.withLock { state in
                    guard !state.isOver, !Task.isCancelled, state.queue.concerns(share, without: drafts)
                    else { return false }
                    state.flushes.append((call, share, waiter))
                    if state.batchBackoff.attempts == 0 { state.batchAt = .now }
                    return true
                }
                if isNeeded { alarm.ring() } else { waiter.resume() }
            }
        } onCancel: {
            endFlush(call)
        }
        timer.cancel()
    }

    private func endFlush(_ call: UUID) {
        let waiter = state.withLock { state in
            state.flushes.firstIndex { $0.call == call }.map { state.flushes.remove(at: $0).waiter }
        }
        waiter?.resume()
    }

    /// A share is over: what waits for it is thrown away.
    func forget(_ share: MessageId) {
        let flushes = state.withLock { state in
            let (changed, dropped) = state.queue.forget(share)
            replica.store.replace(changed)
            replica.store.removeFixes(dropped)
            return state.takeFlushes { $0 == share }
        }
        for flush in flushes { flush.resume() }
        alarm.ring()
    }

    /// Asks the server which shares are on.
    func load() async throws(ClientError) {
        state.withLock { $0.needsLoading = false }
        // One that begins meanwhile is not in the list, and on all the same.
        let known = replica.read(\.sharesKnownToServer)
        let list: ActiveShareList
        do throws(ClientError) {
            list = try await api.call("GET", "/v1/live-locations", as: ActiveShareList.self)
        } catch {
            state.withLock { $0.needsLoading = true }
            throw error
        }
        let over = replica.update { $0.reconcile(ownShares: list.shares, of: known) }
        state.withLock { $0.isLoaded = true }
        alarm.ring()
        let unknown = replica.read { state in
            list.shares.map(\.messageId).filter { state.messages[$0] == nil }
        }
        for id in over { if await read(id) == .server(.notFound) { replica.update { $0.forget(id) } } }
        for id in unknown { _ = await read(id) }
    }

    /// Reads a message that is not known as it is now.
    ///
    /// - Returns: Why that failed; `nil` = it did not.
    private func read(_ id: MessageId) async -> ClientError.Code? {
        do throws(ClientError) {
            let message = try await api.call("GET", "/v1/messages/\(id)", as: Message.self)
            replica.update { $0.merge(message) }
            return nil
        } catch {
            return error.code
        }
    }
}

extension LiveLocationFeeder {
    /// Works until it is cancelled.
    func run() async {
        while !Task.isCancelled {
            switch nextStep() {
            case .load: await loadOrGiveUp()
            case .send(let location, let ticket, let shares): await deliver(location, ticket, to: shares)
            case .batch(let fixes): await deliver(fixes)
            case .forget(let shares): for share in shares { forget(share) }
            case .wait(let moment): await alarm.wait(until: moment)
            }
        }
        let (waiters, flushes) = state.withLock { state in
            state.isOver = true
            return (state.takeWaiters(through: .max), state.takeFlushes { _ in true })
        }
        for waiter in waiters { waiter.resume(returning: .failure(.notConnected)) }
        for flush in flushes { flush.resume() }
    }

    private func nextStep() -> Step {
        let (all, known, drafts) = replica.read { state in
            let all = state.ownShares.map(\.messageId)
            let drafts = state.draftIds
            return (all, all.filter { !drafts.contains($0) }, drafts)
        }
        let (step, waiters) = state.withLock { state -> (Step, [Waiter]) in
            let now = ContinuousClock.now
            if state.needsLoading, now >= state.loadAgainAt { return (.load, []) }
            var moments = state.needsLoading ? [state.loadAgainAt] : []
            var waiters: [Waiter] = []
            if !known.isEmpty {
                switch state.throttle.next(now: now) {
                case .send(let location, let ticket):
                    return (.send(location, ticket: ticket, shares: known), [])
                case .wait(let end): moments.append(end)
                case .idle: break
                }
            } else if all.isEmpty, state.isLoaded {
                state.throttle.drop()
                waiters = state.takeWaiters(through: .max)
            }
            if let batchAt = state.batchAt {
                let batch = state.queue.batch(without: drafts)
                if !batch.isEmpty, now >= batchAt {
                    // What the server has not said since it could be reached may be out of date.
                    let over = state.isConnected && state.isLoaded ? sharesWithoutNeed(of: batch) : []
                    return (over.isEmpty ? .batch(batch) : .forget(over), waiters)
                }
                if !batch.isEmpty { moments.append(batchAt) }
            }
            return (.wait(until: moments.min()), waiters)
        }
        let error = ClientError(.noActiveShare, "no live share is on that this device feeds")
        for waiter in waiters { waiter.resume(returning: .failure(error)) }
        return step
    }

    /// Of the shares for which fixes wait those that get no more: they are over, or another device feeds them.
    private func sharesWithoutNeed(of fixes: [QueuedFix]) -> [MessageId] {
        let shares = Set(fixes.flatMap(\.shares))
        return replica.read { state in shares.filter { !state.isToBeFed($0) } }
    }

    private func loadOrGiveUp() async {
        do throws(ClientError) {
            try await load()
        } catch {
            state.withLock { state in
                state.needsLoading = error.isPassing
                state.loadAgainAt = .now + .seconds(5)
                if !error.isPassing { state.isLoaded = true }
            }
        }
    }

    private func deliver(_ location: LocationInfo, _ ticket: Int, to shares: [MessageId]) async {
        do throws(ClientError) {
            let outcome = try await api.call(
                "PUT", "/v1/live-locations", as: FixOutcome.self, lane: .positions, attempts: 1
            ) {
                WireJSON.encode(
                    FixBody(
                        location: location, deviceId: self.deviceId, messageIds: shares,
                        sentAt: self.replica.deviceTime()))
            }
            finish(location, ticket, shares, outcome)
        } catch {
            if error.code == .cancelled { return }  // the work is over: its end answers who waits
            fail(location, ticket, shares, error)
        }
    }

    private func finish(
        _ location: LocationInfo, _ ticket: Int, _ sentTo: [MessageId], _ outcome: FixOutcome
    ) {
        let needsLoading = replica.update { state in
            var needsLoading = false
            for skipped in outcome.skipped {
                switch skipped.reason {
                case .ended:
                    state.shareOver(skipped.messageId)
                    needsLoading = true
                case .notFound:
                    state.shareUnfed(skipped.messageId)
                    needsLoading = true
                case .older, .duplicate, .beforeStart: break
                }
            }
            return needsLoading
        }
        let isOver = outcome.applied.isEmpty && !outcome.skipped.isEmpty && shares.isEmpty
        let waiters = state.withLock { state in
            if needsLoading { state.needsLoading = true }
            if let time = location.recordedAt,
                let fix = state.queue.sent(recordedAt: Timestamp(time), to: sentTo)
            {
                if fix.shares.isEmpty {
                    replica.store.removeFixes([fix.id])
                } else {
                    replica.store.replace([fix])
                }
            }
            state.throttle.finished(now: .now)
            return state.takeWaiters(through: ticket)
        }
        let ended = ClientError(.server(.liveLocationEnded), "the live share has ended")
        for waiter in waiters { waiter.resume(returning: isOver ? .failure(ended) : .success(())) }
    }

    private func fail(
        _ location: LocationInfo, _ ticket: Int, _ shares: [MessageId], _ error: ClientError
    ) {
        if error.endsShare {
            replica.update { state in for share in shares { state.shareOver(share) } }
        }
        let waiters = state.withLock { state -> [Waiter] in
            if error.isPassing {
                state.throttle.failed(
                    location, ticket: ticket, retryAfter: error.retryAfter.map { .seconds($0) },
                    jitter: .random(in: 0...1), now: .now)
                return []
            }
            if error.endsShare { state.needsLoading = true }
            state.throttle.finished(now: .now)
            return state.takeWaiters(through: ticket)
        }
        for waiter in waiters { waiter.resume(returning: .failure(error)) }
    }

    private func deliver(_ fixes: [QueuedFix]) async {
        let result: ClientError?
        do throws(ClientError) {
            _ = try await api.call(
                "POST", "/v1/live-locations/batch", as: BatchAnswer.self, lane: .positions, attempts: 1
            ) {
                WireJSON.encode(
                    FixBatchBody(
                        fixes: fixes.map {
                            FixBody(location: $0.location, deviceId: self.deviceId, messageIds: $0.shares)
                        }, sentAt: self.replica.deviceTime()))
            }
            result = nil
        } catch {
            result = error
        }
        if result?.code == .cancelled { return }
        settle(fixes, result)
    }

    /// What has been sent goes; so does what the server will never take.
    private func settle(_ fixes: [QueuedFix], _ error: ClientError?) {
        let drafts = drafts
        let flushes = state.withLock { state in
            var sent = fixes.map(\.id)
            switch error {
            case let error? where error.code == .server(.payloadTooLarge):
                sent = state.queue.wasTooLarge(fixes).map { [$0] } ?? []
            case let error? where error.isPassing || error.asksForToken:
                let wait = state.batchBackoff.failed(jitter: .random(in: 0...1))
                let asked = error.retryAfter.map { Duration.seconds(max(0, $0)) }
                state.batchAt = .now + min(max(asked ?? wait, wait), ReconnectBackoff.cap)
                return [] as [CheckedContinuation<Void, Never>]
            default:
                state.queue.sent(Set(sent))
                state.batchBackoff.succeeded()
            }
            replica.store.removeFixes(sent)
            state.batchAt = state.queue.isEmpty ? nil : .now
            let queue = state.queue
            return state.takeFlushes { !queue.concerns($0, without: drafts) }
        }
        for flush in flushes { flush.resume() }
    }
}

/// The answer to a batch, of which nothing is of interest but that it came.
private struct BatchAnswer: Decodable {
    var accepted: Int
}

extension LocationInfo {
    /// The same, if the server would take it.
    ///
    /// - Throws: `ClientError` with code `.server(.invalidArgument)`, which names the wrong field.
    func checked() throws(ClientError) -> LocationInfo {
        do {
            _ = try Position(RawPosition(self), at: "")
            return self
        } catch {
            throw ClientError(error)
        }
    }
}
