import Synchronization
public import YonderModel

/// A source that does what it is told: for tests, previews and places that do not move.
public final class ManualSource: LocationSource {
    private struct State {
        var authorization: AuthorizationStatus
        var accuracyAuthorization: AccuracyAuthorization
        var servicesEnabled: Bool
        var options: LocationOptions?
        var requests: [AuthorizationRequest] = []
    }

    private let broadcast = LocationEventBroadcast()
    private let state: Mutex<State>

    /// Creates one.
    ///
    /// - Parameters:
    ///   - authorization: What it says at first. Default `.authorizedAlways`.
    ///   - accuracy: How finely it is allowed. Default `.full`.
    ///   - servicesEnabled: Whether location is switched on. Default `true`.
    public init(
        authorization: AuthorizationStatus = .authorizedAlways, accuracy: AccuracyAuthorization = .full,
        servicesEnabled: Bool = true
    ) {
        state = Mutex(
            State(
                authorization: authorization, accuracyAuthorization: accuracy,
                servicesEnabled: servicesEnabled))
    }

    public var authorization: AuthorizationStatus { state.withLock { $0.authorization } }
    public var accuracyAuthorization: AccuracyAuthorization { state.withLock { $0.accuracyAuthorization } }
    public var servicesEnabled: Bool { state.withLock { $0.servicesEnabled } }
    /// Whether somebody has started it.
    public var isRunning: Bool { options != nil }
    /// What it was started with; `nil` while it does not run.
    public var options: LocationOptions? { state.withLock { $0.options } }
    /// What it was asked to ask for, in order.
    public var authorizationRequests: [AuthorizationRequest] { state.withLock { $0.requests } }
    public var events: AsyncStream<LocationSourceEvent> { broadcast.events() }

    public func requestAuthorization(_ request: AuthorizationRequest) {
        state.withLock { $0.requests.append(request) }
    }

    public func start(_ options: LocationOptions) { state.withLock { $0.options = options } }
    public func stop() { state.withLock { $0.options = nil } }

    /// Says where the device is; nothing while it does not run.
    public func send(_ fix: Fix) {
        if isRunning { broadcast.send(.fix(fix)) }
    }

    /// Says which way the device faces; nothing while it does not run.
    public func send(_ heading: Heading) {
        if isRunning { broadcast.send(.heading(heading)) }
    }

    /// Says that something failed.
    public func fail(_ code: LocationError.Code) {
        broadcast.send(.failure(LocationError(code, "the source says \(code.word)")))
    }

    /// Answers for the user, or changes the settings.
    public func setAuthorization(_ status: AuthorizationStatus) {
        state.withLock { $0.authorization = status }
        broadcast.send(.authorization(status))
    }

    /// Switches location on or off.
    public func setServicesEnabled(_ isEnabled: Bool) {
        state.withLock { $0.servicesEnabled = isEnabled }
        broadcast.send(.authorization(authorization))
    }
}
