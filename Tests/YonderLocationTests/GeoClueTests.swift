import Foundation
import Glibc
import Synchronization
import Testing
import YonderModel
import YonderTestSupport

@testable import YonderLocation

/// A real GeoClue on a bus of its own, which a pretended receiver feeds and a pretended user answers.
private final class RealGeoClue {
    let folder: URL
    private var processes: [ChildProcess] = []
    private let feeder: NMEASocket

    private static let daemon = "/usr/libexec/geoclue"

    /// - Throws: `Missing` where there is no GeoClue on this machine.
    init(userSays answer: String) async throws {
        // Short: a socket's path has little room.
        folder = URL(fileURLWithPath: "/tmp/yonder-gc-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        feeder = try NMEASocket(at: folder.appending(path: "nmea").path())
        guard FileManager.default.isExecutableFile(atPath: Self.daemon) else { throw Missing() }
        try write("bus.conf", Self.bus(folder.path()))
        try FileManager.default.createDirectory(
            at: folder.appending(path: "etc"), withIntermediateDirectories: true)
        try write("etc/geoclue.conf", Self.configuration(folder.path()))
        let environment = ["DBUS_SYSTEM_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"]
        try run("/usr/bin/dbus-daemon", ["--config-file=\(folder.path())/bus.conf", "--nofork"], environment)
        try await waitForFile("bus")
        // Its configuration has a place of its own alone: that is made another one for it.
        try run(
            "/usr/bin/unshare",
            [
                "-rm", "/bin/sh", "-c",
                "mount --bind \(folder.path())/etc /etc/geoclue && exec \(Self.daemon)",
            ], environment)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "geoclue_agent.py")
        let agent = try run(
            "/usr/bin/python3", [script.path(), answer, folder.path() + "/level"], environment)
        let end = ContinuousClock.now + .seconds(15)
        while !agent.text.contains("ready"), .now < end { try await Task.sleep(for: .milliseconds(20)) }
        #expect(agent.text.contains("ready"), "\(agent.problemText)")
        setenv("DBUS_SYSTEM_BUS_ADDRESS", address, 1)
    }

    struct Missing: Error {}

    private var address: String { "unix:path=\(folder.path())/bus" }

    /// The user changes the settings: 8 = exactly, 0 = not at all.
    func allow(level: Int) throws { try write("level", "\(level)\n") }

    func end() async {
        for process in processes.reversed() {
            process.send(SIGKILL)
            _ = await process.status()
        }
        feeder.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    @discardableResult
    private func run(_ program: String, _ arguments: [String], _ environment: [String: String]) throws
        -> ChildProcess
    {
        let process = try ChildProcess(URL(filePath: program), arguments, environment: environment)
        processes.append(process)
        return process
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    private func waitForFile(_ name: String) async throws {
        let end = ContinuousClock.now + .seconds(10)
        while !FileManager.default.fileExists(atPath: folder.appending(path: name).path()), .now < end {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private static func bus(_ folder: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig><type>system</type><listen>unix:path=\(folder)/bus</listen><auth>EXTERNAL</auth>
        <policy context="default"><allow user="*"/><allow own="*"/><allow send_type="method_call"/>
        <allow send_type="signal"/><allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>
        """
    }

    private static func configuration(_ folder: String) -> String {
        """
        [agent]
        whitelist=yonder-test-agent
        [network-nmea]
        enable=true
        nmea-socket=\(folder)/nmea
        [3g]
        enable=false
        [cdma]
        enable=false
        [modem-gps]
        enable=false
        [wifi]
        enable=false
        submit-data=false
        submission-nick=geoclue
        [compass]
        enable=false
        """
    }
}

/// A socket at which each caller hears a receiver that goes north, a step every second.
private final class NMEASocket: Sendable {
    private let listener: Int32

    init(at path: String) throws {
        let fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard bound, listen(fd, 4) == 0 else { throw POSIXError(.EADDRINUSE) }
        chmod(path, 0o777)
        listener = fd
        Thread.detachNewThread {
            while true {
                let caller = accept(fd, nil, nil)
                guard caller >= 0 else { return }
                Thread.detachNewThread { Self.speak(to: caller) }
            }
        }
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func speak(to caller: Int32) {
        for step in 0..<120 {
            let time = Int(Date().timeIntervalSince1970) % 86_400
            let clock = String(format: "%02d%02d%02d", time / 3_600, time / 60 % 60, time % 60)
            let body = String(
                format: "GPGGA,%@,6000.%04d,N,02500.0000,E,1,08,1.5,12,M,18,M,,", clock, step * 10)
            let sum = String(format: "%02X", Int(body.utf8.reduce(0, ^)))
            let bytes = Array("$\(body)*\(sum)\r\n".utf8)
            guard send(caller, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { break }
            usleep(500_000)
        }
        close(caller)
    }
}

/// One after another: the bus's address is the process's.
@Suite(.serialized) struct GeoClueTests {
    private static func with(_ answer: String, _ body: (RealGeoClue) async throws -> Void) async throws {
        do {
            let geoclue = try await RealGeoClue(userSays: answer)
            do {
                try await body(geoclue)
            } catch {
                await geoclue.end()
                throw error
            }
            await geoclue.end()
        } catch is RealGeoClue.Missing {
            print("skipped: GeoClue is missing")
            #expect(ProcessInfo.processInfo.environment["CI"] != "true", "GeoClue is missing")
        }
    }

    private static func wait(_ what: Comment, until isSo: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while !isSo() {
            guard .now < end else {
                Issue.record(what)
                return
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    final class Places: Sendable {
        private let list = Mutex<[Fix]>([])
        var all: [Fix] { list.withLock { $0 } }
        func add(_ fix: Fix) { list.withLock { $0.append(fix) } }
    }

    @Test
    func
        `a permission that is given brings places, one taken back ends them, and one given again brings more`()
        async throws
    {
        try await Self.with("allow") { geoclue in
            let source = GeoClueSource(desktopId: "yonder")
            #expect(source.authorization == .notDetermined)
            let provider = LocationProvider(source: source)
            let places = Places()
            provider.didUpdateLocation = { places.add($0) }
            provider.startMonitoringLocation()
            try await Self.wait("places") { places.all.count >= 3 }
            #expect(source.authorization == .authorizedAlways)
            for place in places.all {
                #expect(
                    abs(place.coordinate.latitude - 60) < 0.01 && abs(place.coordinate.longitude - 25) < 1e-6)
                #expect(place.horizontalAccuracy.map { $0 >= 1 } == true)
                #expect(abs(place.timestamp.timeIntervalSinceNow) < 60)
            }
            let latitudes = places.all.map(\.coordinate.latitude)
            #expect(zip(latitudes, latitudes.dropFirst()).allSatisfy { $0 < $1 })

            try geoclue.allow(level: 0)
            try await Self.wait("the permission is taken back") { source.authorization == .denied }
            try await Task.sleep(for: .milliseconds(300))
            let count = places.all.count
            try await Task.sleep(for: .milliseconds(1_500))
            #expect(places.all.count == count)
            let refused = await #expect(throws: LocationError.self) {
                try await provider.getCurrentLocation()
            }
            #expect(refused?.code == .denied)

            try geoclue.allow(level: 8)
            try await Self.wait("more places") { places.all.count > count }
            #expect(source.authorization == .authorizedAlways)
            provider.stopMonitoringLocation()
        }
    }

    @Test func `a permission that is refused is an answer at once`() async throws {
        try await Self.with("deny") { _ in
            let provider = LocationProvider(source: GeoClueSource(desktopId: "yonder"))
            let refused = await #expect(throws: LocationError.self) {
                try await provider.getCurrentLocation(timeout: .seconds(10))
            }
            #expect(refused?.code == .denied)
            #expect(provider.authorizationStatus == .denied)
        }
    }

    @Test func `one place is fetched, and GeoClue is let go`() async throws {
        try await Self.with("allow") { _ in
            let provider = LocationProvider(source: GeoClueSource(desktopId: "yonder"))
            let fix = try await provider.getCurrentLocation(timeout: .seconds(20))
            #expect(abs(fix.coordinate.latitude - 60) < 0.01)
        }
    }
}
