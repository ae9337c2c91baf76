import Foundation
import YonderModel

/// Decides when a source runs, whom a fix is told, and how each request is answered.
///
/// The clock is passed in, in seconds since the epoch. The source runs exactly while somebody listens, it is allowed
/// and location is switched on; every request is answered once.
struct ProviderMachine {
    typealias RequestId = Int

    /// What is to be done, in order.
    enum Action: Hashable {
        case ask
        case startSource
        case stopSource
        /// Told to who monitors.
        case deliver(Fix)
        case answer(RequestId, Result<Fix, LocationError>)
        /// Told to who monitors; nothing ends by it.
        case report(LocationError)
    }

    private struct Request {
        let id: RequestId
        let timeout: Double
        let maximumAge: Double
        /// From when on it counts; `nil` = nobody has said yet that it is allowed.
        var deadline: Double?
        var best: Fix?
    }

    private(set) var authorization: AuthorizationStatus
    private(set) var servicesEnabled: Bool
    private(set) var isMonitoring = false
    private(set) var isSourceOn = false
    var filter = FixFilter()
    /// Metres that a single fix is to have; `nil` = any.
    var desiredAccuracy: Double?

    private var requests: [Request] = []
    private var isAsking = false
    /// The last fix of any quality.
    private var cached: Fix?
    private var lastFailure: LocationError?

    init(authorization: AuthorizationStatus, servicesEnabled: Bool) {
        self.authorization = authorization
        self.servicesEnabled = servicesEnabled
    }

    var isListenedTo: Bool { isMonitoring || !requests.isEmpty }
    var pendingRequests: Int { requests.count }

    /// When ``tick(now:)`` has to be called next; `nil` = nothing waits for a time.
    var nextDeadline: Double? { requests.compactMap(\.deadline).min() }

    // MARK: What listeners want

    mutating func startMonitoring() -> [Action] {
        guard !isMonitoring else { return [] }
        isMonitoring = true
        return settle()
    }

    mutating func stopMonitoring() -> [Action] {
        guard isMonitoring else { return [] }
        isMonitoring = false
        return settle()
    }

    /// Somebody wants one fix.
    ///
    /// - Parameters:
    ///   - id: Its number; no two are the same.
    ///   - timeout: Seconds to wait, from when it is allowed.
    ///   - maximumAge: Seconds that a fix which is known already may be old; 0 = only a new one will do.
    ///   - now: The time.
    /// - Returns: What is to be done.
    mutating func request(_ id: RequestId, timeout: Double, maximumAge: Double, now: Double) -> [Action] {
        if let refusal { return [.answer(id, .failure(refusal))] }
        if authorization.isAuthorized, let cached, isGood(cached),
            now - cached.timestamp.timeIntervalSince1970 <= maximumAge
        {
            return [.answer(id, .success(cached))]
        }
        let deadline = authorization.isAuthorized ? now + timeout : nil
        requests.append(Request(id: id, timeout: timeout, maximumAge: maximumAge, deadline: deadline))
        return settle()
    }

    mutating func cancel(_ id: RequestId) -> [Action] {
        guard let index = requests.firstIndex(where: { $0.id == id }) else { return [] }
        requests.remove(at: index)
        return [.answer(id, .failure(.cancelled))] + settle()
    }

    // MARK: What the source says

    mutating func authorizationChanged(
        to status: AuthorizationStatus, servicesEnabled: Bool, now: Double
    ) -> [Action] {
        authorization = status
        self.servicesEnabled = servicesEnabled
        var actions: [Action] = []
        if let refusal {
            isAsking = false
            actions = answerAll { _ in .failure(refusal) }
        } else if status == .notDetermined {
            // Asked, and sent away without an answer.
            if isAsking { actions = answerAll { _ in .failure(.denied) } }
            isAsking = false
        } else {
            isAsking = false
            for index in requests.indices where requests[index].deadline == nil {
                requests[index].deadline = now + requests[index].timeout
            }
        }
        return actions + settle(mayAsk: false)
    }

    mutating func fix(_ fix: Fix, now: Double) -> [Action] {
        guard isSourceOn else { return [] }
        switch filter.judge(fix, now: now) {
        case .rejected(.stale):
            lastFailure = .outdated(newest: fix.timestamp)
            return []
        case .rejected(let reason):
            // A vague one, or one that is near the last, is still an answer to who asks where the device is.
            guard reason == .vague || reason == .near else { return [] }
            return take(fix)
        case .accepted(let fix):
            lastFailure = nil
            return (isMonitoring ? [.deliver(fix)] : []) + take(fix)
        }
    }

    /// Offers a fix to all who asked for one.
    private mutating func take(_ fix: Fix) -> [Action] {
        cached = fix
        guard !requests.isEmpty else { return [] }
        if isGood(fix) { return answerAll { _ in .success(fix) } + settle() }
        for index in requests.indices where isBetter(fix, than: requests[index].best) {
            requests[index].best = fix
        }
        return []
    }

    /// Something failed for the moment: nothing ends by it.
    mutating func failed(_ error: LocationError) -> [Action] {
        lastFailure = error
        return isListenedTo ? [.report(error)] : []
    }

    /// The source has no more to give.
    mutating func ended() -> [Action] {
        guard isSourceOn else { return [] }
        isSourceOn = false
        isMonitoring = false
        let failure = lastFailure ?? .endedWithout
        return answerAll { $0.best.map { .success($0) } ?? .failure(failure) }
    }

    /// Time has passed.
    mutating func tick(now: Double) -> [Action] {
        let due = requests.filter { $0.deadline.map { $0 <= now } ?? false }
        guard !due.isEmpty else { return [] }
        requests.removeAll { request in due.contains { $0.id == request.id } }
        let failure = LocationError(.timeout, LocationError.timeout.message, underlying: lastFailure)
        return due.map { .answer($0.id, $0.best.map { .success($0) } ?? .failure(failure)) } + settle()
    }

    // MARK: Rules

    /// Why nobody gets a location now; `nil` = they may.
    private var refusal: LocationError? {
        if !servicesEnabled { return .servicesDisabled }
        switch authorization {
        case .denied: return .denied
        case .restricted: return .restricted
        case .notDetermined, .authorizedWhenInUse, .authorizedAlways: return nil
        }
    }

    private func isGood(_ fix: Fix) -> Bool {
        guard let limit = desiredAccuracy else { return true }
        return fix.horizontalAccuracy.map { $0 <= limit } ?? false
    }

    private func isBetter(_ fix: Fix, than other: Fix?) -> Bool {
        guard let other else { return true }
        return (fix.horizontalAccuracy ?? .infinity) <= (other.horizontalAccuracy ?? .infinity)
    }

    private mutating func answerAll(_ answer: (Request) -> Result<Fix, LocationError>) -> [Action] {
        defer { requests = [] }
        return requests.map { .answer($0.id, answer($0)) }
    }

    /// Brings the source and the question into line with who listens.
    private mutating func settle(mayAsk: Bool = true) -> [Action] {
        let isWanted = isListenedTo && authorization.isAuthorized && servicesEnabled
        if isWanted != isSourceOn {
            isSourceOn = isWanted
            if !isWanted { filter.reset() }
            return [isWanted ? .startSource : .stopSource]
        }
        if mayAsk, isListenedTo, servicesEnabled, authorization == .notDetermined, !isAsking {
            isAsking = true
            return [.ask]
        }
        return []
    }
}
