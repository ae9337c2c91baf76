import Synchronization
import YonderModel
import YonderRules

/// Sends what the user has done, one after the other, each until the server has answered.
final class OutboxSender: Sendable {
    /// What became of an action when its caller stopped waiting.
    enum Outcome: Sendable {
        /// The server has it.
        case done
        /// It is kept and will be sent.
        case waits
    }

    private typealias Waiter = CheckedContinuation<Result<Outcome, ClientError>, Never>

    private struct State {
        var isConnected = false
        var isOver = false
        var backoff = ReconnectBackoff()
        /// Until when what has failed is not tried again.
        var rests: [Int64: ContinuousClock.Instant] = [:]
        var waiters: [Int64: Waiter] = [:]
        /// Actions that are kept, or about to be, and whose callers do not wait yet.
        var beginning = 0
        /// What was answered meanwhile, by the action's number.
        var early: [Int64: Result<Outcome, ClientError>] = [:]

        /// A caller begins to wait, or does not come to it.
        mutating func begun(_ id: Int64?) -> Result<Outcome, ClientError>? {
            beginning -= 1
            defer { if beginning == 0 { early = [:] } }
            return id.flatMap { early.removeValue(forKey: $0) }
        }
    }

    /// Attempts for which the caller of an action waits.
    private static let patience = 3

    private let api: ServerAPI
    private let replica: Replica
    private let feeder: LiveLocationFeeder
    private let device: DeviceRegistration
    private let state = Mutex(State())
    private let alarm = Alarm()

    init(api: ServerAPI, replica: Replica, feeder: LiveLocationFeeder, device: DeviceRegistration) {
        self.api = api
        self.replica = replica
        self.feeder = feeder
        self.device = device
    }

    /// Keeps an action, durably, and waits for the server's answer as long as that is worth it.
    ///
    /// - Throws: `ClientError`: the server's refusal; `.cancelled` where the caller's task was cancelled, and the
    ///   action is sent all the same.
    func submit(_ action: OutboxEntry.Action) async throws(ClientError) -> Outcome {
        let isOver = state.withLock { state in
            if !state.isOver { state.beginning += 1 }
            return state.isOver
        }
        if isOver { throw .notConnected }
        let entry: OutboxEntry
        do throws(ClientError) {
            entry = try replica.queue(action)
        } catch {
            _ = state.withLock { $0.begun(nil) }
            throw error
        }
        feeder.sharesChanged()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let known = state.withLock { state -> Result<Outcome, ClientError>? in
                    // It may have been sent already: whoever sends did not sleep.
                    if let early = state.begun(entry.id) { return early }
                    if Task.isCancelled { return .failure(.cancelled) }
                    guard state.isConnected, !state.isOver else { return .success(.waits) }
                    state.waiters[entry.id] = waiter
                    return nil
                }
                alarm.ring()
                if let known { waiter.resume(returning: known) }
            }
        } onCancel: {
            answer(entry.id, .failure(.cancelled))
        }
        return try result.get()
    }

    private func answer(_ id: Int64, _ result: Result<Outcome, ClientError>) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: id)
            if waiter == nil, state.beginning > 0 { state.early[id] = result }
            return waiter
        }
        waiter?.resume(returning: result)
    }

    private func answerAll(_ result: Result<Outcome, ClientError>) {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }

    /// A message that was refused is to be tried again.
    func retry() { alarm.ring() }

    func connectionOpened() {
        state.withLock { state in
            state.isConnected = true
            state.backoff.succeeded()
            state.rests = [:]
        }
        alarm.ring()
    }

    func connectionLost() {
        state.withLock { $0.isConnected = false }
        answerAll(.success(.waits))
    }

    /// Works until it is cancelled.
    func run() async {
        while !Task.isCancelled {
            giveUpLateStarts()
            let (rests, isConnected) = state.withLock { ($0.rests, $0.isConnected) }
            // What fails for want of a connection fails for all.
            let entries = replica.read(\.nextEntries).prefix(isConnected ? .max : 1)
            if let entry = entries.first(where: { rests[$0.id].map { $0 <= .now } ?? true }) {
                await attempt(entry)
            } else {
                let rest = entries.compactMap { rests[$0.id] }.min()
                await alarm.wait(until: rest.map { min($0, nextEnd ?? $0) })
            }
        }
        state.withLock { $0.isOver = true }
        answerAll(.success(.waits))
    }

    /// Starts of shares that the server has certainly not got.
    private var starts: [OutboxEntry] {
        replica.read(\.outbox).filter { entry in
            entry.refusal == nil && entry.draft.map { $0.isLive && !$0.isAttempted } ?? false
        }
    }

    /// When the next share that waits to be begun is over.
    private var nextEnd: ContinuousClock.Instant? {
        starts.compactMap(\.draft?.location?.endAt).min().map { end in
            .now + .milliseconds(max(0, end.milliseconds(since: replica.deviceTime())))
        }
    }

    private func giveUpLateStarts() {
        for entry in starts where entry.draft?.isOver(at: replica.deviceTime()) == true {
            let error = Self.late
            refuse(entry, error)
            answer(entry.id, .failure(error))
        }
    }

    private static let late = ClientError(.expired, "its end came before it could be sent")

    private func attempt(_ entry: OutboxEntry) async {
        do throws(ClientError) {
            switch entry.action {
            case .send(let draft): try await send(draft, of: entry)
            case .stop(let id, _): try await stop(id, of: entry)
            }
            state.withLock { state in
                state.backoff.succeeded()
                state.rests[entry.id] = nil
            }
            answer(entry.id, .success(.done))
        } catch {
            replica.update { $0.setSending(nil) }
            if error.code == .cancelled { return }
            if error.isPassing || error.asksForToken {
                rest(entry, error)
                replica.update { $0.setProblem(entry.messageId, error) }
            } else {
                let isLate = entry.draft?.isOver(at: replica.deviceTime()) == true
                let error = isLate ? Self.late : error
                refuse(entry, error)
                answer(entry.id, .failure(error))
            }
        }
    }

    private func rest(_ entry: OutboxEntry, _ error: ClientError) {
        let isLong = state.withLock { state in
            let wait = state.backoff.failed(jitter: .random(in: 0...1))
            let asked = error.retryAfter.map { Duration.seconds(max(0, $0)) }
            state.rests[entry.id] = .now + min(max(asked ?? wait, wait), ReconnectBackoff.cap)
            return state.backoff.attempts >= Self.patience
        }
        if isLong { answerAll(.success(.waits)) }
    }

    private func refuse(_ entry: OutboxEntry, _ error: ClientError) {
        switch entry.action {
        case .stop:
            // The share is on, whatever was shown meanwhile, unless it is not there at all.
            replica.remove(entry)
            feeder.reload()
        case .send:
            var refused = entry
            refused.refusal = OutboxEntry.Refusal(error)
            replica.replace(refused)
            feeder.forget(entry.messageId)
        }
    }

    private func send(_ draft: MessageDraft, of entry: OutboxEntry) async throws(ClientError) {
        if draft.isLive {
            try await device.ensure()
            // One that is replaced takes nothing more: it gets first what waits for it.
            for share in replica.read({ $0.shares(replacedBy: draft) }) { await feeder.flush(share) }
        }
        // One that the server may have got is asked for, whatever the time.
        if !draft.isAttempted, draft.isOver(at: replica.deviceTime()) { throw Self.late }
        var draft = draft
        // It begins where its sender is by now: what was measured long before a share began is not taken.
        if !draft.isAttempted, draft.isLive, let newest = feeder.newestFix(of: draft.id) {
            draft.location?.location = newest
        }
        draft.isAttempted = true
        var begun = entry
        begun.action = .send(draft)
        guard replica.begin(begun) else { return }
        let attempt = draft
        let message = try await api.call(
            "POST", "/v1/channels/\(attempt.cid)/messages", as: Message.self, attempts: 1
        ) {
            WireJSON.encode(attempt.body(sentAt: self.replica.deviceTime()))
        }
        replica.sent(entry, as: message)
        replica.update { $0.setSending(nil) }
        feeder.sharesChanged()
    }

    private func stop(_ id: MessageId, of entry: OutboxEntry) async throws(ClientError) {
        await feeder.flush(id)
        do throws(ClientError) {
            let share = try await api.call(
                "DELETE", "/v1/messages/\(id)/live-location", as: SharedLocation.self, attempts: 1)
            replica.update { $0.merge(share) }
        } catch {
            // Gone with its message: as stopped as can be.
            guard error.code == .server(.notFound) else { throw error }
            replica.update { $0.shareOver(id) }
        }
        replica.remove(entry)
        feeder.forget(id)
    }
}
