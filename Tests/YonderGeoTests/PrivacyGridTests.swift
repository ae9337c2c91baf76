import Testing
import YonderGeo

struct PrivacyGridTests {
    @Test func `every place lies in its cell, no farther from the middle than the radius`() throws {
        var random = SplitMix(seed: 11)
        for _ in 0..<20_000 {
            let made = random.coordinate()
            let place = try #require(made)
            let cell = PrivacyGrid.Cell(containing: place)
            #expect(cell.center.distance(to: place) <= cell.radius + 0.01, "\(place)")
            #expect(PrivacyGrid.Cell(containing: cell.center) == cell)
        }
    }

    @Test(arguments: [-89.99, -85, -60.5, -23, 0, 1e-9, 37.77, 60.17, 78.2, 89.9])
    func `a cell is about 1.2 km large at every latitude`(latitude: Double) throws {
        let place = try #require(Coordinate(latitude: latitude, longitude: 24.94))
        let radius = PrivacyGrid.Cell(containing: place).radius
        // Half the diagonal of a square of 1.2 km is 849 m; at a pole a band has few cells.
        #expect(radius > 700 && radius < (abs(latitude) > 89.8 ? 1_250 : 900), "\(radius)")
    }

    @Test(arguments: [
        (90.0, 0.0), (-90, 180), (0, 180), (0, -180), (60.17, 180), (60.17, -180), (0, 0),
    ])
    func `the ends of the Earth have cells`(latitude: Double, longitude: Double) throws {
        let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
        let cell = PrivacyGrid.Cell(containing: place)
        #expect(cell.holds(place))
        #expect(cell.center.distance(to: place) <= cell.radius + 0.01)
    }

    @Test func `the 180th meridian is the same from both sides`() throws {
        let east = try #require(Coordinate(latitude: -17, longitude: 180))
        let west = try #require(Coordinate(latitude: -17, longitude: -180))
        #expect(PrivacyGrid.Cell(containing: east) == PrivacyGrid.Cell(containing: west))
        let near = try #require(Coordinate(latitude: -17, longitude: 179.999))
        #expect(PrivacyGrid.Cell(containing: west).holds(near))
    }

    @Test func `a cell stays until a place is a tenth of its side beyond the border`() throws {
        let start = try #require(Coordinate(latitude: 60.1699, longitude: 24.9384))
        let cell = PrivacyGrid.Cell(containing: start)
        let middle = cell.center
        let side = 180.0 / 16_679
        for (part, stays) in [
            (0.0, true), (0.49, true), (0.51, true), (0.59, true), (0.61, false), (1, false),
        ] {
            let place = try #require(
                Coordinate(latitude: middle.latitude + part * side, longitude: middle.longitude))
            #expect((cell.next(for: place) == cell) == stays, "\(part)")
        }
    }

    @Test func `who goes to and fro at a border changes the cell at most once`() throws {
        let start = try #require(Coordinate(latitude: 60.1699, longitude: 24.9384))
        let border = PrivacyGrid.Cell(containing: start).center.latitude + 0.5 * 180 / 16_679
        var cell = PrivacyGrid.Cell(containing: start)
        var changes = 0
        for step in 0..<100 {
            let offset = step.isMultiple(of: 2) ? 0.000_3 : -0.000_3
            let place = try #require(Coordinate(latitude: border + offset, longitude: 24.9384))
            let next = cell.next(for: place)
            if next != cell { changes += 1 }
            cell = next
        }
        #expect(changes == 0)
    }
}
