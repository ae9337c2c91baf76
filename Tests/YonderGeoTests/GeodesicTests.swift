import Testing
import YonderGeo
import YonderTestSupport

struct GeodesicTests {
    private static let equator = Coordinate(latitude: 0, longitude: 0)!
    /// A quarter of a meridian of WGS 84, in metres.
    private static let quarter = 10_001_965.729_312_7

    @Test(
        arguments: [
            (90.0, 0.0, quarter, 0.0), (-90, 0, quarter, 180), (0, 180, 2 * quarter, 0), (90, 77, quarter, 0),
            (0, 90, 6_378_137 * Double.pi / 2, 90), (0, -90, 6_378_137 * Double.pi / 2, 270), (0, 0, 0, 0),
        ])
    func `from the equator to the poles and the other side`(
        _ latitude: Double, _ longitude: Double, _ metres: Double, _ bearing: Double
    ) throws {
        let end = try #require(Coordinate(latitude: latitude, longitude: longitude))
        let line = Self.equator.geodesic(to: end)
        #expect(abs(line.distance - metres) < 1e-6)
        #expect(abs(Bearing.delta(from: line.initialBearing, to: bearing)) < 1e-9)
    }

    @Test(arguments: [179.0, 179.4, 179.45, 179.6, 179.9, 179.999_999, 180])
    func `nearly opposite places have a line`(
        _ longitude: Double
    ) throws {
        for latitude in [0.0, 1e-9, 0.1, -0.3, 30, -30, 89, -89.999] {
            let start = try #require(Coordinate(latitude: latitude, longitude: 0))
            for shift in [0.0, 0.2, -1e-7] {
                guard let end = Coordinate(latitude: -latitude + shift, longitude: longitude) else {
                    continue
                }
                let line = start.geodesic(to: end)
                #expect(line.distance > 19_900_000 && line.distance <= 2 * Self.quarter + 1e-6)
                let again = start.geodesicDestination(bearing: line.initialBearing, distance: line.distance)
                #expect(again.distance(to: end) < 1e-4, "\(latitude) \(shift): \(line)")
            }
        }
    }

    @Test func `a line leads to where it goes`() throws {
        var random = SplitMix(seed: 11)
        for _ in 0..<3_000 {
            let start = try #require(
                Coordinate(
                    latitude: Double.random(in: -90...90, using: &random),
                    longitude: Double.random(in: -180...180, using: &random)))
            let bearing = Double.random(in: 0...360, using: &random)
            let distance =
                Double.random(in: 0...1, using: &random) < 0.5
                ? Double.random(in: 0...2_000, using: &random)
                : Double.random(in: 0...19_900_000, using: &random)
            let end = start.geodesicDestination(bearing: bearing, distance: distance)
            let line = start.geodesic(to: end)
            #expect(abs(line.distance - distance) < 1e-5, "\(start) \(bearing) \(distance)")
            #expect(
                start.geodesicDestination(bearing: line.initialBearing, distance: line.distance).distance(
                    to: end) < 1e-5)
            let back = end.geodesic(to: start)
            #expect(abs(back.distance - line.distance) < 1e-6)
            if distance > 1 {
                #expect(abs(Bearing.delta(from: line.finalBearing + 180, to: back.initialBearing)) < 1e-6)
            }
        }
    }

    @Test(arguments: [0.0, 45, 90, 135, 180, 270, 359]) func `a millimetre is a millimetre`(_ bearing: Double)
        throws
    {
        let start = try #require(Coordinate(latitude: 60.1699, longitude: 24.9384))
        let end = start.geodesicDestination(bearing: bearing, distance: 0.001)
        #expect(abs(start.geodesic(to: end).distance - 0.001) < 2e-9)
    }

    @Test(arguments: [40_007_862.917, 1e9, -1e9, 1e13]) func `long ways go around the Earth`(_ metres: Double)
    {
        let end = Self.equator.geodesicDestination(bearing: 30, distance: metres)
        let back = end.geodesicDestination(bearing: 0, distance: 0)
        #expect(back.distance(to: end) < 1e-6)
        let meridian = Self.equator.geodesicDestination(bearing: 0, distance: 4 * Self.quarter * 25)
        #expect(meridian.distance(to: Self.equator) < 1e-3)
    }
}

struct GreatCircleTests {
    private let helsinki = Coordinate(latitude: 60.1699, longitude: 24.9384)!
    private let sydney = Coordinate(latitude: -33.8688, longitude: 151.2093)!

    @Test(arguments: [0.0, 0.25, 0.5, 0.999, 1, -3, 7])
    func `a part of a great circle is that part of its length`(
        _ fraction: Double
    ) {
        let place = helsinki.alongGreatCircle(to: sydney, fraction: fraction)
        let whole = helsinki.distance(to: sydney)
        let part = min(1, max(0, fraction))
        #expect(abs(helsinki.distance(to: place) - whole * part) < 1e-3)
        #expect(abs(place.distance(to: sydney) - whole * (1 - part)) < 1e-3)
    }

    @Test func `opposite places are joined by some great circle`() throws {
        let start = try #require(Coordinate(latitude: 20, longitude: 30))
        let end = try #require(Coordinate(latitude: -20, longitude: -150))
        let middle = start.alongGreatCircle(to: end, fraction: 0.5)
        #expect(abs(start.distance(to: middle) - middle.distance(to: end)) < 1e-3)
    }

    @Test func `no time, no speed`() {
        #expect(helsinki.impliedSpeed(to: sydney, seconds: 0) == nil)
        #expect(helsinki.impliedSpeed(to: sydney, seconds: -1) == nil)
        #expect(helsinki.impliedSpeed(to: sydney, seconds: .nan) == nil)
    }

    @Test(arguments: [(60.0, 24.0, 100.0), (0, 179.999, 5_000), (-89.9, 0, 1_000), (85, -180, 3e5)])
    func `a circle is a circle on the ground`(_ latitude: Double, _ longitude: Double, _ radius: Double)
        throws
    {
        let center = try #require(Coordinate(latitude: latitude, longitude: longitude))
        let ring = center.circle(radius: radius, corners: 32)
        #expect(ring.count == 33 && ring[0] == ring[32])
        for (lng, lat) in ring {
            let place = try #require(
                Coordinate(latitude: lat, longitude: Bearing.delta(from: 0, to: lng)))
            #expect(abs(center.distance(to: place) - radius) < 1e-6 * max(1, radius))
            #expect(abs(lng - longitude) <= 180)
        }
    }

    @Test(arguments: [(179.0, -179.0, 2.0), (-10, 10, 20), (10, -10, 340), (-180, 180, 360), (5, 5, 0)])
    func `a box knows its width and middle`(_ west: Double, _ east: Double, _ width: Double) throws {
        let box = try #require(CoordinateBounds(west: west, south: -1, east: east, north: 3))
        #expect(box.width == width)
        #expect(box.center.latitude == 1 && box.contains(box.center))
        #expect(box.contains(try #require(Coordinate(latitude: 3, longitude: west))))
        #expect(!box.contains(try #require(Coordinate(latitude: 3.1, longitude: west))))
    }

    @Test func `the narrowest box may lie over the date line`() throws {
        let places = [170.0, -170, 175].compactMap { Coordinate(latitude: 1, longitude: $0) }
        let box = try #require(CoordinateBounds(containing: places))
        #expect(box.west == 170 && box.east == -170)
        #expect(places.allSatisfy(box.contains))
        #expect(CoordinateBounds(containing: []) == nil)
        #expect(CoordinateBounds(west: 0, south: 2, east: 1, north: 1) == nil)
    }
}
