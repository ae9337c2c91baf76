import YonderFanout
import YonderModel
import YonderRules
import YonderStore

/// Live shares: the fixes that move them, and their end.
struct LiveLocationService: Sendable {
    let store: any Store
    let table: ShareTable
    let announcer: Announcer
    let metrics: Metrics
    let clock: @Sendable () -> Timestamp

    /// Moves the caller's shares that take this fix.
    func apply(_ report: FixReport, by user: UserId) async throws -> FixOutcome {
        try await withCheckedThrowingContinuation { caller in
            apply(report, by: user) { caller.resume(with: $0) }
        }
    }

    /// Moves the caller's shares that take this fix.
    ///
    /// - Parameters:
    ///   - report: The fix.
    ///   - user: Whose shares.
    ///   - answer: Called once, here or on the store's writing thread, where it must be quick.
    func apply(
        _ report: FixReport, by user: UserId,
        answer: @escaping @Sendable (Result<FixOutcome, any Error>) -> Void
    ) {
        do {
            let now = clock()
            let (steps, outcome) = try judge(report, of: user, now: now)
            guard !steps.isEmpty else {
                noteSeen(report.deviceId, of: user, now: now)
                return settle(.success(outcome), answer)
            }
            commit(steps, of: user, from: report.deviceId, now: now) { result in
                settle(
                    result.map { results in
                        var outcome = outcome
                        for (step, move) in results { outcome.add(move, of: step.share.messageId) }
                        return outcome
                    }, answer)
            }
        } catch {
            answer(.failure(error))
        }
    }

    /// Notes that a device is there although nothing takes its fixes, to the minute.
    func noteSeen(_ device: DeviceId?, of user: UserId, now: Timestamp) {
        guard let device, let known = try? store.read({ try $0.device(device, of: user) }),
            known.lastSeenTime.advanced(bySeconds: 60) <= now
        else { return }
        let write: @Sendable (any StoreTransaction) throws -> Void = { change in
            try change.sawDevice(device, of: user, at: now)
        }
        store.commit(write, urgency: .gathered, publish: { _ in }, completion: { _ in })
    }

    private func settle(
        _ result: Result<FixOutcome, any Error>, _ answer: (Result<FixOutcome, any Error>) -> Void
    ) {
        if case .success(let outcome) = result { metrics.count(outcome) }
        answer(result)
    }

    /// Which shares a fix moves, and what is said of the others.
    private func judge(
        _ report: FixReport, of user: UserId, now: Timestamp
    ) throws -> (steps: [ShareStep], outcome: FixOutcome) {
        let fed = try sharesFed(by: report, of: user)
        var (steps, outcome) = try judge(report, for: fed, of: user, now: now)
        if let wanted = report.messageIds {
            outcome.skipped =
                try skipped(Set(wanted).subtracting(fed.map(\.messageId)), of: user, by: report)
                + outcome.skipped
        }
        return (steps, outcome)
    }

    /// What a fix is to do to the shares that it is meant for.
    func judge(
        _ report: FixReport, for shares: [SharedLocation], of user: UserId, now: Timestamp
    ) throws -> (steps: [ShareStep], outcome: FixOutcome) {
        var steps: [ShareStep] = []
        var outcome = FixOutcome()
        guard !shares.isEmpty else { return (steps, outcome) }
        let measuredAt =
            ClockCorrection(sentAt: report.sentAt, now: now).measured(report.recordedAt, arrival: now)
            ?? table.arrivalTime(of: user, now: now)
        for share in shares {
            guard let lifetime = share.lifetime else { continue }
            let verdict = FixVerdict(
                measuredAt: measuredAt, lastMeasuredAt: share.recordedTime, lifetime: lifetime, now: now)
            if let reason = FixOutcome.Reason(refusing: verdict) {
                outcome.skipped.append(.init(messageId: share.messageId, reason: reason))
            } else {
                steps.append(
                    ShareStep(
                        share: share, position: report.position, recordedAt: measuredAt,
                        deviceTime: report.recordedAt))
            }
        }
        return (steps, outcome)
    }

    /// The caller's shares that this fix is meant for.
    func sharesFed(by report: FixReport, of user: UserId) throws -> [SharedLocation] {
        var shares = table.shares(of: user)
        if let device = report.deviceId {
            shares = shares.filter { $0.fedByDeviceId == device }
            if shares.isEmpty, try store.read({ try $0.device(device, of: user) }) == nil {
                throw WireError(.invalidArgument, "none of your devices has this id", field: "/device_id")
            }
        }
        if let wanted = report.messageIds { shares = shares.filter { wanted.contains($0.messageId) } }
        return shares
    }

    /// Why named shares take nothing: they are over, or none that this fix may move.
    private func skipped(
        _ ids: Set<MessageId>, of user: UserId, by report: FixReport
    ) throws -> [FixOutcome.Skipped] {
        guard !ids.isEmpty else { return [] }
        return try store.read { reader in
            try ids.map { id in
                let message = try reader.message(id)
                let share = message?.deletedTime == nil ? message?.sharedLocation : nil
                let isOver =
                    share?.userId == user && share?.endedTime != nil
                    && (report.deviceId == nil || share?.fedByDeviceId == report.deviceId)
                return FixOutcome.Skipped(messageId: id, reason: isOver ? .ended : .notFound)
            }
        }
    }

    /// Steps and what became of them.
    typealias Results = [(step: ShareStep, move: ShareMove)]

    /// Takes steps, given in the order of their times.
    func commit(
        _ steps: [ShareStep], of user: UserId, from device: DeviceId?, now: Timestamp,
        completion: @escaping @Sendable (Result<Results, any Error>) -> Void
    ) {
        let steps = steps.coarsened(links: table.links(of:))
        let write: @Sendable (any StoreTransaction) throws -> Results = { change in
            // The newest first: then it alone is written as the share's position.
            let results = try steps.reversed().map { step in
                (step: step, move: try step.take(in: change, now: now))
            }
            if let device { try change.sawDevice(device, of: user, at: now) }
            return results
        }
        let publish: @Sendable (Results) -> Void = { [table, announcer] results in
            for (step, move) in results where move == .moved {
                table.move(
                    step.share.messageId, to: step.position, recordedAt: step.recordedAt, updatedAt: now)
                for (link, cell) in step.movedLinks {
                    table.moveLink(link, of: step.share.messageId, to: cell)
                }
                announcer.locationUpdated(step, links: table.links(of: step.share.messageId))
            }
        }
        store.commit(write, urgency: .gathered, publish: publish, completion: completion)
    }

    /// The caller's shares that are on, newest first, each with how many people can see it.
    func activeShares(of user: UserId) throws -> [(share: SharedLocation, audience: Int)] {
        let now = clock()
        let shares = table.shares(of: user).reversed().map { $0.asSeen(at: now) }
        return try store.read { reader in
            try shares.filter(\.isLiveSharingActive).map { share in
                let links = table.links(of: share.messageId).count { $0.isAlive(at: now) }
                return (share, max(0, (try reader.channel(share.channelId)?.memberCount ?? 1) - 1) + links)
            }
        }
    }
}

extension FixOutcome {
    /// Adds what became of a step of one share.
    mutating func add(_ move: ShareMove, of id: MessageId) {
        switch move {
        case .moved: applied.append(id)
        case .older: skipped.append(.init(messageId: id, reason: .older))
        case .duplicate: skipped.append(.init(messageId: id, reason: .duplicate))
        case .ended: skipped.append(.init(messageId: id, reason: .ended))
        }
    }
}

extension FixOutcome.Reason {
    /// Why a share takes nothing of a fix; `nil` where the fix moves it or joins its trail.
    fileprivate init?(refusing verdict: FixVerdict) {
        switch verdict {
        case .apply, .older: return nil
        case .duplicate: self = .duplicate
        case .beforeStart: self = .beforeStart
        case .ended: self = .ended
        }
    }
}
