import Testing
import YonderGeo

struct CoordinateTests {
    @Test(arguments: [
        (0.0, 0.0), (90, 180), (-90, -180), (60.1699, 24.9384), (-0.0, 0.0),
    ])
    func `a place in range is a place`(latitude: Double, longitude: Double) {
        let place = Coordinate(latitude: latitude, longitude: longitude)
        #expect(place?.latitude == latitude)
        #expect(place?.longitude == longitude)
    }

    @Test(arguments: [
        (90.000001, 0.0), (-91, 0), (0, 180.0000001), (0, -181), (.nan, 0), (0, .nan), (.infinity, 0),
        (0, -.infinity),
    ])
    func `a place out of range is none`(latitude: Double, longitude: Double) {
        #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
    }
}

struct BearingTests {
    @Test(arguments: [
        (0.0, 90.0, 90.0), (350, 10, 20), (0, 180, 180), (90, 270, 180), (270, 90, 180), (181, 1, 180),
        (0, 359, -1), (720.5, -0.5, -1), (179, -179, 2), (0, 360, 0), (12.5, 192.6, -179.9),
    ])
    func `a turn takes the shorter way and a half turn is clockwise`(
        from: Double, to: Double, delta: Double
    ) {
        #expect(abs(Bearing.delta(from: from, to: to) - delta) < 1e-9)
    }

    @Test func `a tiny negative bearing does not become 360`() {
        #expect(Bearing.normalized(-1e-20) == 0)
        #expect(Bearing.normalized(360) == 0)
        #expect(Bearing.normalized(-90) == 270)
    }
}
