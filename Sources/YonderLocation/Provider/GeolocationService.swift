import Synchronization
import YonderModel

/// Where the device is, and no more.
public struct GeoLocation: Hashable, Sendable {
    /// Degrees, in -90...90.
    public let latitude: Double
    /// Degrees, in -180...180.
    public let longitude: Double

    /// Creates it from degrees.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    init(_ fix: Fix) {
        self.init(latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude)
    }
}

/// Told what a ``GeolocationService`` finds, on the main actor.
@MainActor public protocol GeolocationServiceDelegate: AnyObject, Sendable {
    /// The device is here.
    func didFetchCurrentLocation(_ location: GeoLocation)
    /// It could not be found out; `error` says why.
    func fetchCurrentLocationFailed(error: LocationError)
}

/// Fetches where the device is, once; asks for the permission where that has to be.
///
/// It starts by itself, and each ``fetchCurrentLocation()`` is answered once: by a location, or by a failure with a
/// reason, never by silence. Its delegate is held weakly, and what runs is stopped when the service goes.
///
/// ```swift
/// let service = GeolocationService(delegate: self)
/// ```
public final class GeolocationService: Sendable {
    private struct Weak {
        weak var delegate: (any GeolocationServiceDelegate)?
        var work: Task<Void, Never>?
        /// By which the provider knows it, while it goes on and on.
        var follower: Int?
    }

    private let provider: LocationProvider
    private let timeout: Duration
    private let state: Mutex<Weak>

    /// Creates a service and fetches the location for the first time.
    ///
    /// - Parameters:
    ///   - delegate: Told what is found.
    ///   - source: Where locations come from; `nil` = the device's own. Default `nil`.
    ///   - timeout: How long one may take, from when it is allowed. Default 15 s.
    public convenience init(
        delegate: any GeolocationServiceDelegate, source: (any LocationSource)? = nil,
        timeout: Duration = .seconds(15)
    ) {
        self.init(
            delegate: delegate, provider: source.map { LocationProvider(source: $0) } ?? .shared,
            timeout: timeout)
    }

    /// The same over a provider that others use, too.
    public init(
        delegate: any GeolocationServiceDelegate, provider: LocationProvider,
        timeout: Duration = .seconds(15)
    ) {
        self.provider = provider
        self.timeout = timeout
        state = Mutex(Weak(delegate: delegate))
        fetchCurrentLocation()
    }

    deinit {
        state.withLock { $0.work?.cancel() }
        stopUpdatingLocation()
    }

    /// Fetches it again.
    public func fetchCurrentLocation() {
        let (provider, timeout) = (provider, timeout)
        let work = Task { [weak self] in
            let result: Result<Fix, LocationError>
            do throws(LocationError) {
                result = .success(try await provider.getCurrentLocation(timeout: timeout))
            } catch {
                result = .failure(error)
            }
            if !Task.isCancelled { await self?.tell(result) }
        }
        // One that is under way is answered as well: it is not cancelled by the next.
        state.withLock { $0.work = work }
    }

    /// Begins to tell each location until ``stopUpdatingLocation()``.
    public func startUpdatingLocation() {
        state.withLock { state in
            guard state.follower == nil else { return }
            state.follower = provider.follow { [weak self] fix in Task { await self?.tell(.success(fix)) } }
        }
    }

    /// Ends that.
    public func stopUpdatingLocation() {
        let follower = state.withLock { state in
            defer { state.follower = nil }
            return state.follower
        }
        if let follower { provider.unfollow(follower) }
    }

    @MainActor private func tell(_ result: Result<Fix, LocationError>) {
        guard let delegate = state.withLock({ $0.delegate }) else { return }
        switch result {
        case .success(let fix): delegate.didFetchCurrentLocation(GeoLocation(fix))
        case .failure(let error): delegate.fetchCurrentLocationFailed(error: error)
        }
    }
}
