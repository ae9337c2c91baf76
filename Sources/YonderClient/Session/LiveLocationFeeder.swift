import Foundation
import Synchronization
import YonderModel
import YonderRules

/// Sends live positions for one session: runs ``UpdateThrottle`` against the server and the clock.
final class LiveLocationFeeder: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Void, ClientError>, Never>

    private struct State {
        var throttle: UpdateThrottle
        var shares: ActiveShares
        var clock = ServerClock()
        /// Whether the shares that were on before this session are known.
        var isLoaded = false
        var needsLoading = true
        var loadAgainAt = ContinuousClock.now
        var isOver = false
        var waiters: [(call: UUID, ticket: Int, waiter: Waiter)] = []

        /// Takes the waiters whose position, or a newer one, has been dealt with.
        mutating func takeWaiters(through ticket: Int) -> [Waiter] {
            defer { waiters.removeAll { $0.ticket <= ticket } }
            return waiters.filter { $0.ticket <= ticket }.map(\.waiter)
        }

        /// Takes the waiter of one call, if it still waits.
        mutating func takeWaiter(of call: UUID) -> Waiter? {
            waiters.firstIndex { $0.call == call }.map { waiters.remove(at: $0).waiter }
        }

        var hasShares: Bool { !shares.isEmpty(at: clock.now(at: .now)) }
    }

    private enum Step {
        case load
        case feed(UpdateThrottle.Action)
    }

    private let api: ServerAPI
    private let deviceId: DeviceId?
    private let state: Mutex<State>
    private let wakeups: AsyncStream<Void>
    private let wakeup: AsyncStream<Void>.Continuation

    /// Without a `deviceId` all of the user's shares are fed.
    init(api: ServerAPI, userId: UserId, deviceId: DeviceId?, interval: Duration) {
        self.api = api
        self.deviceId = deviceId
        state = Mutex(
            State(
                throttle: UpdateThrottle(interval: interval),
                shares: ActiveShares(userId: userId, deviceId: deviceId)))
        (wakeups, wakeup) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes a position to be sent when its time comes; newer ones replace it.
    func offer(_ location: LocationInfo) {
        _ = state.withLock { $0.throttle.offer(Self.stamped(location)) }
        wakeup.yield()
    }

    /// Takes a position and waits until the server has answered for it or for a newer one.
    ///
    /// - Throws: `.cancelled` at once where the caller's task is cancelled; the position is still sent.
    func send(_ location: LocationInfo) async throws(ClientError) {
        let call = UUID()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let refusal = state.withLock { state -> ClientError? in
                    if state.isOver { return .notConnected }
                    // Read under the lock: a cancellation after this finds the waiter.
                    if Task.isCancelled { return .cancelled }
                    state.waiters.append((call, state.throttle.offer(Self.stamped(location)), waiter))
                    return nil
                }
                if let refusal { waiter.resume(returning: .failure(refusal)) }
                wakeup.yield()
            }
        } onCancel: {
            state.withLock { $0.takeWaiter(of: call) }?.resume(returning: .failure(.cancelled))
        }
        try result.get()
    }

    /// A share of somebody's began, changed or ended.
    func shareChanged(_ share: SharedLocation) {
        state.withLock { $0.shares.update(share) }
        wakeup.yield()
    }

    func allSharesEnded() {
        state.withLock { $0.shares.removeAll() }
        wakeup.yield()
    }

    /// The server said its time.
    func heard(_ time: Timestamp) { state.withLock { $0.clock.heard(time, at: .now) } }

    /// The server's clock, as far as it is known.
    var serverTime: Timestamp? { state.withLock { $0.clock.now(at: .now) } }

    /// A new connection stands: what happened meanwhile has to be asked for.
    func connectionOpened() {
        state.withLock { state in
            state.needsLoading = true
            state.throttle.connectionReturned()
        }
        wakeup.yield()
    }

    /// Asks the server which shares are on.
    @discardableResult
    func load() async throws(ClientError) -> [SharedLocation] {
        while true {
            let version = state.withLock { state in
                state.needsLoading = false
                return state.shares.version
            }
            let list: ActiveShareList
            do throws(ClientError) {
                list = try await api.call("GET", "/v1/live-locations", as: ActiveShareList.self)
            } catch {
                state.withLock { $0.needsLoading = true }
                throw error
            }
            let isCurrent = state.withLock { state in
                guard state.shares.version == version else { return false }
                state.shares.replace(with: list.shares)
                state.isLoaded = true
                return true
            }
            // Something began or ended while the list was on its way.
            if isCurrent { return list.shares }
        }
    }
}

extension LiveLocationFeeder {
    /// Works until it is cancelled.
    func run() async {
        for await _ in wakeups {
            working: while !Task.isCancelled {
                switch nextStep() {
                case .load: await loadOrGiveUp()
                case .feed(.idle): break working
                case .feed(.wait(let end)):
                    // In slices, as a connection that returns cuts the wait short.
                    try? await Task.sleep(until: min(end, .now + .milliseconds(250)), clock: .continuous)
                case .feed(.send(let location, let ticket)): await deliver(location, ticket)
                }
            }
        }
        let waiters = state.withLock { state in
            state.isOver = true
            return state.takeWaiters(through: .max)
        }
        for waiter in waiters { waiter.resume(returning: .failure(.notConnected)) }
    }

    private func nextStep() -> Step {
        let (step, waiters) = state.withLock { state -> (Step, [Waiter]) in
            let now = ContinuousClock.now
            if state.needsLoading, now >= state.loadAgainAt { return (.load, []) }
            if state.hasShares { return (.feed(state.throttle.next(now: now)), []) }
            if !state.isLoaded {
                return (.feed(.wait(until: max(state.loadAgainAt, now + .milliseconds(50)))), [])
            }
            state.throttle.drop()
            return (.feed(.idle), state.takeWaiters(through: .max))
        }
        let error = ClientError(.noActiveShare, "no live share is on that this device feeds")
        for waiter in waiters { waiter.resume(returning: .failure(error)) }
        return step
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

    private func deliver(_ location: LocationInfo, _ ticket: Int) async {
        do throws(ClientError) {
            let outcome = try await api.call(
                "PUT", "/v1/live-locations", as: FixOutcome.self, lane: .positions
            ) {
                WireJSON.encode(FixBody(location: location, deviceId: self.deviceId, sentAt: .now))
            }
            finish(ticket, outcome)
        } catch {
            if error.code == .cancelled { return }  // the work is over: its end answers who waits
            fail(location, ticket, error)
        }
    }

    private func finish(_ ticket: Int, _ outcome: FixOutcome) {
        let (waiters, isOver) = state.withLock { state in
            for skipped in outcome.skipped {
                switch skipped.reason {
                case .ended: state.shares.remove(skipped.messageId)
                case .notFound:
                    state.shares.remove(skipped.messageId)
                    state.needsLoading = true
                case .older, .duplicate, .beforeStart: break
                }
            }
            state.throttle.finished(now: .now)
            return (state.takeWaiters(through: ticket), outcome.applied.isEmpty && !state.hasShares)
        }
        let ended = ClientError(.server(.liveLocationEnded), "the live share has ended")
        for waiter in waiters { waiter.resume(returning: isOver ? .failure(ended) : .success(())) }
    }

    private func fail(_ location: LocationInfo, _ ticket: Int, _ error: ClientError) {
        let waiters = state.withLock { state -> [Waiter] in
            if error.isPassing {
                state.throttle.failed(
                    location, ticket: ticket, retryAfter: error.retryAfter.map { .seconds($0) },
                    jitter: .random(in: 0...1), now: .now)
                return []
            }
            if error.endsShare {
                state.shares.removeAll()
                state.needsLoading = true
            }
            state.throttle.finished(now: .now)
            return state.takeWaiters(through: ticket)
        }
        for waiter in waiters { waiter.resume(returning: .failure(error)) }
    }

    /// A position that waits keeps the time at which it was measured.
    private static func stamped(_ location: LocationInfo) -> LocationInfo {
        var stamped = location
        if stamped.recordedAt == nil { stamped.recordedAt = Date() }
        return stamped
    }
}
