#if os(Linux)
    import CSystemd
    import Glibc
    import Synchronization

    /// A place as GeoClue tells it, with its own words for unknown taken out.
    public struct GeoCluePlace: Hashable, Sendable {
        /// Degrees.
        public var latitude: Double
        /// Degrees.
        public var longitude: Double
        /// Metres; 0 where GeoClue claims to know it exactly.
        public var accuracy: Double
        /// Metres; `nil` = unknown.
        public var altitude: Double?
        /// Metres a second; `nil` = unknown.
        public var speed: Double?
        /// Degrees; `nil` = unknown. May be a compass's.
        public var heading: Double?
        /// Seconds since 1970.
        public var time: Double
    }

    /// What a client of GeoClue has to say.
    public enum GeoClueEvent: Hashable, Sendable {
        /// It is allowed, and places follow.
        case started
        /// Whoever answers for the user has said no.
        case denied
        /// It was allowed, and is no more; or is again.
        case active(Bool)
        case place(GeoCluePlace)
        /// There is no GeoClue, or it has gone; in words.
        case failed(String)
    }

    /// One client of GeoClue's on the system's bus. Each ``run()`` is one life of it, on the caller's thread.
    public final class GeoClueClient: Sendable {
        private static let service = "org.freedesktop.GeoClue2"
        private static let client = "org.freedesktop.GeoClue2.Client"
        private static let location = "org.freedesktop.GeoClue2.Location"

        private let desktopId: String
        private let tell: @Sendable (GeoClueEvent) -> Void
        private let waker: Mutex<(read: Int32, write: Int32)>

        /// Prepares a client.
        ///
        /// - Parameters:
        ///   - desktopId: The app's name, without `.desktop`: what the user is asked about.
        ///   - tell: Told everything, on the thread of ``run()``.
        public init(desktopId: String, tell: @escaping @Sendable (GeoClueEvent) -> Void) {
            self.desktopId = desktopId
            self.tell = tell
            var ends: [Int32] = [-1, -1]
            pipe(&ends)
            waker = Mutex((ends[0], ends[1]))
        }

        deinit {
            waker.withLock { ends in
                close(ends.read)
                if ends.write >= 0 { close(ends.write) }
            }
        }

        /// Ends ``run()``, at once or as soon as GeoClue has answered.
        public func stop() {
            waker.withLock { ends in
                if ends.write >= 0 { close(ends.write) }
                ends.write = -1
            }
        }

        private var isStopped: Bool { waker.withLock { $0.write < 0 } }

        /// Connects, starts, and tells places until it is stopped or fails.
        public func run() {
            var opened: OpaquePointer?
            guard sd_bus_open_system(&opened) >= 0, let bus = opened else {
                return tell(.failed("there is no system bus"))
            }
            defer { sd_bus_flush_close_unref(bus) }
            guard let path = makeClient(bus) else { return }
            guard !isStopped else { return }
            let isWatched =
                yonder_bus_match(bus, "type='signal',sender='\(Self.service)',path='\(path)'") >= 0
            guard isWatched, start(bus, path) else { return }
            tell(.started)
            listen(bus, path)
            _ = yonder_bus_call(bus, Self.service, path, Self.client, "Stop", nil, nil)
        }

        private func makeClient(_ bus: OpaquePointer) -> String? {
            var reply: OpaquePointer?
            defer { sd_bus_message_unref(reply) }
            var path: UnsafePointer<CChar>?
            guard
                yonder_bus_call(
                    bus, Self.service, "/org/freedesktop/GeoClue2/Manager", "\(Self.service).Manager",
                    "GetClient",
                    nil, &reply) >= 0, yonder_bus_read_path(reply, &path) >= 0, let path
            else {
                tell(.failed("GeoClue does not answer"))
                return nil
            }
            let name = String(cString: path)
            // Without the app's name nothing is allowed; 8 is "exact".
            guard yonder_bus_set_text(bus, Self.service, name, Self.client, "DesktopId", desktopId) >= 0,
                yonder_bus_set_number(bus, Self.service, name, Self.client, "RequestedAccuracyLevel", 8) >= 0
            else {
                tell(.failed("GeoClue refuses its settings"))
                return nil
            }
            return name
        }

        private func start(_ bus: OpaquePointer, _ path: String) -> Bool {
            var error = sd_bus_error()
            defer { sd_bus_error_free(&error) }
            if yonder_bus_call(bus, Self.service, path, Self.client, "Start", &error, nil) >= 0 {
                return true
            }
            let name = error.name.map { String(cString: $0) } ?? ""
            tell(name.hasSuffix(".AccessDenied") ? .denied : .failed("GeoClue does not start"))
            return false
        }

        private func listen(_ bus: OpaquePointer, _ path: String) {
            var isActive = true
            while true {
                var message: OpaquePointer?
                let status = sd_bus_process(bus, &message)
                guard status >= 0 else { return tell(.failed("the system bus has gone")) }
                if let message {
                    handle(message, bus, path, &isActive)
                    sd_bus_message_unref(message)
                }
                if status > 0 { continue }
                var entries = [
                    pollfd(fd: waker.withLock { $0.read }, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: sd_bus_get_fd(bus), events: Int16(sd_bus_get_events(bus)), revents: 0),
                ]
                _ = poll(&entries, 2, 1_000)
                if entries[0].revents != 0 || isStopped { return }
            }
        }

        private func handle(
            _ message: OpaquePointer, _ bus: OpaquePointer, _ path: String, _ isActive: inout Bool
        ) {
            if sd_bus_message_is_signal(message, Self.client, "LocationUpdated") > 0 {
                var (old, new): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
                guard yonder_bus_read_paths(message, &old, &new) >= 0, let new,
                    let place = place(bus, String(cString: new))
                else { return }
                tell(.place(place))
            } else if sd_bus_message_is_signal(
                message, "org.freedesktop.DBus.Properties", "PropertiesChanged") > 0
            {
                var flag: Int32 = 0
                guard yonder_bus_get_flag(bus, Self.service, path, Self.client, "Active", &flag) >= 0 else {
                    return
                }
                guard isActive != (flag != 0) else { return }
                isActive = flag != 0
                tell(.active(isActive))
            }
        }

        private func place(_ bus: OpaquePointer, _ path: String) -> GeoCluePlace? {
            func number(_ name: String) -> Double? {
                var value = 0.0
                return yonder_bus_get_number(bus, Self.service, path, Self.location, name, &value) >= 0
                    ? value : nil
            }
            var (seconds, microseconds): (UInt64, UInt64) = (0, 0)
            guard let latitude = number("Latitude"), let longitude = number("Longitude"),
                let accuracy = number("Accuracy"),
                yonder_bus_get_time(
                    bus, Self.service, path, Self.location, "Timestamp", &seconds, &microseconds) >= 0
            else { return nil }
            func known(_ name: String, from least: Double) -> Double? {
                number(name).flatMap { $0 >= least ? $0 : nil }
            }
            return GeoCluePlace(
                latitude: latitude, longitude: longitude, accuracy: accuracy,
                // Unknown is the least number there is.
                altitude: known("Altitude", from: -1e6), speed: known("Speed", from: 0),
                heading: known("Heading", from: 0), time: Double(seconds) + Double(microseconds) / 1e6)
        }
    }
#endif
