import YonderModel
import YonderRules
import YonderStore

extension LiveLocationService {
    /// Moves the caller's shares by fixes recorded earlier: the newest moves the pin, the others join the trail.
    func apply(_ batch: FixBatch, by user: UserId) async throws -> BatchOutcome {
        let now = clock()
        var outcome = BatchOutcome(rejected: batch.rejected)
        var steps: [ShareStep] = []
        for (index, report) in batch.fixes {
            do {
                let judged = try judge(report, of: user, now: now)
                outcome.accepted += 1
                metrics.count(judged.outcome)
                steps += judged.steps.map { step in
                    var step = step
                    step.index = index
                    return step
                }
            } catch let error as WireError {
                outcome.rejected.append(.init(index: index, error))
            }
        }
        outcome.rejected.sort { $0.index < $1.index }
        guard !steps.isEmpty else { return outcome }
        let device = batch.fixes.compactMap(\.report.deviceId).last
        let results = try await withCheckedThrowingContinuation { caller in
            commit(steps.inOrderOfTime(), of: user, from: device, now: now) { caller.resume(with: $0) }
        }
        var counted = FixOutcome()
        for (step, move) in results { counted.add(move, of: step.share.messageId) }
        metrics.count(counted)
        outcome.applied =
            Set(results.filter { $0.move == .moved || $0.move == .older }.map(\.step.index)).count
        return outcome
    }
}

/// What became of a batch of fixes.
struct BatchOutcome: Encodable {
    /// Those that are well-formed.
    var accepted = 0
    /// Those that were new to some share.
    var applied = 0
    /// The others of the batch.
    var rejected: [FixBatch.Rejection]
}
