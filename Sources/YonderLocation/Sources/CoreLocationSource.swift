#if canImport(CoreLocation)
    public import CoreLocation
    import Foundation
    import Synchronization
    public import YonderModel

    /// The device's own location, by Core Location.
    ///
    /// `@unchecked Sendable`: `manager` is touched on the main thread alone, where its delegate is told, too; the rest
    /// is guarded by a `Mutex`.
    public final class CoreLocationSource: NSObject, LocationSource, @unchecked Sendable {
        private struct Known {
            var authorization = AuthorizationStatus.notDetermined
            var accuracy = AccuracyAuthorization.full
        }

        private let broadcast = LocationEventBroadcast()
        private let known = Mutex(Known())
        private var manager: CLLocationManager?

        /// Prepares; nothing is asked for or started yet.
        public override init() {
            super.init()
            onMain { _ in }
        }

        public var authorization: AuthorizationStatus { known.withLock { $0.authorization } }
        public var accuracyAuthorization: AccuracyAuthorization { known.withLock { $0.accuracy } }
        public var events: AsyncStream<LocationSourceEvent> { broadcast.events() }

        public func requestAuthorization(_ request: AuthorizationRequest) {
            onMain { source in
                switch request {
                case .whenInUse: source.manager?.requestWhenInUseAuthorization()
                case .always: source.manager?.requestAlwaysAuthorization()
                }
            }
        }

        public func start(_ options: LocationOptions) {
            onMain { source in
                guard let manager = source.manager else { return }
                manager.desiredAccuracy = options.desiredAccuracy ?? kCLLocationAccuracyBest
                manager.distanceFilter = options.distanceFilter ?? kCLDistanceFilterNone
                #if os(iOS)
                    manager.allowsBackgroundLocationUpdates = options.allowsBackgroundLocationUpdates
                    manager.showsBackgroundLocationIndicator = options.allowsBackgroundLocationUpdates
                    manager.pausesLocationUpdatesAutomatically = !options.allowsBackgroundLocationUpdates
                    if options.allowsBackgroundLocationUpdates {
                        // Brings the app back where the system has ended it.
                        manager.startMonitoringSignificantLocationChanges()
                    }
                    manager.startUpdatingHeading()
                #endif
                manager.startUpdatingLocation()
            }
        }

        public func stop() {
            onMain { source in
                source.manager?.stopUpdatingLocation()
                #if os(iOS)
                    source.manager?.stopUpdatingHeading()
                    source.manager?.stopMonitoringSignificantLocationChanges()
                #endif
            }
        }

        /// Runs something where the manager lives; the first time it is made.
        private func onMain(_ body: @escaping @Sendable (CoreLocationSource) -> Void) {
            DispatchQueue.main.async { [self] in
                if manager == nil {
                    manager = CLLocationManager()
                    // Tells the status at once.
                    manager?.delegate = self
                }
                body(self)
            }
        }
    }

    extension CoreLocationSource: CLLocationManagerDelegate {
        public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
            let status = AuthorizationStatus(manager.authorizationStatus)
            let accuracy: AccuracyAuthorization =
                manager.accuracyAuthorization == .reducedAccuracy ? .reduced : .full
            known.withLock { $0 = Known(authorization: status, accuracy: accuracy) }
            broadcast.send(.authorization(status))
        }

        public func locationManager(_: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
            for location in locations {
                if let fix = Fix(location) { broadcast.send(.fix(fix)) }
            }
        }

        public func locationManager(_: CLLocationManager, didUpdateHeading heading: CLHeading) {
            guard heading.headingAccuracy >= 0 else { return }
            let isTrue = heading.trueHeading >= 0
            broadcast.send(
                .heading(
                    Heading(
                        degrees: isTrue ? heading.trueHeading : heading.magneticHeading,
                        accuracy: heading.headingAccuracy > 0 ? heading.headingAccuracy : nil,
                        reference: isTrue ? .trueNorth : .magneticNorth, timestamp: heading.timestamp)))
        }

        public func locationManager(_: CLLocationManager, didFailWithError error: any Error) {
            let failure: LocationError
            switch (error as? CLError)?.code {
            case .denied: failure = .denied
            case .locationUnknown, .network: failure = .positionUnavailable
            default:
                failure = LocationError(.sourceFailed, "Core Location has failed", underlying: error)
            }
            broadcast.send(.failure(failure))
        }
    }

    extension AuthorizationStatus {
        /// Core Location's word for it; one of a newer system is called not determined.
        public init(_ status: CLAuthorizationStatus) {
            switch status {
            case .restricted: self = .restricted
            case .denied: self = .denied
            case .authorizedAlways: self = .authorizedAlways
            case .authorizedWhenInUse: self = .authorizedWhenInUse
            default: self = .notDetermined
            }
        }
    }

    extension Fix {
        /// What Core Location has measured; `nil` where it has no place. Negative values mean unknown.
        public init?(_ location: CLLocation) {
            guard location.horizontalAccuracy >= 0,
                let coordinate = Coordinate(
                    latitude: location.coordinate.latitude, longitude: location.coordinate.longitude)
            else { return nil }
            func known(_ value: Double) -> Double? { value >= 0 ? value : nil }
            self.init(
                coordinate: coordinate,
                horizontalAccuracy: location.horizontalAccuracy > 0 ? location.horizontalAccuracy : nil,
                altitude: location.verticalAccuracy > 0 ? location.altitude : nil,
                verticalAccuracy: location.verticalAccuracy > 0 ? location.verticalAccuracy : nil,
                course: known(location.course), speed: known(location.speed), timestamp: location.timestamp,
                isSimulated: location.sourceInformation?.isSimulatedBySoftware ?? false)
        }
    }
#endif
