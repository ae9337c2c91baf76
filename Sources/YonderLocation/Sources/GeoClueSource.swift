#if os(Linux)
    import Foundation
    import Synchronization
    import YonderGeo
    import YonderGeoClue
    import YonderModel

    /// A Linux desktop's location, by GeoClue 2: Wi-Fi, a modem, a receiver, as its user has allowed.
    ///
    /// Whether it is allowed shows only when it is asked for: until then the status is not determined. An app that was
    /// denied, or whose permission was taken back, hears when it is given again.
    public final class GeoClueSource: LocationSource {
        private struct State {
            var status = AuthorizationStatus.notDetermined
            /// Whether places are wanted, beyond the question whether they are allowed.
            var isWanted = false
            var client: GeoClueClient?
        }

        private let broadcast = LocationEventBroadcast()
        private let desktopId: String
        private let state = Mutex(State())

        /// Prepares to connect; nothing happens yet.
        ///
        /// - Parameter desktopId: The app's name as GeoClue knows it: that of its `.desktop` file, without the ending.
        public init(desktopId: String) { self.desktopId = desktopId }

        deinit { state.withLock { $0.client?.stop() } }

        public var authorization: AuthorizationStatus { state.withLock { $0.status } }
        public var events: AsyncStream<LocationSourceEvent> { broadcast.events() }

        public func requestAuthorization(_ request: AuthorizationRequest) { connect() }

        public func start(_ options: LocationOptions) {
            state.withLock { $0.isWanted = true }
            connect()
        }

        public func stop() {
            let client = state.withLock { state -> GeoClueClient? in
                state.isWanted = false
                // One that was allowed once is listened to for the permission that may come back.
                guard state.status.isAuthorized else { return nil }
                defer { state.client = nil }
                return state.client
            }
            client?.stop()
        }

        private func connect() {
            let client = state.withLock { state -> GeoClueClient? in
                guard state.client == nil else { return nil }
                let client = GeoClueClient(desktopId: desktopId) { [weak self] event in self?.handle(event) }
                state.client = client
                return client
            }
            guard let client else { return }
            let thread = Thread { [weak self] in
                client.run()
                self?.ended(client)
            }
            thread.name = "yonder-geoclue"
            thread.start()
        }

        private func ended(_ client: GeoClueClient) {
            state.withLock { state in
                if state.client === client { state.client = nil }
            }
        }

        private func handle(_ event: GeoClueEvent) {
            switch event {
            case .started, .active(true): become(.authorizedAlways)
            case .denied, .active(false): become(.denied)
            case .failed(let reason): broadcast.send(.failure(LocationError(.sourceFailed, reason)))
            case .place(let place):
                guard state.withLock({ $0.isWanted }), let fix = Fix(place) else { return }
                broadcast.send(.fix(fix))
            }
        }

        private func become(_ status: AuthorizationStatus) {
            let idle = state.withLock { state -> GeoClueClient? in
                state.status = status
                // Nobody wants more than the answer.
                guard status.isAuthorized, !state.isWanted else { return nil }
                defer { state.client = nil }
                return state.client
            }
            idle?.stop()
            broadcast.send(.authorization(status))
        }
    }

    extension Fix {
        /// A place of GeoClue's; one that it claims to know exactly is known to a metre.
        init?(_ place: GeoCluePlace) {
            guard let coordinate = Coordinate(latitude: place.latitude, longitude: place.longitude) else {
                return nil
            }
            self.init(
                coordinate: coordinate, horizontalAccuracy: max(1, place.accuracy), altitude: place.altitude,
                course: place.heading.map { $0 >= 360 ? 0 : $0 }, speed: place.speed,
                timestamp: Date(timeIntervalSince1970: place.time))
        }
    }
#endif
