public import YonderModel

/// How much a source is asked for.
public struct LocationOptions: Hashable, Sendable {
    /// Metres that are good enough; a source may save energy by it. `nil` = as good as it can. Default `nil`.
    public var desiredAccuracy: Double?
    /// Metres that the device has to move before a new fix is worth telling; `nil` = any. Default `nil`.
    public var distanceFilter: Double?
    /// Whether it goes on while the app is not seen. Default `false`.
    public var allowsBackgroundLocationUpdates: Bool

    /// Creates options; what is not given has its default.
    public init(
        desiredAccuracy: Double? = nil, distanceFilter: Double? = nil,
        allowsBackgroundLocationUpdates: Bool = false
    ) {
        self.desiredAccuracy = desiredAccuracy
        self.distanceFilter = distanceFilter
        self.allowsBackgroundLocationUpdates = allowsBackgroundLocationUpdates
    }
}

/// What a source has to say.
public enum LocationSourceEvent: Hashable, Sendable {
    case fix(Fix)
    case heading(Heading)
    /// Whether the app may know is another than it was.
    case authorization(AuthorizationStatus)
    /// Something failed. The source goes on trying unless ``ended`` follows.
    case failure(LocationError)
    /// It has no more to give until it is started again.
    case ended
}

/// Where fixes come from: a receiver, a file that is replayed, a test.
///
/// A source is started and stopped by whoever owns it, from any thread, as often as they like. Starting what runs and
/// stopping what does not is nothing.
public protocol LocationSource: AnyObject, Sendable {
    /// Whether the app may know where the device is.
    var authorization: AuthorizationStatus { get }
    /// How finely.
    var accuracyAuthorization: AccuracyAuthorization { get }
    /// Whether location is switched on on this device.
    var servicesEnabled: Bool { get }

    /// Asks the user, where nobody has been asked yet; the answer is an event.
    func requestAuthorization(_ request: AuthorizationRequest)

    /// Begins to deliver.
    func start(_ options: LocationOptions)

    /// Ends that.
    func stop()

    /// Everything it says, in order, from now on. Each call is a stream of its own, for one reader; one that is slow
    /// loses the oldest of 1,024, never the newest.
    var events: AsyncStream<LocationSourceEvent> { get }
}

extension LocationSource {
    public var accuracyAuthorization: AccuracyAuthorization { .full }
    public var servicesEnabled: Bool { true }
    public func requestAuthorization(_ request: AuthorizationRequest) {}

    /// Begins to deliver, as good as it can.
    public func start() { start(LocationOptions()) }

    /// The fixes from now on, in the order in which they were measured, to the source's end.
    public var fixes: AsyncStream<Fix> { stream { if case .fix(let fix) = $0 { fix } else { nil } } }

    /// The headings from now on, to the source's end.
    public var headings: AsyncStream<Heading> {
        stream { if case .heading(let heading) = $0 { heading } else { nil } }
    }

    /// The changes of ``authorization`` from now on.
    public var authorizationChanges: AsyncStream<AuthorizationStatus> {
        stream { if case .authorization(let status) = $0 { status } else { nil } }
    }

    private func stream<Element: Sendable>(
        _ view: @escaping @Sendable (LocationSourceEvent) -> Element?
    ) -> AsyncStream<Element> {
        let events = events
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(1_024))
        let work = Task {
            for await event in events {
                if case .ended = event { break }
                if let element = view(event) { continuation.yield(element) }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in work.cancel() }
        return stream
    }
}
