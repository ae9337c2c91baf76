/// Everything that outlives the process: one atomic change at a time, and reads.
///
/// A store is made by the composition root, shared by all services, and closed
/// last. All writes of the server go through ``commit(_:urgency:publish:completion:)``.
package protocol Store: Sendable {
    /// Commits one atomic change, durably, in a group with whatever else waits.
    ///
    /// `change` runs exactly once, on the writer's thread, and sees its own writes
    /// and those of the changes before it. It must not block. What it throws is
    /// rethrown as it is, after its own writes alone have been undone.
    ///
    /// After the commit has succeeded, `publish` of every change of the group
    /// runs on the writer's thread, in the order of the changes, each before its
    /// caller is resumed: what is published is never lost and never out of order.
    /// It must be quick and must not call the store.
    ///
    /// - Parameters:
    ///   - change: The writes; its value is the result.
    ///   - urgency: Whether it may wait a little for others.
    ///   - publish: Told the result once it is durable; never called otherwise.
    ///   - completion: Called once, after `publish`, mostly on the writer's thread, with what `change`
    ///     returned or threw; or a `StoreError` with code `.unavailable` for the whole group if the
    ///     commit failed, `.busy` if 10,000 changes wait, `.closed` after ``close()``. As `publish`, it
    ///     must be quick and must not call the store.
    func commit<Result: Sendable>(
        _ change: @escaping @Sendable (any StoreTransaction) throws -> Result, urgency: CommitUrgency,
        publish: @escaping @Sendable (Result) -> Void,
        completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
    )

    /// Reads from one consistent snapshot of what is committed, on the caller's thread.
    ///
    /// - Precondition: The reader is not used after `body` has returned.
    /// - Throws: What `body` threw, or `StoreError`.
    func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result

    /// Finishes the changes that wait, then closes; later calls throw `.closed`.
    func close() async
}

/// How soon a change has to be durable.
package enum CommitUrgency: Sendable {
    /// As soon as the writer is free.
    case prompt
    /// Where the last commit was just now, a few milliseconds may pass until more have come: a commit
    /// costs the same for many as for one.
    case gathered
}

extension Store {
    /// Commits a change as ``commit(_:urgency:publish:completion:)`` does.
    ///
    /// Cancelling the caller's task does not withdraw the change.
    ///
    /// - Returns: What `change` returned.
    /// - Throws: What `change` threw, or `StoreError`.
    package func commit<Result: Sendable>(
        _ change: @escaping @Sendable (any StoreTransaction) throws -> Result,
        urgency: CommitUrgency = .prompt, publish: @escaping @Sendable (Result) -> Void
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { caller in
            commit(change, urgency: urgency, publish: publish) { caller.resume(with: $0) }
        }
    }

    /// Commits a change that nobody needs to hear of.
    package func commit<Result: Sendable>(
        _ change: @escaping @Sendable (any StoreTransaction) throws -> Result
    ) async throws -> Result {
        try await commit(change, publish: { _ in })
    }
}
