import Testing
import YonderGeo
import YonderTestSupport

struct MercatorTests {
    private struct Row: Decodable {
        let name: String
        let lng, lat, x, y, pxZ13X, pxZ13Y: Double
    }

    @Test func `places lie on the map where they were computed to lie`() throws {
        guard let rows = try Vectors.part("mercator", as: [Row].self) else { return }
        #expect(rows.count == 9)
        for row in rows {
            let place = try #require(Coordinate(latitude: row.lat, longitude: row.lng))
            let point = place.worldPoint
            let world = Mercator.worldSize(zoom: 13)
            #expect(Vectors.isClose(point.x, row.x) && Vectors.isClose(point.y, row.y), "\(row.name)")
            #expect(Vectors.isClose(point.x * world, row.pxZ13X), "\(row.name)")
            #expect(Vectors.isClose(point.y * world, row.pxZ13Y), "\(row.name)")
            let again = Coordinate(point)
            #expect(abs(again.latitude - row.lat) < 1e-9, "\(row.name)")
            #expect(abs(Bearing.delta(from: again.longitude, to: row.lng)) < 1e-9, "\(row.name)")
        }
    }

    private struct Scale: Decodable {
        let lat, zoom, metresPerPixel, ringRadiusPxFor20M: Double
    }

    @Test func `a pixel is as wide as the latitude and the zoom make it`() throws {
        guard let rows = try Vectors.part("metres_per_pixel", as: [Scale].self) else { return }
        #expect(rows.count == 24)
        for row in rows {
            let metres = Mercator.metresPerPixel(latitude: row.lat, zoom: row.zoom)
            #expect(Vectors.isClose(metres, row.metresPerPixel))
            #expect(Vectors.isClose(20 / metres, row.ringRadiusPxFor20M))
        }
    }

    @Test(arguments: [90.0, -90]) func `a pole lies on the map's edge`(_ latitude: Double) throws {
        let pole = try #require(Coordinate(latitude: latitude, longitude: 7))
        #expect(abs(pole.worldPoint.y - (latitude > 0 ? 0 : 1)) < 1e-12)
        #expect(Mercator.metresPerPixel(latitude: latitude, zoom: 10) > 0)
    }

    @Test(
        arguments: [(-0.25, 90.0), (1.25, -90), (7.5, 0), (1, -180), (0, -180), (-1e-18, -180)]
            as [(Double, Double)])
    func `a further turn around the Earth is the same place`(_ x: Double, _ longitude: Double) {
        #expect(Coordinate(WorldPoint(x: x, y: 0.5)) == Coordinate(latitude: 0, longitude: longitude))
    }

    @Test(arguments: [-3.0, 0, 1, 4]) func `beyond the edges lies the edge`(_ y: Double) {
        let place = Coordinate(WorldPoint(x: 0.5, y: y))
        #expect(abs(abs(place.latitude) - Mercator.latitudeLimit) < 1e-9)
    }
}
