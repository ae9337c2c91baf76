import Testing
import YonderGeo

struct PathTests {
    private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    @Test func `a straight line keeps its ends alone, a corner stays`() throws {
        let line = try (0...10).map { try place(60, 24 + Double($0) * 0.001) }
        #expect(Path.simplified(line, tolerance: 1) == [0, 10])
        let corner = line + (try (1...10).map { try place(60 + Double($0) * 0.001, 24.01) })
        #expect(Path.simplified(corner, tolerance: 1) == [0, 10, 20])
    }

    @Test func `no place is farther off than the tolerance`() throws {
        var random = SplitMix(seed: 5)
        var (latitude, longitude) = (60.0, 179.99)
        let walk = try (0..<2_000).map { _ in
            latitude += Double.random(in: -0.000_2...0.000_25, using: &random)
            longitude += Double.random(in: -0.000_2...0.000_25, using: &random)
            return try place(latitude, longitude > 180 ? longitude - 360 : longitude)
        }
        let kept = Path.simplified(walk, tolerance: 25)
        #expect(kept.first == 0 && kept.last == walk.count - 1 && kept.count < walk.count / 3)
        #expect(kept == kept.sorted())
        for (start, end) in zip(kept, kept.dropFirst()) {
            let (a, b) = (walk[start], walk[end])
            for index in start...end {
                // Densely sampled, so the nearest sample is nearly as near as the line.
                let distance = (0...200).map {
                    a.interpolated(to: b, fraction: Double($0) / 200).distance(to: walk[index])
                }.min()
                #expect(distance.map { $0 < 25.5 } == true)
            }
        }
    }

    @Test func `who goes out and back is not cut off`() throws {
        let out = try (0...50).map { try place(60, 24 + Double($0) * 0.001) }
        let there = out + out.reversed().dropFirst()
        let kept = Path.simplified(there, tolerance: 10)
        #expect(kept.first == 0 && kept.last == 100 && kept.contains { (49...51).contains($0) })
        #expect(kept.count <= 5)
    }

    @Test(arguments: [0, 1, 2])
    func `a path of two places or fewer is as simple as it gets`(count: Int) throws {
        let path = try (0..<count).map { try place(Double($0), 0) }
        #expect(Path.simplified(path, tolerance: 1e6) == Array(0..<count))
    }

    @Test func `a step over the 180th meridian says where`() throws {
        let crossing = try #require(Path.Crossing(from: place(10, 179), to: place(12, -179)))
        #expect(abs(crossing.fraction - 0.5) < 1e-12 && abs(crossing.latitude - 11) < 1e-12)
        let back = try #require(Path.Crossing(from: place(10, -179.5), to: place(10, 179)))
        #expect(abs(back.fraction - 1 / 3.0) < 1e-12)
        #expect(try Path.Crossing(from: place(0, -10), to: place(0, 10)) == nil)
        #expect(try Path.Crossing(from: place(0, 0), to: place(0, 180)) == nil)
        #expect(try Path.Crossing(from: place(0, 180), to: place(0, -180))?.fraction == 0)
    }
}
