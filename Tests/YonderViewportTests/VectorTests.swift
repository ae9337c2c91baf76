import Testing
import YonderGeo
import YonderTestSupport

@testable import YonderViewport

/// The computed numbers of cameras and pucks; `script/prove` checks the same ones as WebAssembly.
struct VectorTests {
    @Test(
        arguments: [
            ("linear", Easing.linear), ("ease(0.25,0.1,0.25,1)", .ease), ("easeIn(0.42,0,1,1)", .easeIn),
            // The row's numbers are not those of CSS, whose curve ends at 0.58: `Easing.easeOut`.
            ("easeOut(0,0,0.42,1)", Easing(0, 0, 0.42, 1)), ("easeInOut(0.42,0,0.58,1)", .easeInOut),
        ])
    func `timing functions are those of the table`(_ name: String, _ easing: Easing) throws {
        guard let table = try Vectors.part("easing", as: [String: [Double]].self) else { return }
        let times = try #require(table["t"])
        let values = try #require(table[name])
        #expect(times.count == 11)
        for (time, value) in zip(times, values) {
            #expect(Vectors.isClose(easing(time), value, tolerance: 1e-6))
        }
    }

    private struct Flight: Decodable {
        struct Sample: Decodable {
            let easing: String
            let t, k, zoom, centerFraction, lng, lat, bearing, pitch: Double
        }
        let name: String
        let fromLngLat, toLngLat: [Double]
        let z0, z1, minZoom, curve, speed: Double
        let viewport: [Double]
        let u1, rho, length: Double?
        let lowestZoom, bearingStart, bearingEnd, durationS: Double?
        let samples: [Sample]?

        enum CodingKeys: String, CodingKey {
            case name, fromLngLat, toLngLat, z0, z1, minZoom, curve, speed, viewport, u1, rho, lowestZoom
            case bearingStart, bearingEnd, durationS, samples
            case length = "S"
        }
    }

    @Test func `flights go as they were computed`() throws {
        guard let flights = try Vectors.part("flyTo", as: [Flight].self) else { return }
        #expect(flights.count == 8)
        for flight in flights {
            guard let samples = flight.samples, let first = samples.first, let last = samples.last else {
                try nothingToDo(flight)
                continue
            }
            let size = ScreenSize(width: flight.viewport[0], height: flight.viewport[1])
            let start = try camera(flight.fromLngLat, flight.z0, flight.bearingStart ?? 0, first.pitch)
            let end = try camera(flight.toLngLat, flight.z1, flight.bearingEnd ?? 0, last.pitch)
            var way = CameraWay(from: start, to: end, in: size, lowestZoom: flight.minZoom, flies: true)
            way.curve = flight.curve
            let path = FlyPath(
                distance: try #require(flight.u1), startZoom: flight.z0, endZoom: flight.z1,
                screenful: max(size.width, size.height), curve: flight.curve, minZoom: flight.minZoom)
            #expect(Vectors.isClose(path.rho, try #require(flight.rho)), "\(flight.name)")
            #expect(Vectors.isClose(path.length, try #require(flight.length)), "\(flight.name)")
            #expect(
                Vectors.isClose(path.length / flight.speed, try #require(flight.durationS)), "\(flight.name)")
            if flight.speed == FlyPath.speed {
                #expect(Vectors.isClose(way.naturalDuration, path.length / flight.speed), "\(flight.name)")
            }
            let lowest = (0...2_000).map { path.at(Double($0) / 2_000).zoom }.min() ?? 0
            #expect(abs(lowest - (flight.lowestZoom ?? .nan)) < 1e-4, "\(flight.name)")
            for sample in samples {
                let part = sample.easing == "ease" ? Easing.ease(sample.t) : sample.t
                #expect(Vectors.isClose(part, sample.k, tolerance: 1e-6))
                let camera = way.camera(at: part)
                let place = camera.center
                let isThere =
                    Vectors.isClose(camera.zoom, sample.zoom, tolerance: 1e-6)
                    && abs(Bearing.delta(from: place.longitude, to: sample.lng)) < 1e-6
                        * max(1, abs(sample.lng))
                    && Vectors.isClose(place.latitude, sample.lat, tolerance: 1e-6)
                    && abs(Bearing.delta(from: camera.bearing, to: sample.bearing)) < 1e-6
                    && Vectors.isClose(camera.pitch, sample.pitch, tolerance: 1e-6)
                #expect(isThere, "\(flight.name) at \(sample.t) \(sample.easing): \(camera)")
                if part > 0, part < 1, (flight.u1 ?? 0) > 0 {
                    #expect(Vectors.isClose(path.at(part).crossed, sample.centerFraction, tolerance: 1e-6))
                }
            }
        }
    }

    private func nothingToDo(_ flight: Flight) throws {
        let still = try camera(flight.fromLngLat, flight.z0, 0, 0)
        var machine = ViewportMachine(camera: still, size: ScreenSize(width: 800, height: 600))
        machine.set(
            .camera(center: still.center, zoom: flight.z1), by: .fly(), id: TransitionID(1), at: 0, puck: nil)
        #expect(machine.takeOutcomes().map { $0.isFinished } == [true], "\(flight.name)")
    }

    private func camera(_ lngLat: [Double], _ zoom: Double, _ bearing: Double, _ pitch: Double) throws
        -> Camera
    {
        let center = try #require(Coordinate(latitude: lngLat[1], longitude: lngLat[0]))
        return Camera(center: center, zoom: zoom, bearing: bearing, pitch: pitch)
    }

    private struct Fit: Decodable {
        struct Expected: Decodable {
            let fits: Bool
            let zoom, centerLng, centerLat, bearing: Double
        }
        let name: String
        let wSEN, viewport: [Double]
        let pad, mappad, offset: [Double]?
        let bearing, maxZoom: Double?
        let expected: Expected
    }

    @Test func `boxes are fitted as they were computed`() throws {
        guard let fits = try Vectors.part("camera_for_bounds", as: [Fit].self) else { return }
        #expect(fits.count == 8)
        for fit in fits {
            let box = fit.wSEN
            let bounds = try #require(
                CoordinateBounds(west: box[0], south: box[1], east: box[2], north: box[3]))
            let offset = fit.offset ?? [0, 0]
            let camera = try #require(
                Camera.fitting(
                    .bounds(bounds), in: ScreenSize(width: fit.viewport[0], height: fit.viewport[1]),
                    padding: padding(fit.mappad), geometryPadding: padding(fit.pad),
                    bearing: fit.bearing ?? 0,
                    maxZoom: fit.maxZoom, offset: ScreenPoint(x: offset[0], y: offset[1])))
            #expect(Vectors.isClose(camera.zoom, fit.expected.zoom), "\(fit.name): \(camera.zoom)")
            #expect(Vectors.isClose(camera.center.longitude, fit.expected.centerLng), "\(fit.name)")
            #expect(Vectors.isClose(camera.center.latitude, fit.expected.centerLat), "\(fit.name)")
            #expect(Vectors.isClose(camera.bearing, fit.expected.bearing), "\(fit.name)")
        }
    }

    /// Top, right, bottom, left.
    private func padding(_ edges: [Double]?) -> Padding {
        guard let edges else { return .zero }
        return Padding(top: edges[0], right: edges[1], bottom: edges[2], left: edges[3])
    }

    private struct Turn: Decodable { let from, to, t, expected: Double }

    @Test func `a puck turns as it was computed`() throws {
        guard let turns = try Vectors.part("puck_heading", as: [Turn].self) else { return }
        #expect(turns.count == 4)
        for turn in turns {
            var puck = PuckMotion(PuckFix(coordinate: Coordinate(latitude: 0, longitude: 0)!), at: 0)
            puck.turn(to: turn.from, at: 0)
            puck.turn(to: turn.to, at: 5)
            #expect(Vectors.isClose(puck.drawn(at: 5 + turn.t).heading ?? .nan, turn.expected))
        }
    }

    private struct Focus: Decodable { let viewport, topRightBottomLeft, expectedCenterPx: [Double] }

    @Test func `padding moves the middle as it was computed`() throws {
        guard let rows = try Vectors.part("padding_center", as: [Focus].self) else { return }
        #expect(rows.count == 4)
        for row in rows {
            let focus = padding(row.topRightBottomLeft)
                .focus(in: ScreenSize(width: row.viewport[0], height: row.viewport[1]))
            #expect(focus == ScreenPoint(x: row.expectedCenterPx[0], y: row.expectedCenterPx[1]))
        }
    }
}
