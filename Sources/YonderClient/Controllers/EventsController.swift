public import YonderModel

/// Every event that the server sends. Made by ``ChatClient/eventsController()``.
public final class EventsController: Sendable {
    /// The client that made it.
    public let client: ChatClient

    init(client: ChatClient) { self.client = client }

    /// The events from now on, over all reconnections, none twice.
    ///
    /// Each call is a sequence of its own, for one reader. A reader that is 10,000 events behind loses the
    /// oldest.
    public var events: some AsyncSequence<ServerEvent, Never> & Sendable { received.map { $0.event } }

    /// The same with the JSON as it was received.
    package var received: AsyncStream<ReceivedEvent> { client.hub.events() }
}
