import Foundation
import Synchronization
import Testing
import YonderGeo
import YonderModel
import YonderTestSupport

@testable import YonderLocation

private func fix(
    _ latitude: Double = 60, _ longitude: Double = 25, at time: Double, accuracy: Double? = 5,
    speed: Double? = nil,
    course: Double? = nil
) -> Fix {
    Fix(
        coordinate: Coordinate(latitude: latitude, longitude: longitude)!, horizontalAccuracy: accuracy,
        course: course, speed: speed, timestamp: Date(timeIntervalSince1970: time))
}

struct FixFilterTests {
    private func verdicts(_ fixes: [Fix], limits: FixFilter.Limits = .init(), now: Double? = nil) -> [String]
    {
        var filter = FixFilter()
        filter.limits = limits
        return fixes.map { fix in
            switch filter.judge(fix, now: now ?? fix.timestamp.timeIntervalSince1970) {
            case .accepted: "ok"
            case .rejected(let reason): reason.rawValue
            }
        }
    }

    @Test func `a place that nobody has measured is none`() {
        #expect(
            verdicts([fix(0, 0, at: 0, accuracy: nil), fix(0, 0, at: 1, accuracy: 0)]) == [
                "nowhere", "nowhere",
            ])
        #expect(verdicts([fix(0, 0, at: 0, accuracy: 10)]) == ["ok"])
        #expect(verdicts([fix(1, 1, at: 0, accuracy: -1)]) == ["nowhere"])
    }

    @Test func `an old fix, and one that is not newer than the last, are left out`() {
        #expect(verdicts([fix(at: 0)], now: 31) == ["stale"])
        #expect(
            verdicts([fix(at: 10), fix(60.00001, at: 10), fix(60.00001, at: 9), fix(at: 11)]) == [
                "ok", "repeated", "repeated", "ok",
            ])
    }

    @Test func `a vague fix counts only where no better one has come for a while`() {
        var limits = FixFilter.Limits()
        limits.accuracy = 50
        let fixes = [
            fix(at: 0, accuracy: 500), fix(at: 1, accuracy: 20), fix(at: 5, accuracy: 500),
            fix(at: 11, accuracy: 500),
        ]
        #expect(verdicts(fixes, limits: limits) == ["vague", "ok", "vague", "ok"])
    }

    @Test func `a jump is left out until enough fixes agree that it was none`() {
        // Two kilometres in a second; then the receiver stays there: it was in a tunnel, and is right now.
        let fixes = [
            fix(60, at: 0), fix(60.02, at: 1), fix(60, at: 2), fix(60.02, at: 3), fix(60.02, at: 4),
            fix(60.02, at: 5),
        ]
        #expect(verdicts(fixes) == ["ok", "outlier", "ok", "outlier", "outlier", "ok"])
        // Jumps that do not agree with one another are never believed.
        let wild = (1...20).map { fix(60 + Double($0 % 5), at: Double($0)) }
        #expect(verdicts([fix(50, at: 0)] + wild).dropFirst().allSatisfy { $0 == "outlier" })
    }

    @Test func `a vague fix may lie far off as far as it is vague`() {
        #expect(
            verdicts([fix(60, at: 0, accuracy: 1_500), fix(60.02, at: 1, accuracy: 1_000)]) == ["ok", "ok"])
    }

    @Test func `the distance filter leaves out what is near`() {
        var limits = FixFilter.Limits()
        limits.distance = 10
        #expect(
            verdicts([fix(60, at: 0), fix(60.00005, at: 1), fix(60.0001, at: 2)], limits: limits) == [
                "ok", "near", "ok",
            ])
    }

    @Test func `who stands keeps the course of the last movement, north is a course like any other`() {
        var filter = FixFilter()
        let courses = [
            fix(at: 0, speed: 0.2, course: 200), fix(60.0001, at: 1, speed: 5, course: 0),
            fix(60.0001, at: 2, speed: 0.3, course: 77), fix(60.0002, at: 3, speed: 5, course: 90),
        ].map { fix -> Double? in
            guard case .accepted(let fix) = filter.judge(fix, now: fix.timestamp.timeIntervalSince1970) else {
                return -1
            }
            return fix.course
        }
        #expect(courses == [nil, 0, 0, 90])
    }
}

struct ProviderMachineTests {
    private static func machine(
        _ status: AuthorizationStatus = .authorizedWhenInUse, services: Bool = true
    ) -> ProviderMachine {
        ProviderMachine(authorization: status, servicesEnabled: services)
    }

    @Test func `a request starts the source, the first good fix answers it, and the source stops`() {
        var machine = Self.machine()
        machine.desiredAccuracy = 10
        #expect(machine.request(1, timeout: 15, maximumAge: 0, now: 0) == [.startSource])
        #expect(machine.fix(fix(at: 1, accuracy: 100), now: 1) == [])
        let good = fix(at: 2, accuracy: 8)
        #expect(machine.fix(good, now: 2) == [.answer(1, .success(good)), .stopSource])
        #expect(machine.tick(now: 100) == [])
    }

    @Test func `at the timeout the best that has come is the answer, else the timeout`() {
        var machine = Self.machine()
        machine.desiredAccuracy = 10
        _ = machine.request(1, timeout: 15, maximumAge: 0, now: 0)
        let better = fix(at: 2, accuracy: 40)
        _ = machine.fix(fix(at: 1, accuracy: 100), now: 1)
        _ = machine.fix(better, now: 2)
        _ = machine.fix(fix(at: 3, accuracy: 90), now: 3)
        #expect(machine.nextDeadline == 15)
        #expect(machine.tick(now: 15) == [.answer(1, .success(better)), .stopSource])
        _ = machine.request(2, timeout: 5, maximumAge: 0, now: 20)
        _ = machine.failed(.positionUnavailable)
        #expect(machine.tick(now: 25) == [.answer(2, .failure(.timeout)), .stopSource])
    }

    @Test func `a fix that is known already answers only where it is young and good enough`() {
        var machine = Self.machine()
        machine.desiredAccuracy = 10
        _ = machine.startMonitoring()
        let known = fix(at: 100, accuracy: 8)
        #expect(machine.fix(known, now: 100) == [.deliver(known)])
        #expect(machine.request(1, timeout: 5, maximumAge: 10, now: 105) == [.answer(1, .success(known))])
        #expect(machine.request(2, timeout: 5, maximumAge: 4, now: 105) == [])
        #expect(machine.request(3, timeout: 5, maximumAge: 0, now: 105) == [])
        machine.desiredAccuracy = 5
        #expect(machine.request(4, timeout: 5, maximumAge: 60, now: 105) == [])
        #expect(machine.pendingRequests == 3)
    }

    /// Every way in which the permission can stand or come: what one request is answered, and when.
    @Test(
        arguments: [
            (.denied, true, [], .denied), (.restricted, true, [], .restricted),
            (.authorizedAlways, false, [], .servicesDisabled), (.notDetermined, false, [], .servicesDisabled),
            (.notDetermined, true, [.denied], .denied), (.notDetermined, true, [.restricted], .restricted),
            (.notDetermined, true, [.notDetermined], .denied),
            (.authorizedWhenInUse, true, [.denied], .denied),
            (.authorizedWhenInUse, true, [.authorizedAlways], .timeout),
            (.notDetermined, true, [.authorizedWhenInUse], .timeout),
            (.notDetermined, true, [.authorizedWhenInUse, .denied], .denied),
        ] as [(AuthorizationStatus, Bool, [AuthorizationStatus], LocationError.Code)])
    func `each request is answered once in every path`(
        _ first: AuthorizationStatus, _ services: Bool, _ changes: [AuthorizationStatus],
        _ code: LocationError.Code
    ) {
        var machine = Self.machine(first, services: services)
        var actions = machine.request(1, timeout: 10, maximumAge: 0, now: 0)
        actions += machine.request(2, timeout: 10, maximumAge: 0, now: 0)
        #expect(actions.count { $0 == .ask } == (first == .notDetermined && services ? 1 : 0))
        for status in changes {
            actions += machine.authorizationChanged(to: status, servicesEnabled: services, now: 5)
        }
        actions += machine.tick(now: 14)
        actions += machine.tick(now: 15)
        actions += machine.tick(now: 100)
        let answers = actions.compactMap { action -> (Int, LocationError.Code?)? in
            guard case .answer(let id, let result) = action else { return nil }
            if case .failure(let error) = result { return (id, error.code) }
            return (id, nil)
        }
        #expect(answers.map(\.0).sorted() == [1, 2])
        #expect(answers.allSatisfy { $0.1 == code })
        #expect(!machine.isSourceOn && machine.pendingRequests == 0)
    }

    @Test func `where all that came was too old, the reason says of when it was`() {
        var machine = Self.machine()
        _ = machine.request(1, timeout: 15, maximumAge: 0, now: 1_000)
        _ = machine.request(2, timeout: 5, maximumAge: 0, now: 1_000)
        #expect(machine.fix(fix(at: 0, accuracy: 5), now: 1_000) == [])
        let reason = LocationError(.outdated, "the newest one is of 1970-01-01T00:00:00Z, too long ago")
        guard case .answer(2, .failure(let late))? = machine.tick(now: 1_005).first else {
            Issue.record("request 2 was not answered")
            return
        }
        #expect(late == .timeout && late.underlying as? LocationError == reason)
        #expect(machine.ended() == [.answer(1, .failure(reason))])
    }

    @Test func `a passing failure ends neither monitoring nor a request, and denial does not end the wish`() {
        var machine = Self.machine()
        _ = machine.startMonitoring()
        #expect(machine.startMonitoring() == [])
        #expect(machine.failed(.positionUnavailable) == [.report(.positionUnavailable)])
        #expect(machine.isSourceOn)
        #expect(machine.authorizationChanged(to: .denied, servicesEnabled: true, now: 0) == [.stopSource])
        #expect(
            machine.authorizationChanged(to: .authorizedAlways, servicesEnabled: true, now: 1) == [
                .startSource
            ])
        #expect(machine.stopMonitoring() == [.stopSource])
        #expect(machine.stopMonitoring() == [])
    }

    /// Whatever comes, in whatever order.
    @Test(arguments: 0..<10)
    func `the source is on exactly while somebody listens and it is allowed`(_ seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        for _ in 0..<1_000 {
            var machine = Self.machine(
                .allCases.randomElement(using: &random)!, services: Bool.random(using: &random))
            var isOn = false
            var (asked, answered): (Set<Int>, [Int]) = ([], [])
            var (now, nextId) = (0.0, 0)
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                now += Double.random(in: 0...8, using: &random)
                let actions: [ProviderMachine.Action]
                switch Int.random(in: 0..<9, using: &random) {
                case 0: actions = machine.startMonitoring()
                case 1: actions = machine.stopMonitoring()
                case 2:
                    nextId += 1
                    asked.insert(nextId)
                    actions = machine.request(
                        nextId, timeout: Double.random(in: 0...10, using: &random),
                        maximumAge: Double.random(in: 0...5, using: &random), now: now)
                case 3: actions = machine.cancel(Int.random(in: 0...max(1, nextId), using: &random))
                case 4:
                    actions = machine.authorizationChanged(
                        to: .allCases.randomElement(using: &random)!,
                        servicesEnabled: Int.random(in: 0..<5, using: &random) > 0, now: now)
                case 5: actions = machine.failed(.positionUnavailable)
                case 6: actions = machine.tick(now: now)
                default:
                    actions = machine.fix(
                        fix(
                            Double.random(in: 59...60, using: &random), at: now,
                            accuracy: Double.random(in: 1...99, using: &random)),
                        now: now)
                }
                for action in actions {
                    switch action {
                    case .startSource:
                        #expect(!isOn)
                        isOn = true
                    case .stopSource:
                        #expect(isOn)
                        isOn = false
                    case .answer(let id, _): answered.append(id)
                    case .deliver: #expect(machine.isMonitoring && machine.authorization.isAuthorized)
                    case .ask, .report: break
                    }
                }
                let isWanted =
                    machine.isListenedTo && machine.authorization.isAuthorized && machine.servicesEnabled
                #expect(isOn == isWanted && machine.isSourceOn == isWanted)
            }
            _ = machine.stopMonitoring()
            for action in machine.authorizationChanged(to: .denied, servicesEnabled: true, now: now) {
                if case .answer(let id, _) = action { answered.append(id) }
            }
            #expect(answered.sorted() == asked.sorted())
        }
    }
}

struct LocationProviderTests {
    private static func now(_ latitude: Double, accuracy: Double = 5) -> Fix {
        Fix(
            coordinate: Coordinate(latitude: latitude, longitude: 25)!, horizontalAccuracy: accuracy,
            timestamp: .now)
    }

    @Test func `a single fix is measured and the source rests before and after`() async throws {
        let source = ManualSource()
        let provider = LocationProvider(source: source)
        #expect(!source.isRunning)
        let asking = Task { try await provider.getCurrentLocation() }
        while !source.isRunning { try await Task.sleep(for: .milliseconds(2)) }
        source.send(Self.now(60))
        #expect(try await asking.value.coordinate.latitude == 60)
        #expect(!source.isRunning)
        let known = try await provider.getCurrentLocation(maximumAge: .seconds(60))
        #expect(known.coordinate.latitude == 60)
    }

    @Test func `a request that is cancelled or too long is answered, and the source stops`() async throws {
        let source = ManualSource()
        let provider = LocationProvider(source: source)
        let late = await #expect(throws: LocationError.self) {
            try await provider.getCurrentLocation(timeout: .milliseconds(50))
        }
        #expect(late?.code == .timeout)
        let asking = Task { try await provider.getCurrentLocation() }
        while !source.isRunning { try await Task.sleep(for: .milliseconds(2)) }
        asking.cancel()
        let cancelled = await #expect(throws: LocationError.self) { try await asking.value }
        #expect(cancelled?.code == .cancelled)
        #expect(!source.isRunning)
        let before = Task { () throws -> Fix in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await provider.getCurrentLocation()
        }
        let early = await #expect(throws: LocationError.self) { try await before.value }
        #expect(early?.code == .cancelled && !source.isRunning)
    }

    @Test func `monitoring tells every good fix, asks once, and survives a permission that comes and goes`()
        async throws
    {
        let source = ManualSource(authorization: .notDetermined)
        let provider = LocationProvider(source: source)
        let log = LocationLog()
        provider.didUpdateLocation = { fix in log.add(fix.coordinate.latitude) }
        provider.startMonitoringLocation()
        provider.startMonitoringLocation()
        let asking = Task { try await provider.getCurrentLocation() }
        try await Task.sleep(for: .milliseconds(20))
        #expect(source.authorizationRequests == [.whenInUse])
        #expect(!source.isRunning)
        source.setAuthorization(.authorizedWhenInUse)
        while !source.isRunning { try await Task.sleep(for: .milliseconds(2)) }
        source.send(Self.now(60))
        #expect(try await asking.value.coordinate.latitude == 60)
        source.setAuthorization(.denied)
        while source.isRunning { try await Task.sleep(for: .milliseconds(2)) }
        let denied = await #expect(throws: LocationError.self) { try await provider.getCurrentLocation() }
        #expect(denied?.code == .denied)
        source.setAuthorization(.authorizedAlways)
        while !source.isRunning { try await Task.sleep(for: .milliseconds(2)) }
        source.fail(.positionUnavailable)
        source.send(Self.now(60.00001))
        while log.latitudes.count < 2 { try await Task.sleep(for: .milliseconds(2)) }
        provider.stopMonitoringLocation()
        #expect(!source.isRunning)
        source.send(Self.now(60.00002))
        try await Task.sleep(for: .milliseconds(20))
        #expect(log.latitudes == [60, 60.00001])
    }

    final class LocationLog: Sendable {
        private let list = Mutex<[Double]>([])
        var latitudes: [Double] { list.withLock { $0 } }
        func add(_ latitude: Double) { list.withLock { $0.append(latitude) } }
    }

    @MainActor final class Told: GeolocationServiceDelegate {
        private(set) var locations: [GeoLocation] = []
        private(set) var errors: [LocationError.Code] = []

        func didFetchCurrentLocation(_ location: GeoLocation) { locations.append(location) }
        func fetchCurrentLocationFailed(error: LocationError) { errors.append(error.code) }
    }

    @Test @MainActor func `the small service asks, fetches by itself, again, and on and on`() async throws {
        let source = ManualSource(authorization: .notDetermined)
        let told = Told()
        let service = GeolocationService(delegate: told, source: source)
        while source.authorizationRequests.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        source.setAuthorization(.authorizedWhenInUse)
        while !source.isRunning { try await Task.sleep(for: .milliseconds(2)) }
        source.send(Self.now(1))
        while told.locations.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        #expect(told.locations == [GeoLocation(latitude: 1, longitude: 25)])
        service.fetchCurrentLocation()
        while !source.isRunning { try await Task.sleep(for: .milliseconds(2)) }
        source.send(Self.now(1.00001))
        while told.locations.count < 2 { try await Task.sleep(for: .milliseconds(2)) }
        service.startUpdatingLocation()
        for step in 2...4 { source.send(Self.now(1.00001 + Double(step) / 1_000_000)) }
        while told.locations.count < 5 { try await Task.sleep(for: .milliseconds(2)) }
        service.stopUpdatingLocation()
        #expect(!source.isRunning && told.errors == [])
    }

    @Test(
        arguments: [
            (.denied, true, .denied), (.restricted, true, .restricted),
            (.authorizedAlways, false, .servicesDisabled),
        ] as [(AuthorizationStatus, Bool, LocationError.Code)])
    @MainActor func `the small service says why there is nothing`(
        _ status: AuthorizationStatus, _ services: Bool, _ code: LocationError.Code
    ) async throws {
        let told = Told()
        let service = GeolocationService(
            delegate: told, source: ManualSource(authorization: status, servicesEnabled: services))
        while told.errors.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        #expect(told.errors == [code])
        withExtendedLifetime(service) {}
    }

    @Test @MainActor func `the small service leaves the app's own monitoring as it is`() async throws {
        let source = ManualSource()
        let provider = LocationProvider(source: source)
        let log = LocationLog()
        provider.didUpdateLocation = { fix in log.add(fix.coordinate.latitude) }
        provider.startMonitoringLocation()
        let told = Told()
        let service = GeolocationService(delegate: told, provider: provider)
        service.startUpdatingLocation()
        source.send(Self.now(1))
        while log.latitudes.isEmpty || told.locations.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        service.stopUpdatingLocation()
        #expect(source.isRunning && provider.isMonitoringLocation)
        source.send(Self.now(1.00001))
        while log.latitudes.count < 2 { try await Task.sleep(for: .milliseconds(2)) }
        provider.stopMonitoringLocation()
        #expect(!source.isRunning)
    }

    @Test @MainActor func `the small service stops its source when it goes`() async throws {
        let source = ManualSource()
        let told = Told()
        var service: GeolocationService? = GeolocationService(delegate: told, source: source)
        service?.startUpdatingLocation()
        while !source.isRunning { try await Task.sleep(for: .milliseconds(2)) }
        service = nil
        let end = ContinuousClock.now + .seconds(5)
        while source.isRunning, .now < end { try await Task.sleep(for: .milliseconds(2)) }
        #expect(!source.isRunning)
    }
}
