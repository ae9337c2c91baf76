/// Everything that outlives the process: one atomic change at a time, and reads.
///
/// A store is made by the composition root, shared by all services, and closed
/// last. All writes of the server go through ``commit(_:publish:)``.
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
    /// Cancelling the caller's task does not withdraw the change.
    ///
    /// - Parameters:
    ///   - change: The writes; its value is the result.
    ///   - publish: Told the result once it is durable; never called otherwise.
    /// - Returns: What `change` returned.
    /// - Throws: What `change` threw; `StoreError` with code `.unavailable` for the whole
    ///   group if the commit failed, `.busy` if 10,000 changes wait, `.closed` after ``close()``.
    func commit<Result: Sendable>(
        _ change: @escaping @Sendable (any StoreTransaction) throws -> Result,
        publish: @escaping @Sendable (Result) -> Void
    ) async throws -> Result

    /// Reads from one consistent snapshot of what is committed, on the caller's thread.
    ///
    /// - Precondition: The reader is not used after `body` has returned.
    /// - Throws: What `body` threw, or `StoreError`.
    func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result

    /// Finishes the changes that wait, then closes; later calls throw `.closed`.
    func close() async
}

extension Store {
    /// Commits a change that nobody needs to hear of.
    package func commit<Result: Sendable>(
        _ change: @escaping @Sendable (any StoreTransaction) throws -> Result
    ) async throws -> Result {
        try await commit(change, publish: { _ in })
    }
}
