import Foundation
import Glibc
import Synchronization
import Testing
import YonderModel
import YonderRules
import YonderTestSupport

@testable import YonderLocation

struct GPSDTests {
    final class Seen: Sendable {
        private let list = Mutex<[LocationSourceEvent]>([])
        private let work = Mutex<Task<Void, Never>?>(nil)

        init(_ source: any LocationSource) {
            let events = source.events
            work.withLock { work in
                work = Task { [weak self] in
                    for await event in events { self?.list.withLock { $0.append(event) } }
                }
            }
        }

        deinit { work.withLock { $0?.cancel() } }

        var fixes: [Fix] {
            list.withLock { list in
                list.compactMap { event in
                    if case .fix(let fix) = event { fix } else { nil }
                }
            }
        }

        var failures: [LocationError.Code] {
            list.withLock { list in
                list.compactMap { event in
                    if case .failure(let error) = event { error.code } else { nil }
                }
            }
        }
    }

    /// Where everything is set up, gpsd is there.
    private func expectGPSD() {
        #expect(ProcessInfo.processInfo.environment["CI"] != "true", "gpsd is missing")
    }

    private static func wait(_ what: Comment, for seconds: Int = 20, until isSo: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while !isSo() {
            guard .now < end else {
                Issue.record(what)
                return
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// A receiver that moves a little north with each word.
    private static func drive(_ receiver: PretendReceiver, steps: Range<Int>) async throws -> [Double] {
        var told: [Double] = []
        for step in steps {
            let latitude = 60 + Double(step) / 10_000
            receiver.say((latitude, 25), at: .now)
            told.append(latitude)
            try await Task.sleep(for: .milliseconds(250))
        }
        return told
    }

    @Test func `a real gpsd's fixes come, stop with the satellites, and come back with a new gpsd`()
        async throws
    {
        let receiver = try PretendReceiver()
        guard let gpsd = try RealGPSD.start(on: receiver) else { return expectGPSD() }
        let source = GPSDSource(port: gpsd.port)
        let seen = Seen(source)
        source.start()
        let told = try await Self.drive(receiver, steps: 0..<16)
        try await Self.wait("fixes") { seen.fixes.count >= 8 }
        for fix in seen.fixes {
            let nearest = told.map { abs($0 - fix.coordinate.latitude) }.min() ?? 1
            #expect(nearest < 1e-6 && abs(fix.coordinate.longitude - 25) < 1e-6)
            #expect(abs(fix.timestamp.timeIntervalSinceNow) < 60)
            #expect(abs((fix.speed ?? 0) - 5.144) < 0.01 && fix.course == 45)
        }
        let times = seen.fixes.map(\.timestamp)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })

        // The satellites are lost: that is said once, and no fix is repeated.
        for _ in 0..<8 {
            receiver.say(nil, at: .now)
            try await Task.sleep(for: .milliseconds(250))
        }
        try await Self.wait("the loss") { seen.failures.contains(.positionUnavailable) }
        let count = seen.fixes.count
        try await Task.sleep(for: .milliseconds(500))
        #expect(seen.fixes.count == count)

        // gpsd goes, and another one comes on the same port.
        gpsd.process.send(SIGKILL)
        _ = await gpsd.process.status()
        try await Self.wait("the end of gpsd") { seen.failures.contains(.sourceFailed) }
        guard let next = try RealGPSD.start(on: receiver, port: gpsd.port) else { return expectGPSD() }
        let end = ContinuousClock.now + .seconds(25)
        var step = 100
        while seen.fixes.count == count, .now < end {
            receiver.say((60 + Double(step) / 10_000, 25), at: .now)
            step += 1
            try await Task.sleep(for: .milliseconds(250))
        }
        #expect(seen.fixes.count > count)
        source.stop()
        next.process.send(SIGKILL)
        _ = await next.process.status()
    }

    @Test func `nobody at gpsd's port is a failure that is told, and stopping is at once`() async throws {
        let source = GPSDSource(port: try LoopbackPort.free())
        let seen = Seen(source)
        source.start()
        source.start()
        try await Self.wait("the failure") { !seen.failures.isEmpty }
        #expect(seen.failures.first == .sourceFailed)
        source.stop()
        source.stop()
    }

    @Test func `a line of NMEA is read from a serial device, and the last moment without delay`() async throws
    {
        let receiver = try PretendReceiver()
        let source = NMEASource(path: receiver.path, baud: 9_600)
        let seen = Seen(source)
        source.start()
        try await Task.sleep(for: .milliseconds(100))
        for step in 0..<5 {
            receiver.say(
                (60 + Double(step) / 10_000, 25),
                at: Date(timeIntervalSince1970: 1_900_000_000 + Double(step)))
            try await Self.wait("fix \(step)", for: 3) { seen.fixes.count == step + 1 }
        }
        #expect(
            seen.fixes.map { ($0.coordinate.latitude * 10_000).rounded() } == [
                600_000, 600_001, 600_002, 600_003, 600_004,
            ])
        #expect(seen.fixes.first?.horizontalAccuracy == 0.9 * 19)
        source.stop()
        // Started again it begins anew.
        source.start()
        try await Task.sleep(for: .milliseconds(100))
        receiver.say((61, 25), at: Date(timeIntervalSince1970: 1_900_000_100))
        try await Self.wait("another") { seen.fixes.count == 6 }
        source.stop()
    }

    @Test func `a file of NMEA is read to its end`() async throws {
        guard let file = TestData.url("nmea/garmin-10x.nmea") else { return }
        let source = NMEASource(path: file.path())
        let fixes = source.fixes
        source.start()
        var count = 0
        for await _ in fixes { count += 1 }
        #expect(count == 9)
    }

    @Test func `gpsd's reports are merged by their time wherever the bytes are cut`() {
        let lines = """
            {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}
            {"class":"TPV","mode":1}
            {"class":"TPV","mode":2,"time":"2026-01-01T00:00:00.000Z","lat":60,"lon":25,"speed":1,"track":10}
            {"class":"TPV","mode":3,"time":"2026-01-01T00:00:00.000Z","lat":60,"lon":25,"altMSL":12,"eph":17.1}
            nonsense
            {"class":"TPV","mode":3,"time":"2026-01-01T00:00:01.000Z","lat":60.1,"lon":25,"status":8,"epx":3,"epy":4}
            {"class":"ATT","heading":271.5}
            {"class":"TPV","mode":3,"time":"2026-01-01T00:00:02.000Z","lat":91,"lon":25}

            """
        let whole = Array(lines.utf8)
        for step in [1, 7, 1_000] {
            var reader = GPSDReader()
            var outputs: [ReceiverOutput] = []
            for start in stride(from: 0, to: whole.count, by: step) {
                outputs += reader.read(whole[start..<min(start + step, whole.count)], now: .distantPast)
            }
            outputs += reader.finish(now: .distantPast)
            let fixes = outputs.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
            #expect(fixes.map(\.coordinate.latitude) == [60, 60.1])
            #expect(fixes[0].altitude == 12 && fixes[0].speed == 1 && fixes[0].horizontalAccuracy == 17.1)
            #expect(fixes[1].isSimulated && fixes[1].horizontalAccuracy == 5)
            #expect(outputs.contains(.noFix))
            #expect(outputs.contains(.heading(Heading(degrees: 271.5, timestamp: .distantPast))))
        }
    }
}
