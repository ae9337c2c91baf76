public import YonderModel

/// Told every event of the server, on the main actor.
@MainActor public protocol EventsControllerDelegate: AnyObject, Sendable {
    /// The server has sent an event; what it changes is known already.
    func eventsController(_ controller: EventsController, didReceiveEvent event: ServerEvent)
}

/// Every event that the server sends. Made by ``ChatClient/eventsController()``.
public final class EventsController: Sendable {
    /// The client that made it.
    public let client: ChatClient

    private let observer = Observer<any EventsControllerDelegate>()

    init(client: ChatClient) { self.client = client }

    /// Told every event from now on; held weakly.
    public var delegate: (any EventsControllerDelegate)? {
        get { observer.delegate }
        set {
            let events = client.hub.events()
            observer.set(newValue) {
                Task { @MainActor [weak self] in
                    for await received in events {
                        guard !Task.isCancelled, let self, let delegate else { return }
                        delegate.eventsController(self, didReceiveEvent: received.event)
                    }
                }
            }
        }
    }

    /// The events from now on, over all reconnections, none twice.
    ///
    /// Each call is a sequence of its own, for one reader. A reader that is 10,000 events behind loses the
    /// oldest.
    public var events: some AsyncSequence<ServerEvent, Never> & Sendable { received.map { $0.event } }

    /// The same with the JSON as it was received.
    package var received: AsyncStream<ReceivedEvent> { client.hub.events() }
}
