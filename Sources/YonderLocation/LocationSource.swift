public import YonderModel

/// Where fixes come from: a receiver, a file that is replayed, a test.
///
/// A source is started and stopped by whoever owns it, from any thread. Starting what runs and
/// stopping what does not is nothing.
public protocol LocationSource: AnyObject, Sendable {
    /// The fixes in the order in which they were measured; for one reader.
    ///
    /// Ends when the source has no more to give or was stopped. A reader that is slow loses the oldest
    /// of them, never the newest.
    var fixes: AsyncStream<Fix> { get }

    /// Begins to deliver fixes.
    func start()

    /// Ends ``fixes``.
    func stop()
}
