import Synchronization

/// A change on its way: run, then either published or failed, each at most once.
protocol PendingChange: AnyObject, Sendable {
    var urgency: CommitUrgency { get }
    /// Runs the change and keeps what comes of it.
    ///
    /// - Returns: Whether it succeeded; if not, its writes are to be undone.
    func run(in transaction: any StoreTransaction) -> Bool
    /// Publishes and returns the result to the caller, or rethrows the change's own error.
    func finish()
    /// Tells the caller that nothing was written.
    func fail(_ error: StoreError)
}

/// The one kind of pending change, for each type of result.
final class PendingCommit<Value: Sendable>: PendingChange {
    let urgency: CommitUrgency
    private let change: @Sendable (any StoreTransaction) throws -> Value
    private let publish: @Sendable (Value) -> Void
    private let completion: @Sendable (Result<Value, any Error>) -> Void
    /// Used on the writer's thread alone; the lock costs nothing and satisfies the compiler.
    private let outcome = Mutex<Result<Value, any Error>?>(nil)

    init(
        change: @escaping @Sendable (any StoreTransaction) throws -> Value, urgency: CommitUrgency,
        publish: @escaping @Sendable (Value) -> Void,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.change = change
        self.urgency = urgency
        self.publish = publish
        self.completion = completion
    }

    func run(in transaction: any StoreTransaction) -> Bool {
        do {
            let value = try change(transaction)
            outcome.withLock { $0 = .success(value) }
            return true
        } catch {
            outcome.withLock { $0 = .failure(error) }
            return false
        }
    }

    func finish() {
        guard let outcome = outcome.withLock({ $0 }) else {
            preconditionFailure("a change was finished before it had run")
        }
        if case .success(let value) = outcome { publish(value) }
        completion(outcome)
    }

    func fail(_ error: StoreError) { completion(.failure(error)) }
}
