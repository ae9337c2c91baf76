import Foundation
import Synchronization
public import YonderModel

/// Knows where the device is: permission, one fix, or one after the other, from whatever source there is.
///
/// The source runs only while somebody listens. Every call may come from any thread.
///
/// ```swift
/// LocationProvider.shared.didUpdateLocation = { me.updateLiveLocation(LocationInfo($0)) }
/// LocationProvider.shared.startMonitoringLocation()
/// let here = try await LocationProvider.shared.getCurrentLocation()
/// ```
public final class LocationProvider: Sendable {
    /// The device's own: Core Location on Apple platforms, gpsd on this machine elsewhere.
    public static let shared = LocationProvider(source: defaultSource())

    private typealias Answer = @Sendable (Result<Fix, LocationError>) -> Void

    private struct State {
        var machine: ProviderMachine
        var options = LocationOptions()
        var nextRequest = 0
        var answers: [ProviderMachine.RequestId: Answer] = [:]
        var didUpdateLocation: (@Sendable (Fix) -> Void)?
        /// Whether the app itself monitors, beside the followers.
        var isMonitored = false
        var followers: [Int: @Sendable (Fix) -> Void] = [:]
        var didFail: (@Sendable (LocationError) -> Void)?
        var request = AuthorizationRequest.whenInUse
        var timer: Task<Void, Never>?
    }

    /// Where its fixes come from.
    public let source: any LocationSource

    private let state: Mutex<State>
    private let listening = Mutex<Task<Void, Never>?>(nil)

    /// Creates a provider over a source, which nobody else starts or stops.
    public init(source: any LocationSource) {
        self.source = source
        state = Mutex(
            State(
                machine: ProviderMachine(
                    authorization: source.authorization, servicesEnabled: source.servicesEnabled)))
        let events = source.events
        listening.withLock { task in
            task = Task { [weak self] in
                for await event in events {
                    guard let self else { return }
                    self.handle(event)
                }
            }
        }
    }

    deinit {
        listening.withLock { $0?.cancel() }
        state.withLock { $0.timer?.cancel() }
        source.stop()
    }

    private static func defaultSource() -> any LocationSource {
        #if canImport(CoreLocation)
            CoreLocationSource()
        #else
            GPSDSource()
        #endif
    }

    // MARK: Permission

    /// Whether the app may know where the device is.
    public var authorizationStatus: AuthorizationStatus { source.authorization }
    /// How finely.
    public var accuracyAuthorization: AccuracyAuthorization { source.accuracyAuthorization }
    /// Whether location is switched on on this device.
    public var servicesEnabled: Bool { source.servicesEnabled }

    /// Asks the user for the permission; where they have been asked already, nothing comes of it but on the step from
    /// when-in-use to always.
    public func requestAuthorization(_ request: AuthorizationRequest = .whenInUse) {
        state.withLock { $0.request = request }
        source.requestAuthorization(request)
    }

    // MARK: Settings

    /// Metres that are good enough for ``getCurrentLocation(timeout:maximumAge:)`` to answer at once, and beyond which
    /// fixes of ``didUpdateLocation`` are left out while better ones come; `nil` = any. Default `nil`.
    public var desiredAccuracy: Double? {
        get { state.withLock { $0.machine.desiredAccuracy } }
        set {
            state.withLock { state in
                state.machine.desiredAccuracy = newValue
                state.machine.filter.limits.accuracy = newValue
                state.options.desiredAccuracy = newValue
            }
        }
    }

    /// Metres that have to lie between two fixes of ``didUpdateLocation``; `nil` = any. Default `nil`.
    public var distanceFilter: Double? {
        get { state.withLock { $0.machine.filter.limits.distance } }
        set {
            state.withLock { state in
                state.machine.filter.limits.distance = newValue
                state.options.distanceFilter = newValue
            }
        }
    }

    /// Whether it goes on with the app in the background; on Linux it always does. Default `false`.
    public var allowsBackgroundLocationUpdates: Bool {
        get { state.withLock { $0.options.allowsBackgroundLocationUpdates } }
        set { state.withLock { $0.options.allowsBackgroundLocationUpdates = newValue } }
    }

    // MARK: One after the other

    /// Told every good fix while it is monitored, in the order in which they were measured; on no thread in particular.
    public var didUpdateLocation: (@Sendable (Fix) -> Void)? {
        get { state.withLock { $0.didUpdateLocation } }
        set { state.withLock { $0.didUpdateLocation = newValue } }
    }

    /// Told what fails meanwhile. A passing failure ends nothing.
    public var didFailWithError: (@Sendable (LocationError) -> Void)? {
        get { state.withLock { $0.didFail } }
        set { state.withLock { $0.didFail = newValue } }
    }

    /// Begins to monitor; where nobody has been asked for the permission yet, they are. Twice is once.
    public func startMonitoringLocation() {
        apply { state in
            state.isMonitored = true
            return state.machine.startMonitoring()
        }
    }

    /// Ends that; when it is not monitored, nothing happens.
    public func stopMonitoringLocation() {
        apply { state in
            state.isMonitored = false
            return state.followers.isEmpty ? state.machine.stopMonitoring() : []
        }
    }

    /// Whether it is monitored.
    public var isMonitoringLocation: Bool { state.withLock { $0.isMonitored } }

    /// Tells one more every good fix, whatever the app itself monitors.
    ///
    /// - Returns: A number to end that by.
    func follow(_ tell: @escaping @Sendable (Fix) -> Void) -> Int {
        let id = nextId()
        apply { state in
            state.followers[id] = tell
            return state.machine.startMonitoring()
        }
        return id
    }

    func unfollow(_ id: Int) {
        apply { state in
            state.followers[id] = nil
            return state.followers.isEmpty && !state.isMonitored ? state.machine.stopMonitoring() : []
        }
    }

    // MARK: One

    /// Where the device is now: the first fix that is as good as ``desiredAccuracy``, else the best one that has come
    /// when the time is over.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait, from when it is allowed. Default 15 s.
    ///   - maximumAge: How old a fix may be that is known already. Default 0: a new one is measured.
    /// - Returns: The fix.
    /// - Throws: `LocationError`: `.denied`, `.restricted`, `.servicesDisabled`; `.timeout` where none came in time;
    ///   `.cancelled` where the task was cancelled.
    public func getCurrentLocation(
        timeout: Duration = .seconds(15), maximumAge: Duration = .zero
    ) async throws(LocationError) -> Fix {
        let id = nextId()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(id, timeout, maximumAge) { continuation.resume(returning: $0) }
                if Task.isCancelled { apply { $0.machine.cancel(id) } }
            }
        } onCancel: {
            apply { $0.machine.cancel(id) }
        }
        return try result.get()
    }

    /// Where the device is now; see ``getCurrentLocation(timeout:maximumAge:)``.
    public func getCurrentLocation(
        timeout: Duration = .seconds(15), maximumAge: Duration = .zero,
        completion: @escaping @MainActor @Sendable (Result<Fix, LocationError>) -> Void
    ) {
        begin(nextId(), timeout, maximumAge) { result in Task { @MainActor in completion(result) } }
    }

    private func nextId() -> ProviderMachine.RequestId {
        state.withLock { state in
            state.nextRequest += 1
            return state.nextRequest
        }
    }

    private func begin(
        _ id: ProviderMachine.RequestId, _ timeout: Duration, _ maximumAge: Duration,
        _ answer: @escaping Answer
    ) {
        apply { state in
            state.answers[id] = answer
            return state.machine.request(
                id, timeout: timeout.seconds, maximumAge: maximumAge.seconds, now: Self.now)
        }
    }

    // MARK: The machine

    private static var now: Double { Date().timeIntervalSince1970 }

    private func handle(_ event: LocationSourceEvent) {
        switch event {
        case .fix(let fix): apply { $0.machine.fix(fix, now: Self.now) }
        case .heading: break
        case .authorization(let status):
            let isEnabled = source.servicesEnabled
            apply { $0.machine.authorizationChanged(to: status, servicesEnabled: isEnabled, now: Self.now) }
        case .failure(let error): apply { $0.machine.failed(error) }
        case .ended:
            apply { state in
                (state.isMonitored, state.followers) = (false, [:])
                return state.machine.ended()
            }
        }
    }

    /// Runs the machine and does what it says: sources are told under the lock, in order; callers outside of it.
    private func apply(_ step: (inout State) -> [ProviderMachine.Action]) {
        let told = state.withLock { state -> [@Sendable () -> Void] in
            var told: [@Sendable () -> Void] = []
            for action in step(&state) {
                switch action {
                case .ask: source.requestAuthorization(state.request)
                case .startSource: source.start(state.options)
                case .stopSource: source.stop()
                case .deliver(let fix):
                    if state.isMonitored, let tell = state.didUpdateLocation { told.append { tell(fix) } }
                    for tell in state.followers.values { told.append { tell(fix) } }
                case .report(let error):
                    if let tell = state.didFail { told.append { tell(error) } }
                case .answer(let id, let result):
                    if let answer = state.answers.removeValue(forKey: id) { told.append { answer(result) } }
                }
            }
            setTimer(&state)
            return told
        }
        for tell in told { tell() }
    }

    private func setTimer(_ state: inout State) {
        state.timer?.cancel()
        state.timer = nil
        guard let deadline = state.machine.nextDeadline else { return }
        let wait = max(0, deadline - Self.now)
        state.timer = Task { [weak self] in
            guard (try? await Task.sleep(for: .seconds(wait))) != nil else { return }
            self?.apply { $0.machine.tick(now: max(Self.now, deadline)) }
        }
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
