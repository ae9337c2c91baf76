import Testing

@testable import YonderStore

struct GatheringPaceTests {
    private let start = ContinuousClock.now

    private func milliseconds(_ count: Int) -> ContinuousClock.Instant { start + .milliseconds(count) }

    /// A pace that a change has just set going.
    private func busyPace() -> GatheringPace {
        var pace = GatheringPace(now: start)
        _ = pace.came(.gathered, at: start)
        pace.taken(at: start)
        return pace
    }

    @Test func `a lone change waits for nobody`() {
        var pace = GatheringPace(now: start)
        _ = pace.came(.gathered, at: milliseconds(0))
        #expect(pace.end == nil)
        pace.taken(at: milliseconds(0))
        _ = pace.came(.gathered, at: milliseconds(5))
        #expect(pace.end == nil)
    }

    @Test func `changes that come one upon another are gathered until none comes`() {
        var pace = busyPace()
        for time in [1, 4, 8, 12] {
            let begins = pace.came(.gathered, at: milliseconds(time))
            #expect(!begins)
            #expect(pace.end == milliseconds(time + 5))
        }
    }

    @Test func `no change waits longer than 40 ms`() {
        var pace = busyPace()
        for time in stride(from: 2, through: 40, by: 2) { _ = pace.came(.gathered, at: milliseconds(time)) }
        #expect(pace.end == milliseconds(42))
    }

    @Test func `a prompt change takes along what was gathered, at once`() {
        var pace = busyPace()
        _ = pace.came(.gathered, at: milliseconds(1))
        // The writer is told once.
        let begins = [2, 3].map { pace.came(.prompt, at: milliseconds($0)) }
        #expect(begins == [true, false])
        #expect(pace.end == nil)
        pace.taken(at: milliseconds(3))
        _ = pace.came(.prompt, at: milliseconds(4))
        #expect(pace.end == nil)
    }

    @Test func `many are enough`() {
        var pace = busyPace()
        let begun = (1...GatheringPace.enough).map { _ in pace.came(.gathered, at: milliseconds(1)) }
        #expect(begun.firstIndex(of: true) == GatheringPace.enough - 1)
        #expect(pace.end == nil)
    }

    @Test func `after a gathering in vain groups are taken at once, twice as many each time`() {
        var pace = busyPace()
        var time = 0
        /// How many groups of one are taken before the next gathering, which then nobody comes to.
        func groupsAtOnce() -> Int {
            for count in 0... {
                time += 1
                _ = pace.came(.gathered, at: milliseconds(time))
                if let end = pace.end {
                    pace.taken(at: end)
                    time += 5
                    return count
                }
                pace.taken(at: milliseconds(time))
            }
            return 0
        }
        // One more each time: the first after the gathering comes late enough to be a lone one.
        #expect((0..<10).map { _ in groupsAtOnce() } == [0, 2, 3, 5, 9, 17, 33, 65, 129, 129])
    }

    @Test func `a gathering that many came to is followed by the next`() {
        var pace = busyPace()
        _ = pace.came(.gathered, at: milliseconds(1))
        pace.taken(at: milliseconds(6))
        _ = pace.came(.gathered, at: milliseconds(7))
        #expect(pace.end == nil)
        pace.taken(at: milliseconds(7))
        for _ in 0..<3 {
            for _ in 0..<GatheringPace.enough { _ = pace.came(.gathered, at: milliseconds(8)) }
            pace.taken(at: milliseconds(8))
            _ = pace.came(.gathered, at: milliseconds(9))
            #expect(pace.end != nil)
            for _ in 0..<GatheringPace.enough { _ = pace.came(.gathered, at: milliseconds(9)) }
            pace.taken(at: milliseconds(9))
        }
    }

    @Test func `a store that closes waits for nobody`() {
        var pace = busyPace()
        _ = pace.came(.gathered, at: milliseconds(1))
        pace.hurry()
        #expect(pace.end == nil)
    }
}
