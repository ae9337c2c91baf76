import Foundation
import Testing
import YonderGeo
import YonderModel

@testable import YonderLocation

struct SamplingTests {
    @Test(
        arguments: [
            (0, nil, 60, 25, 90), (0.49, 3, 60, 25, 90), (0.5, 1, 20, 10, 30), (nil, nil, 20, 10, 30),
            (2.9, nil, 20, 10, 30), (3, nil, 2, nil, 10), (40, 100, 2, nil, 10), (0, 0, 300, nil, 360),
            (1, 0, 60, nil, 90), (40, 0, 60, nil, 90), (nil, 0, 60, nil, 90),
        ] as [(Double?, Int?, Double, Double?, Double)])
    func `how often is decided by the movement and by who watches`(
        _ speed: Double?, _ watchers: Int?, _ interval: Double, _ distance: Double?, _ nextWithin: Double
    ) {
        #expect(
            AdaptiveSampling.plan(speed: speed, watchers: watchers)
                == SamplingPlan(interval: interval, distance: distance, nextWithin: nextWithin))
    }

    private func sent(_ fixes: [(second: Double, north: Double, speed: Double)], watchers: Int? = nil)
        -> [Double]
    {
        var sampler = AdaptiveSampler()
        sampler.watchers = watchers
        return fixes.compactMap { fix in
            sampler.offer(
                Fix(
                    coordinate: Coordinate(latitude: 60 + fix.north / 111_195, longitude: 25)!,
                    speed: fix.speed,
                    timestamp: Date(timeIntervalSince1970: fix.second))
            ).map { _ in fix.second }
        }
    }

    @Test func `who stands is sent once a minute, who walks every ten metres, who drives every two seconds`()
    {
        #expect(sent((0...130).map { (Double($0), 0, 0) }) == [0, 60, 120])
        #expect(sent((0...20).map { (Double($0), Double($0) * 1.5, 1.5) }) == [0, 7, 14])
        #expect(sent((0...6).map { (Double($0), Double($0) * 20, 20) }) == [0, 2, 4, 6])
        #expect(sent((0...130).map { (Double($0), Double($0) * 20, 20) }, watchers: 0) == [0, 60, 120])
    }

    @Test func `who stops or goes on, and the first who watches, changes the promise at once`() {
        #expect(sent([(0, 0, 20), (1, 20, 20), (1.5, 25, 0), (2, 25, 0), (3, 25, 20)]) == [0, 1.5, 3])
        var sampler = AdaptiveSampler()
        sampler.watchers = 0
        func fix(_ second: Double) -> Fix {
            Fix(
                coordinate: Coordinate(latitude: 60, longitude: 25)!, speed: 0,
                timestamp: Date(timeIntervalSince1970: second))
        }
        #expect(sampler.offer(fix(0))?.nextWithin == 360)
        #expect(sampler.offer(fix(100)) == nil)
        sampler.watchers = 1
        #expect(sampler.offer(fix(101))?.nextWithin == 90)
    }
}
