import Dispatch

/// What reads or writes much at once: one after another, on a thread of its own, so that a few large answers
/// neither hold up the small ones nor fill the memory together.
///
/// How many wait is bounded by the limits of those who ask.
struct SlowLane: Sendable {
    private let queue = DispatchQueue(label: "yonder.slow", qos: .utility)

    /// Runs `work` when its turn comes.
    ///
    /// - Returns: What it returns.
    /// - Throws: What it throws.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { caller in
            queue.async { caller.resume(with: Swift.Result(catching: work)) }
        }
    }
}
