import Testing
import YonderGeo

struct DistanceTests {
    @Test func `San Francisco to New York is 4129 km on course 69.9`() throws {
        let sf = try #require(Coordinate(latitude: 37.7749, longitude: -122.4194))
        let ny = try #require(Coordinate(latitude: 40.7128, longitude: -74.006))
        #expect(abs(sf.distance(to: ny) - 4_129_091.868_394_030_7) < 0.005)
        #expect(abs(sf.initialBearing(to: ny) - 69.908_203_158_041_66) < 1e-9)
    }

    @Test(arguments: [
        (179.9, -179.9, 0.25, 179.95), (-179.9, 179.9, 0.25, -179.95), (179.9, -179.9, 0.5, -180.0),
        (170, -170, 0.25, 175.0), (-90, 91, 0.25, -134.75), (-90, 89, 0.5, -0.5), (0, 180, 0.5, 90),
    ])
    func `a way across the antimeridian takes the shorter side`(
        from: Double, to: Double, fraction: Double, expected: Double
    ) throws {
        let a = try #require(Coordinate(latitude: 0, longitude: from))
        let b = try #require(Coordinate(latitude: 0, longitude: to))
        #expect(abs(a.interpolated(to: b, fraction: fraction).longitude - expected) < 1e-9)
    }

    @Test func `interpolation never leaves the globe`() throws {
        var random = SplitMix(seed: 7)
        for _ in 0..<10_000 {
            let (first, second) = (random.coordinate(), random.coordinate())
            let a = try #require(first)
            let b = try #require(second)
            let c = a.interpolated(to: b, fraction: random.unit())
            #expect((-90...90).contains(c.latitude) && (-180...180).contains(c.longitude))
            #expect(a.distance(to: c).isFinite && c.initialBearing(to: b) < 360)
        }
    }
}

/// A small generator with a seed, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func unit() -> Double { Double.random(in: 0...1, using: &self) }
    mutating func coordinate() -> Coordinate? {
        Coordinate(
            latitude: Double.random(in: -90...90, using: &self),
            longitude: Double.random(in: -180...180, using: &self))
    }
}
