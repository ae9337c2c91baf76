import YonderModel
import YonderRules
import YonderStore

/// What became of a batch of fixes.
struct BatchOutcome: Encodable {
    /// Those that are well-formed.
    var accepted = 0
    /// Those that were new to some share.
    var applied = 0
    /// The others of the batch.
    var rejected: [FixBatch.Rejection]
}

extension LiveLocationService {
    /// Steps in one commit, so that others get their turn between those of a large batch.
    private static let stepsAtOnce = 1_000

    /// Moves the caller's shares by fixes recorded earlier: the newest moves the pin, the others join the trail.
    func apply(_ batch: FixBatch, by user: UserId) async throws -> BatchOutcome {
        let now = clock()
        var (steps, outcome) = try judge(batch, of: user, now: now)
        steps.sort { $0.recordedAt < $1.recordedAt }
        let device = batch.fixes.compactMap(\.report.deviceId).last
        if steps.isEmpty { noteSeen(device, of: user, now: now) }
        var counted = FixOutcome()
        var news: Set<Int> = []
        while !steps.isEmpty {
            // The newest first: they move the pin at once.
            let piece = Array(steps.suffix(Self.stepsAtOnce))
            steps.removeLast(piece.count)
            let results = try await withCheckedThrowingContinuation { caller in
                commit(piece, of: user, from: device, now: now) { caller.resume(with: $0) }
            }
            for (step, move) in results {
                counted.add(move, of: step.share.messageId)
                if move == .moved || move == .older { news.insert(step.index) }
            }
        }
        metrics.count(counted)
        outcome.applied = news.count
        return outcome
    }

    /// What each fix of a batch is to do, and which are wrong. Why a share takes nothing is not told of a batch.
    private func judge(
        _ batch: FixBatch, of user: UserId, now: Timestamp
    ) throws -> (steps: [ShareStep], outcome: BatchOutcome) {
        var outcome = BatchOutcome(rejected: batch.rejected)
        var steps: [ShareStep] = []
        for (index, report) in batch.fixes {
            do {
                let (taken, refused) = try judge(
                    report, for: try sharesFed(by: report, of: user), of: user, now: now)
                outcome.accepted += 1
                metrics.count(refused)
                for var step in taken {
                    step.index = index
                    steps.append(step)
                }
            } catch let error as WireError {
                outcome.rejected.append(.init(index: index, error))
            }
        }
        outcome.rejected.sort { $0.index < $1.index }
        return (steps, outcome)
    }
}
