import Testing
import YonderGeo
import YonderTestSupport

/// The computed numbers of geodesy.
struct GeodesyVectorTests {
    private struct Turn: Decodable { let from, to, delta: Double }

    @Test func `turns are the shorter ones, half a turn is clockwise`() throws {
        guard let rows = try Vectors.part("bearing", as: [Turn].self) else { return }
        #expect(rows.count == 13)
        for row in rows { #expect(Vectors.isClose(Bearing.delta(from: row.from, to: row.to), row.delta)) }
    }

    private struct Step: Decodable { let from, to, f, expected: Double }

    @Test func `longitudes go the shorter way`() throws {
        guard let rows = try Vectors.part("longitude_interpolation", as: [Step].self) else { return }
        #expect(rows.count == 14)
        for row in rows {
            let start = try #require(Coordinate(latitude: 0, longitude: row.from))
            let end = try #require(Coordinate(latitude: 0, longitude: row.to))
            #expect(Vectors.isClose(start.interpolated(to: end, fraction: row.f).longitude, row.expected))
        }
    }

    private struct Distance: Decodable {
        let name: String
        let fromLngLat, toLngLat: [Double]
        let haversineM, sphericalInitialBearing, geodesicM: Double
        let geodesicAzimuth1, geodesicAzimuth2: Double
    }

    /// In place of the table's, whose formulas cancel where places are close: from 40 digits, up to 4e-7 degrees away.
    /// On the sphere, and both of the ellipsoid.
    private static let exactBearings = [
        "step_0.1m_NE": [45.000_001_388_627_74, 45.047_734_701_290_73, 45.047_735_810_310_51]
    ]

    @Test func `distances and bearings are those that were computed`() throws {
        guard let rows = try Vectors.part("distance", as: [Distance].self) else { return }
        #expect(rows.count == 10)
        for row in rows {
            let (start, end) = (try place(row.fromLngLat), try place(row.toLngLat))
            let bearings =
                Self.exactBearings[row.name] ?? [
                    row.sphericalInitialBearing, row.geodesicAzimuth1, row.geodesicAzimuth2,
                ]
            let line = start.geodesic(to: end)
            #expect(Vectors.isClose(start.distance(to: end), row.haversineM), "\(row.name)")
            #expect(Vectors.isClose(line.distance, row.geodesicM), "\(row.name): \(line.distance)")
            let got = [start.initialBearing(to: end), line.initialBearing, line.finalBearing]
            for (got, want) in zip(got, bearings) {
                #expect(isSameDirection(got, want), "\(row.name): \(got)")
            }
        }
    }

    private func isSameDirection(_ got: Double, _ want: Double) -> Bool {
        abs(Bearing.delta(from: want, to: got)) <= 1e-9 * max(1, abs(want))
    }

    private struct Destination: Decodable {
        let fromLngLat, sphericalLngLat, geodesicLngLat: [Double]
        let bearing, distanceM: Double
    }

    @Test func `destinations are those that were computed`() throws {
        guard let rows = try Vectors.part("destination", as: [Destination].self) else { return }
        #expect(rows.count == 4)
        for row in rows {
            let start = try place(row.fromLngLat)
            let onSphere = start.destination(bearing: row.bearing, distance: row.distanceM)
            let onEllipsoid = start.geodesicDestination(bearing: row.bearing, distance: row.distanceM)
            for (got, want) in [(onSphere, row.sphericalLngLat), (onEllipsoid, row.geodesicLngLat)] {
                #expect(
                    Vectors.isClose(got.longitude, want[0]) && Vectors.isClose(got.latitude, want[1]),
                    "\(got)")
            }
        }
    }

    private struct Speed: Decodable { let from, to: [Double], dt, mps: Double }

    @Test func `speeds are those that were computed`() throws {
        guard let rows = try Vectors.part("implied_speed", as: [Speed].self) else { return }
        #expect(rows.count == 3)
        for row in rows {
            let speed = try place(row.from).impliedSpeed(to: try place(row.to), seconds: row.dt)
            #expect(Vectors.isClose(try #require(speed), row.mps))
        }
    }

    private func place(_ lngLat: [Double]) throws -> Coordinate {
        try #require(Coordinate(latitude: lngLat[1], longitude: lngLat[0]))
    }
}
