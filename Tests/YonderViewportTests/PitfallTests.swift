import Testing
import YonderGeo

@testable import YonderViewport

/// What users of other maps suffered: each must be impossible here.
struct PitfallTests {
    @Test func `a pinch while following keeps its zoom through later fixes`() {
        var stage = Stage()
        stage.follow(zoom: 14)
        stage.engine.handle(.zoom(16.25), at: stage.now)
        for step in 1...5 {
            stage.fix(Double(step) * 10)
            #expect(stage.run(1).allSatisfy { $0.zoom == 16.25 })
        }
        #expect(stage.status.viewport.followPuck?.zoom == 16.25)
    }

    @Test func `following again at the same zoom moves at once`() {
        var stage = Stage(zoom: 14)
        stage.fix(900)
        let start = stage.camera
        stage.set(.followPuck(zoom: 14), by: .default(maxDuration: 1))
        let frames = stage.run(1)
        #expect(frames[0] != start)
        #expect(frames[5].center.longitude > start.center.longitude)
        #expect(frames.allSatisfy { abs($0.zoom - 14) < 0.5 })
        #expect(frames[59].center == stage.puck?.coordinate)
    }

    @Test func `the map's own inertia counts for nothing once an animation runs`() {
        var stage = Stage()
        stage.fix(0)
        stage.engine.handle(.pan, at: stage.now)
        stage.set(.followPuck(zoom: 14), by: .default(maxDuration: 1))
        stage.run(0.2)
        let camera = stage.camera
        stage.engine.moved(byHandTo: Camera(center: Stage.place(5_000), zoom: 3))
        #expect(stage.camera == camera)
    }

    @Test func `an overview after following is the same as one before`() {
        let overview = Viewport.overview(
            .coordinates([Stage.place(0), Stage.place(3_000, 500)]), geometryPadding: 40
        )
        .padding(Padding(top: 44, bottom: 200))
        var fresh = Stage()
        fresh.set(overview)
        var used = Stage()
        used.follow(zoom: 16, bearing: .heading, pitch: 60)
        used.set(overview, by: .fly())
        used.run(20)
        #expect(used.camera == fresh.camera)
    }

    @Test func `a puck is never at 0, 0`() {
        var stage = Stage()
        #expect(stage.puck == nil)
        stage.fix(50, accuracy: 4_000)
        for change in 0..<6 {
            switch change {
            case 0: stage.engine.resize(to: ScreenSize(width: 844, height: 390), at: stage.now)
            case 1: stage.engine.reducesMotion = true
            case 2: stage.engine.seen(false, at: stage.now)
            case 3: stage.engine.seen(true, at: stage.now)
            case 4: stage.engine.turned(.user, to: nil, at: stage.now)
            default: stage.set(.styleDefault)
            }
            stage.run(0.1)
            #expect(stage.puck?.coordinate == Stage.place(50))
        }
    }

    @Test func `a heading may come from anywhere`() {
        var stage = Stage()
        stage.follow(bearing: .heading)
        stage.engine.turned(.user, to: 77, at: stage.now)
        stage.run(1)
        #expect(stage.puck?.heading == 77)
        #expect(stage.camera.bearing == 77)
    }

    @Test(arguments: [MapGesture.pan, .doubleTap, .twoFingerTap], [0.0, 0.3, 5])
    func `a swipe leaves following at any moment, and the map does not snap back`(
        _ gesture: MapGesture, _ after: Double
    ) {
        var stage = Stage()
        stage.fix(0)
        stage.set(.followPuck(zoom: 15), by: .default(maxDuration: 1), id: 1)
        stage.run(after)
        stage.engine.handle(gesture, at: stage.now)
        #expect(stage.status == .idle(.userInteraction))
        let left = Camera(center: Stage.place(2_000), zoom: 15)
        stage.engine.moved(byHandTo: left)
        stage.fix(100)
        #expect(stage.run(3).allSatisfy { $0 == left })
        #expect(stage.engine.takeOutcomes().map { $0.isFinished } == [after > 1])
    }

    @Test(arguments: [-1e-12, -1e-9, 1e-12, 359.999_999_999, 360, -360, 720.000_000_1])
    func `a bearing a hair from north turns nothing around`(_ bearing: Double) {
        var stage = Stage()
        stage.set(.camera(bearing: bearing), by: .easeInOut(duration: 1))
        #expect(stage.run(1.1).allSatisfy { abs(Bearing.delta(from: 0, to: $0.bearing)) < 1e-6 })
    }

    @Test func `a puck keeps moving as long as fixes come`() {
        var stage = Stage()
        stage.follow()
        for step in 1...500 {
            stage.fix(Double(step) * 3)
            let before = stage.camera.center.longitude
            stage.run(0.5)
            #expect(stage.camera.center.longitude > before)
        }
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5])
    func `nothing but what leaves following leaves it`(_ cause: Int) {
        var stage = Stage()
        stage.follow(zoom: 14, bearing: .heading, pitch: 40)
        stage.engine.turned(.user, to: 10, at: stage.now)
        stage.run(1)
        switch cause {
        case 0: stage.engine.resize(to: ScreenSize(width: 1_280, height: 800), at: stage.now)
        case 1: stage.engine.handle(.zoom(3), at: stage.now)
        case 2: stage.engine.handle(.rotate(200), at: stage.now)
        case 3: stage.engine.handle(.tilt(5), at: stage.now)
        case 4: stage.engine.seen(false, at: stage.now)
        default: stage.engine.failed(.unavailable(.position))
        }
        stage.fix(70)
        stage.run(3)
        #expect(stage.status.viewport.followPuck != nil)
        #expect(stage.camera.center == Stage.place(70))
    }

    @Test func `a map that turns keeps turning by hand's bearing and its tilt`() {
        var stage = Stage()
        stage.follow(zoom: 16, bearing: .heading, pitch: 60)
        stage.engine.handle(.rotate(-90), at: stage.now)
        stage.engine.handle(.tilt(20), at: stage.now)
        stage.engine.turned(.user, to: 10, at: stage.now)
        stage.fix(40)
        stage.run(3)
        #expect(stage.camera.bearing == 270 && stage.camera.pitch == 20 && stage.camera.zoom == 16)
    }

    @Test func `padding of one viewport is no padding of the next`() {
        var stage = Stage()
        stage.set(.camera(zoom: 12).padding(Padding(top: 100)), by: .fly())
        stage.run(10)
        #expect(stage.camera.padding == Padding(top: 100))
        let box = OverviewGeometry.coordinates([Stage.place(0), Stage.place(1_000)])
        stage.set(.overview(box), by: .fly())
        stage.run(10)
        #expect(stage.camera == Camera.fitting(box, in: Stage.size))
        #expect(stage.camera.padding == .zero)
    }

    @Test func `an overview across ±180 fits the narrow box`() throws {
        let suva = try #require(Coordinate(latitude: -18.1, longitude: 178.4))
        let apia = try #require(Coordinate(latitude: -13.8, longitude: -171.8))
        let camera = try #require(Camera.fitting(.coordinates([suva, apia]), in: Stage.size))
        #expect(camera.zoom > 3)
        #expect(abs(abs(camera.center.longitude) - 176.7) < 1e-9)
    }

    @Test(arguments: [(179.0, -179.0, 180.0), (-179, 179, 180), (10, 170, 90), (-100, 120, -170)])
    func `a flight takes the shorter way around`(_ from: Double, _ to: Double, _ middle: Double) {
        var machine = ViewportMachine(
            camera: Camera(center: Coordinate(latitude: 0, longitude: from)!, zoom: 4), size: Stage.size)
        machine.set(
            .camera(center: Coordinate(latitude: 0, longitude: to)!), by: .fly(duration: 1), at: 0, puck: nil)
        var nearest = 360.0
        for step in 1..<200 {
            let center = machine.advance(to: Double(step) / 200, puck: nil).center
            nearest = min(nearest, abs(Bearing.delta(from: center.longitude, to: middle)))
        }
        #expect(nearest < 12)
    }

    @Test(arguments: [-4.0, 3, 25, 22]) func `no zoom leaves the map's range`(_ zoom: Double) {
        let limits = CameraLimits(zoom: 2...18, maxPitch: 50)
        var machine = ViewportMachine(
            camera: Camera(center: Stage.helsinki, zoom: 10, pitch: 60), size: Stage.size, limits: limits)
        #expect(machine.camera.pitch == 50)
        let sydney = Coordinate(latitude: -33.87, longitude: 151.2)!
        machine.set(.camera(center: sydney, zoom: zoom, pitch: 85), by: .fly(duration: 2), at: 0, puck: nil)
        for step in 0...60 {
            let camera = machine.advance(to: Double(step) / 20, puck: nil)
            #expect(limits.zoom.contains(camera.zoom) && camera.pitch <= 50)
        }
    }

    @Test func `following survives the first fix and a zoom to the whole world`() {
        var stage = Stage()
        stage.set(.followPuck(zoom: 13), by: .default())
        #expect(stage.status == .waiting(for: .followPuck(zoom: 13)))
        stage.fix(10)
        stage.run(5)
        stage.engine.handle(.zoom(0), at: stage.now)
        stage.fix(20)
        stage.run(2)
        #expect(stage.status == .state(.followPuck(zoom: 0)))
        #expect(stage.camera.center == Stage.place(20))
    }

    @Test func `what is asked before the map has a size or a fix is done when it has`() {
        var stage = Stage(size: ScreenSize(width: 0, height: 0))
        let box = OverviewGeometry.coordinates([Stage.place(0), Stage.place(1_000)])
        stage.set(.overview(box), by: .fly())
        stage.engine.resize(to: Stage.size, at: stage.now)
        #expect(stage.camera == Camera.fitting(box, in: Stage.size))
        // Two wishes in one go: the later one counts.
        stage.set(.camera(zoom: 3), by: .default())
        stage.set(.followPuck(zoom: 15, bearing: .heading), by: .default())
        stage.engine.turned(.user, to: 90, at: stage.now)
        stage.fix(0)
        stage.engine.turned(.user, to: 90, at: stage.now)
        stage.run(5)
        #expect(stage.camera.zoom == 15 && stage.camera.bearing == 90)
    }

    @Test func `at a red light the course stays`() {
        var stage = Stage()
        stage.fix(0, course: 90, speed: 8)
        stage.run(1)
        for course in [10.0, 200, 345] {
            stage.fix(0, course: course, speed: 0.4)
            stage.run(1)
            #expect(stage.puck?.course == 90)
        }
        stage.fix(0, course: 180, speed: 5)
        stage.run(2.5)
        #expect(stage.puck?.course == 180)
    }

    @Test(
        arguments: [(-1.0, nil), (0, 0), (359.5, 359.5), (.nan, nil), (.infinity, nil)] as [(Double, Double?)]
    )
    func `a negative course is none, and north is one`(_ said: Double, _ drawn: Double?) {
        var stage = Stage()
        stage.fix(0, course: said)
        stage.engine.turned(.user, to: said, at: stage.now)
        stage.run(1)
        #expect(stage.puck?.course == drawn)
        #expect(stage.puck?.heading == drawn)
    }

    @Test func `the ring has the size of the puck's own latitude`() {
        let puck = DrawnPuck(coordinate: Coordinate(latitude: 60, longitude: 0)!, accuracy: 100)
        let camera = Camera(center: Coordinate(latitude: 0, longitude: 0)!, zoom: 15, pitch: 50)
        let drawing = Puck2D(bearing: .heading).showsAccuracyRing(true).drawing(of: puck, by: camera, at: 0)
        let wanted = 100 / Mercator.metresPerPixel(latitude: 60, zoom: 15)
        #expect(abs((drawing.ringRadius ?? 0) - wanted) < 1e-9)
        #expect(drawing.arrow == nil)
    }

    @Test func `a dot of useless accuracy is not shown`() {
        var stage = Stage()
        stage.engine.worstAccuracy = 500
        stage.fix(0, accuracy: 4_000)
        #expect(stage.puck == nil)
        stage.fix(0, accuracy: 400)
        stage.fix(9_000, accuracy: 4_000)
        stage.run(3)
        #expect(stage.puck?.coordinate == Stage.place(0))
    }

    @Test func `to turn the map leaves everything else of the camera`() {
        var stage = Stage(zoom: 15)
        stage.engine.moved(byHandTo: Camera(center: Stage.place(10), zoom: 15, bearing: 20, pitch: 35))
        stage.set(.camera(bearing: 200), by: .easeOut(duration: 1))
        stage.run(1.1)
        #expect(stage.camera == Camera(center: Stage.place(10), zoom: 15, bearing: 200, pitch: 35))
    }

    @Test func `an accidental equal zoom and bearing do not hold back a pan`() {
        let start = Camera(center: Stage.helsinki, zoom: 15, bearing: 10, pitch: 0)
        let end = Camera(center: Stage.place(200), zoom: 15.000_1, bearing: 10.005, pitch: 0)
        let way = CameraWay(from: start, to: end, in: Stage.size, lowestZoom: 0, flies: true)
        let pan = CameraWay(
            from: start, to: Camera(center: end.center, zoom: 15, bearing: 10), in: Stage.size, lowestZoom: 0,
            flies: true)
        #expect(abs(way.naturalDuration - pan.naturalDuration) < 1e-3)
        #expect(way.naturalDuration < 0.5)
    }
}
