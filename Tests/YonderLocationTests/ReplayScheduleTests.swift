import Foundation
import Testing
import YonderLocation
import YonderModel
import YonderRules

struct ReplayScheduleTests {
    /// 0.001° of latitude: 111.2 m.
    private static let step = Coordinate(latitude: 0, longitude: 0)!
        .distance(to: Coordinate(latitude: 0.001, longitude: 0)!)

    @Test(
        arguments: [(1.0, [0, 10_000, 15_000]), (2.0, [0, 5_000, 7_500]), (60.0, [0, 167, 250])]
            as [(Double, [Int64])])
    func `a track with times keeps its points at their own times`(
        _ speed: Double, _ expected: [Int64]
    ) {
        let schedule = ReplaySchedule(
            track([[(0, 0, 0), (0.001, 0, 10), (0.001, 0.001, 15)]]), speed: speed)
        #expect(schedule.entries.map(\.milliseconds) == expected)
        #expect(schedule.entries.map(\.coordinate.latitude) == [0, 0.001, 0.001])
    }

    @Test func `course and speed come from the neighbours`() throws {
        let schedule = ReplaySchedule(
            track([[(0, 0, 0), (0.001, 0, 10), (0.001, 0, 12), (0.001, 0.001, 12)]]), speed: 2)
        #expect(
            schedule.entries.map(\.course).map { $0.map { ($0 * 10).rounded() / 10 } } == [0, 0, nil, 90])
        let speeds = schedule.entries.map(\.speed)
        #expect(abs(try #require(speeds[0]) - Self.step / 10 * 2) < 1e-6)
        #expect(speeds[1] == speeds[0])
        #expect(speeds[2] == 0)
        #expect(speeds[3] == nil)
    }

    @Test func `points of one instant stay apart and in order`() {
        let points = (0..<5).map { (Double($0) / 1000, 0.0, Double?(Double($0 / 4))) }
        #expect(
            ReplaySchedule(track([points]), speed: 1_000_000).entries.map(\.milliseconds) == [0, 1, 2, 3, 4])
    }

    @Test func `times a millisecond apart stay apart when they are rounded for the wire`() {
        let points = (0..<200).map { (Double($0) / 1000, 0.0, Double?(Double($0))) }
        let schedule = ReplaySchedule(track([points]), speed: 900)
        let start = Timestamp(milliseconds: 1_790_000_000_123).date
        let stamps = schedule.entries.indices.map {
            Timestamp(schedule.fix(at: $0, startedAt: start).timestamp)
        }
        #expect(Set(stamps).count == 200)
        #expect(stamps == stamps.sorted())
        #expect(stamps.first == Timestamp(start))
    }

    @Test func `a track without times is walked with a fix a second`() throws {
        let schedule = ReplaySchedule(track([[(0, 0, nil), (0.001, 0, nil)]]))
        let seconds = Self.step / (5 / 3.6)
        #expect(schedule.entries.count == Int(seconds) + 2)
        #expect(schedule.entries.dropLast().map(\.milliseconds) == (0...Int64(seconds)).map { $0 * 1000 })
        let last = try #require(schedule.entries.last)
        #expect(last.milliseconds == Int64((seconds * 1000).rounded()))
        #expect(last.coordinate.latitude == 0.001)
        for (a, b) in zip(schedule.entries.dropLast(), schedule.entries.dropLast().dropFirst()) {
            #expect(abs(a.coordinate.distance(to: b.coordinate) - 5 / 3.6) < 1e-3)
        }
        #expect(schedule.entries.allSatisfy { $0.course == 0 && $0.speed == 5 / 3.6 })
    }

    @Test func `a faster walk has the same places in less time`() {
        let slow = ReplaySchedule(track([[(0, 0, nil), (0.001, 0, nil)]]))
        let fast = ReplaySchedule(track([[(0, 0, nil), (0.001, 0, nil)]]), speed: 60)
        #expect(fast.entries.map(\.coordinate) == slow.entries.map(\.coordinate))
        #expect(fast.entries[1].milliseconds == 17)
    }

    @Test func `nothing is made up across a gap without times`() {
        let schedule = ReplaySchedule(
            track([[(0, 0, nil), (0.0001, 0, nil)], [], [(5, 5, nil), (5.0001, 5, nil)]]))
        let jump = schedule.entries.firstIndex { $0.coordinate.latitude >= 5 }!
        #expect(schedule.entries[jump].coordinate == Coordinate(latitude: 5, longitude: 5))
        #expect(schedule.entries[jump - 1].coordinate.latitude == 0.0001)
        #expect(schedule.entries[jump].milliseconds == schedule.entries[jump - 1].milliseconds + 1)
        #expect(
            schedule.entries.allSatisfy { $0.coordinate.latitude <= 0.0001 || $0.coordinate.latitude >= 5 })
    }

    @Test func `a gap with times takes its time`() {
        let schedule = ReplaySchedule(
            track([[(0, 0, 0), (0.0001, 0, 5)], [(5, 5, 100), (5.0001, 5, 105)]]))
        #expect(schedule.entries.map(\.milliseconds) == [0, 5_000, 100_000, 105_000])
        #expect(schedule.entries[2].course == 0)
    }

    @Test func `points without a time lie between those with one by their way`() {
        let schedule = ReplaySchedule(
            track([
                [(0, 0, 0), (0.001, 0, nil), (0.003, 0, 30), (0.004, 0, nil)], [(1, 1, nil)], [(2, 2, 200)],
            ]))
        let walk = Int64((Self.step / (5 / 3.6) * 1000).rounded())
        #expect(
            schedule.entries.map(\.milliseconds) == [
                0, 10_000, 30_000, 30_000 + walk, 30_000 + walk + 1, 200_000,
            ])
    }

    @Test func `points before the first time are walked to it`() {
        let schedule = ReplaySchedule(track([[(0, 0, nil), (0.001, 0, 50), (0.002, 0, 60)]]))
        let walk = Int64((Self.step / (5 / 3.6) * 1000).rounded())
        #expect(schedule.entries.map(\.milliseconds) == [0, walk, walk + 10_000])
    }

    @Test(arguments: [0, 1, 2])
    func `a track that goes nowhere is its place alone`(_ count: Int) {
        let schedule = ReplaySchedule(track([Array(repeating: (1, 1, nil), count: count)]))
        #expect(schedule.entries.count == min(count, 1))
        #expect(schedule.entries.allSatisfy { $0.course == nil && $0.speed == nil && $0.milliseconds == 0 })
    }

    @Test func `a way around the Earth a thousand times stays bounded`() {
        let points = (0..<2_000).map { (0.0, $0.isMultiple(of: 2) ? -90.0 : 89.0, Double?.none) }
        #expect((100_000...202_000).contains(ReplaySchedule(track([points])).entries.count))
    }

    @Test func `the way over the date line is the short one`() {
        let schedule = ReplaySchedule(track([[(0, 179.9999, nil), (0, -179.9999, nil)]]))
        #expect(schedule.entries.allSatisfy { abs($0.coordinate.longitude) >= 179.9999 })
    }

    @Test(arguments: ["0", "-1", "inf", "nan"])
    func `a speed that is none is refused`(_ speed: String) async {
        await #expect(processExitsWith: .failure) { [speed] in
            _ = ReplaySchedule(Track(segments: []), speed: Double(speed)!)
        }
    }

    @Test func `a real track is replayed from its first to its last point`() throws {
        try TestData.withGPX("korita-zbevnica.gpx") { document in
            for track in document.tracks.dropFirst() {
                let schedule = ReplaySchedule(track, speed: 60)
                let offsets = schedule.entries.map(\.milliseconds)
                #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 < $1 })
                #expect(schedule.entries.first?.coordinate == track.segments.first?.points.first?.coordinate)
                #expect(schedule.entries.last?.coordinate == track.segments.last?.points.last?.coordinate)
            }
            let timed = document.tracks[2]
            #expect(ReplaySchedule(timed).entries.count == timed.pointCount)
        }
    }
}

struct ReplaySourceTests {
    private let way = track([[(0, 0, 0), (0.001, 0, 10), (0.002, 0, 20)]])

    @Test func `fixes come stamped from now and the stream ends with the last`() async {
        let source = ReplaySource(way, speed: 1_000)
        let before = Timestamp.now.date
        let told = source.fixes
        source.start()
        source.start()
        var fixes: [Fix] = []
        for await fix in told { fixes.append(fix) }
        #expect(fixes.map(\.coordinate.latitude) == [0, 0.001, 0.002])
        #expect(fixes.allSatisfy { $0.isSimulated })
        #expect(fixes[0].timestamp >= before && fixes[0].timestamp < before + 60)
        #expect(abs(fixes[2].timestamp.timeIntervalSince(fixes[0].timestamp) - 0.02) < 1e-6)
    }

    @Test func `stopping ends the stream at once`() async {
        let source = ReplaySource(way, speed: 0.001)
        let told = source.fixes
        source.start()
        var count = 0
        for await _ in told {
            count += 1
            source.stop()
        }
        #expect(count == 1)
    }

    @Test func `it can be started again, and begins at the beginning`() async {
        let source = ReplaySource(way, speed: 100)
        for _ in 0..<2 {
            let told = source.fixes
            source.start()
            for await fix in told {
                #expect(fix.coordinate.latitude == 0)
                source.stop()
            }
        }
    }

    @Test func `a looping replay begins again`() async {
        let source = ReplaySource(way, speed: 10_000, loops: true)
        let told = source.fixes
        source.start()
        var latitudes: [Double] = []
        for await fix in told {
            latitudes.append(fix.coordinate.latitude)
            if latitudes.count == 7 { source.stop() }
        }
        #expect(latitudes.prefix(7) == [0, 0.001, 0.002, 0, 0.001, 0.002, 0])
    }

    @Test func `a track without points ends at once`() async {
        let source = ReplaySource(Track(segments: []), loops: true)
        let told = source.fixes
        source.start()
        for await _ in told { Issue.record("a fix from nowhere") }
    }
}
