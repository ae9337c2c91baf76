import YonderModel

/// Tells events to whoever reads them: what every source tells its readers by.
public final class LocationEventBroadcast: Sendable {
    private let broadcast = Broadcast<LocationSourceEvent>(maxWaiting: 1_024)

    /// Creates one that nobody reads yet.
    public init() {}

    /// Tells all readers.
    public func send(_ event: LocationSourceEvent) { broadcast.send(event) }

    /// What is told from now on, for one reader; one that is 1,024 events behind loses the oldest.
    public func events() -> AsyncStream<LocationSourceEvent> { broadcast.stream() }
}
