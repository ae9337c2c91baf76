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

    /// One share's way to a new position.
    private struct Move: Sendable {
        let update: LocationUpdate
        let json: [UInt8]
    }

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
            let (moves, outcome, now) = try judge(report, by: user)
            guard !moves.isEmpty else { return settle(.success(outcome), answer) }
            commit(moves, of: user, from: report.deviceId, now: now) { result in
                settle(
                    result.map { applied, skipped in
                        FixOutcome(applied: applied, skipped: outcome.skipped + skipped)
                    }, answer)
            }
        } catch {
            answer(.failure(error))
        }
    }

    private func settle(
        _ result: Result<FixOutcome, any Error>, _ answer: (Result<FixOutcome, any Error>) -> Void
    ) {
        if case .success(let outcome) = result { metrics.count(outcome) }
        answer(result)
    }

    /// Which shares a fix moves, and what is said of the others.
    private func judge(
        _ report: FixReport, by user: UserId
    ) throws -> (moves: [Move], outcome: FixOutcome, now: Timestamp) {
        let now = clock()
        let fed = try sharesFed(by: report, of: user)
        var outcome = FixOutcome()
        if let wanted = report.messageIds {
            outcome.skipped = try skipped(Set(wanted).subtracting(fed.map(\.messageId)), of: user, by: report)
        }
        guard !fed.isEmpty else { return ([], outcome, now) }
        let correction = ClockCorrection(sentAt: report.sentAt, now: now)
        let measuredAt =
            report.recordedAt.map { correction.measured($0, arrival: now) }
            ?? table.arrivalTime(of: user, now: now)
        var moves: [Move] = []
        for share in fed {
            guard let lifetime = share.lifetime else { continue }
            let verdict = FixVerdict(
                measuredAt: measuredAt, lastMeasuredAt: share.recordedTime, lifetime: lifetime, now: now)
            if let reason = FixOutcome.Reason(verdict) {
                outcome.skipped.append(.init(messageId: share.messageId, reason: reason))
            } else {
                let update = LocationUpdate(
                    channelId: share.channelId, messageId: share.messageId, userId: user,
                    position: report.position, recordedTime: measuredAt)
                moves.append(Move(update: update, json: update.eventJSON()))
            }
        }
        return (moves, outcome, now)
    }

    /// The caller's shares that this fix is meant for.
    private func sharesFed(by report: FixReport, of user: UserId) throws -> [SharedLocation] {
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

    /// The shares that moved after all, and the others.
    private typealias Moved = (applied: [MessageId], skipped: [FixOutcome.Skipped])

    private func commit(
        _ moves: [Move], of user: UserId, from device: DeviceId?, now: Timestamp,
        completion: @escaping @Sendable (Result<Moved, any Error>) -> Void
    ) {
        let move: @Sendable (any StoreTransaction) throws -> Moved = { change in
            var applied: [MessageId] = []
            var skipped: [FixOutcome.Skipped] = []
            for move in moves {
                let id = move.update.messageId
                switch try change.moveShare(
                    id, to: move.update.position, recordedAt: move.update.recordedTime, updatedAt: now)
                {
                case .moved: applied.append(id)
                case .older: skipped.append(.init(messageId: id, reason: .older))
                case .duplicate: skipped.append(.init(messageId: id, reason: .duplicate))
                case .ended: skipped.append(.init(messageId: id, reason: .ended))
                }
            }
            if let device { try change.sawDevice(device, of: user, at: now) }
            return (applied, skipped)
        }
        let publish: @Sendable (Moved) -> Void = { [table, announcer] result in
            for move in moves where result.applied.contains(move.update.messageId) {
                let update = move.update
                table.move(
                    update.messageId, to: update.position, recordedAt: update.recordedTime, updatedAt: now)
                announcer.locationUpdated(update, json: move.json)
            }
        }
        store.commit(move, urgency: .gathered, publish: publish, completion: completion)
    }

    /// The caller's shares that are on, newest first, each with how many people can see it.
    func activeShares(of user: UserId) throws -> [(share: SharedLocation, audience: Int)] {
        let now = clock()
        let shares = table.shares(of: user).reversed().map { $0.asSeen(at: now) }
        return try store.read { reader in
            try shares.filter(\.isLiveSharingActive).map { share in
                (share, max(0, (try reader.channel(share.channelId)?.memberCount ?? 1) - 1))
            }
        }
    }
}

extension FixOutcome.Reason {
    /// Why a share does not move; `nil` where it does.
    init?(_ verdict: FixVerdict) {
        switch verdict {
        case .apply: return nil
        case .older: self = .older
        case .duplicate: self = .duplicate
        case .beforeStart: self = .beforeStart
        case .ended: self = .ended
        }
    }
}
