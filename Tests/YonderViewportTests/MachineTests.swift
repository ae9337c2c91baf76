import Testing
import YonderGeo

@testable import YonderViewport

struct MachineTests {
    @Test func `what waits for a fix is seen to wait, and ends true when it is there`() {
        var stage = Stage()
        stage.set(.followPuck(zoom: 13), by: .default(maxDuration: 1), id: 1)
        stage.run(3)
        #expect(stage.status == .waiting(for: .followPuck(zoom: 13)))
        #expect(stage.engine.takeOutcomes().isEmpty)
        stage.fix(0)
        stage.run(1.1)
        #expect(stage.status == .state(.followPuck(zoom: 13)))
        #expect(stage.engine.takeOutcomes() == [TransitionOutcome(id: TransitionID(1), isFinished: true)])
    }

    @Test func `a change that another one interrupts ends false, once`() {
        var stage = Stage()
        for id in Int32(1)...4 {
            stage.set(.camera(zoom: Double(id) + 12), by: .linear(duration: 1), id: id)
            stage.run(0.3)
        }
        stage.set(.idle, id: 5)
        stage.run(2)
        let outcomes = stage.engine.takeOutcomes()
        #expect(outcomes.map { $0.id.number } == [1, 2, 3, 4, 5])
        #expect(outcomes.map { $0.isFinished } == [false, false, false, false, true])
    }

    @Test func `an equal viewport changes nothing and is done`() {
        var stage = Stage()
        stage.fix(0)
        stage.set(.followPuck(zoom: 13, bearing: .constant(-90)), by: .linear(duration: 1), id: 1)
        stage.run(0.5)
        let camera = stage.camera
        stage.set(.followPuck(zoom: 13, bearing: .constant(270)), by: .fly(), id: 2)
        #expect(stage.camera == camera)
        #expect(stage.engine.takeOutcomes().map { $0.id.number } == [2])
        stage.run(0.6)
        #expect(stage.engine.takeOutcomes().map { $0.isFinished } == [true])
    }

    @Test func `idle leaves the camera in the middle of its way`() {
        var stage = Stage()
        stage.set(.camera(center: Stage.place(3_000), zoom: 15), by: .fly(duration: 2))
        stage.run(1)
        let camera = stage.camera
        stage.set(.idle)
        #expect(stage.run(3).allSatisfy { $0 == camera })
    }

    @Test(arguments: [Transition.default(), .fly(), .linear(duration: 2), .easeInOut(duration: 0.5)])
    func `with reduced motion everything is there at once`(_ transition: Transition) {
        var stage = Stage()
        stage.engine.reducesMotion = true
        stage.fix(0)
        stage.set(.followPuck(zoom: 16, pitch: 60), by: transition)
        #expect(stage.camera == Camera(center: Stage.helsinki, zoom: 16, pitch: 60))
        stage.fix(500)
        #expect(stage.camera.center == Stage.place(500))
    }

    @Test func `the style's own camera is gone to where there is one`() {
        var stage = Stage()
        let camera = stage.camera
        stage.set(.styleDefault)
        #expect(stage.camera == camera && stage.status == .state(.styleDefault))
        stage.set(.idle)
        stage.engine.setStyleDefault(Camera(center: Stage.place(9), zoom: 4, bearing: 5, pitch: 6))
        stage.set(.styleDefault)
        #expect(stage.camera == Camera(center: Stage.place(9), zoom: 4, bearing: 5, pitch: 6))
    }

    @Test(arguments: [0.0, 50], [0.0, 130]) func `an anchor keeps its place while the map zooms and turns`(
        _ pitch: Double, _ bearing: Double
    ) throws {
        var stage = Stage(zoom: 12)
        stage.engine.moved(byHandTo: Camera(center: Stage.helsinki, zoom: 12, bearing: 20, pitch: pitch))
        let anchor = ScreenPoint(x: 60, y: 700)
        let held = try #require(stage.camera.coordinate(at: anchor, in: Stage.size))
        stage.set(.camera(anchor: anchor, zoom: 14, bearing: bearing))
        let again = try #require(stage.camera.screenPoint(of: held, in: Stage.size))
        #expect(abs(again.x - anchor.x) < 1e-4 && abs(again.y - anchor.y) < 1e-4)
    }

    @Test func `an overview is fitted anew when the map turns to landscape`() {
        var stage = Stage()
        let box = OverviewGeometry.coordinates([Stage.place(-2_000), Stage.place(2_000)])
        stage.set(.overview(box))
        stage.engine.resize(to: ScreenSize(width: 844, height: 390), at: stage.now)
        #expect(stage.camera == Camera.fitting(box, in: ScreenSize(width: 844, height: 390)))
        stage.engine.handle(.zoom(5), at: stage.now)
        #expect(stage.status == .idle(.userInteraction))
    }

    @Test func `a pinch while it flies to the puck is where it goes`() {
        var stage = Stage()
        stage.fix(1_000)
        stage.set(.followPuck(zoom: 13), by: .default(maxDuration: 1), id: 1)
        stage.run(0.4)
        let center = stage.camera.center
        stage.engine.handle(.zoom(15), at: stage.now)
        #expect(stage.camera.center == center && stage.camera.zoom == 15)
        stage.run(0.7)
        #expect(stage.camera == Camera(center: Stage.place(1_000), zoom: 15))
        #expect(stage.engine.takeOutcomes().map { $0.isFinished } == [true])
    }

    @Test func `a hand that zooms while the map waits is where the map sets off from`() {
        var stage = Stage(zoom: 11)
        stage.set(.followPuck(zoom: 13), by: .default(maxDuration: 1))
        stage.engine.handle(.zoom(9), at: stage.now)
        let left = Camera(center: Stage.place(300), zoom: 9)
        stage.engine.moved(byHandTo: left)
        #expect(stage.status == .waiting(for: .followPuck(zoom: 9)) && stage.camera == left)
        stage.fix(2_000)
        #expect(stage.camera == left)
        stage.run(1.1)
        #expect(stage.camera == Camera(center: Stage.place(2_000), zoom: 9))
    }

    @Test func `another person is followed from where the camera is`() {
        var stage = Stage()
        stage.follow()
        stage.engine.moved(PuckID(4), to: PuckFix(coordinate: Stage.place(800)), at: stage.now)
        stage.engine.frame(at: stage.now)
        let before = stage.camera
        stage.set(.followPuck(zoom: 14, subject: PuckID(4)), by: .default(maxDuration: 1))
        #expect(stage.engine.frame(at: stage.now) == before)
        stage.run(1.1)
        #expect(stage.camera.center == Stage.place(800))
        stage.engine.removed(PuckID(4))
        stage.fix(50)
        #expect(stage.run(2).allSatisfy { $0.center == Stage.place(800) })
    }

    @Test func `a far jump is shown at once, a near one glides`() {
        var stage = Stage(zoom: 15)
        stage.follow(zoom: 15)
        stage.now += 1
        stage.fix(60_000)
        #expect(stage.puck?.coordinate == Stage.place(60_000))
        stage.now += 1
        stage.fix(61_000)
        #expect(stage.puck?.coordinate == Stage.place(60_000))
    }

    @Test(arguments: [(0.05, 0.3), (0.8, 0.8), (60, 2)])
    func `glides last as long as fixes are apart, within 0.3 and 2 s`(_ gap: Double, _ glide: Double) {
        var puck = PuckMotion(PuckFix(coordinate: Stage.place(0)), at: 0)
        puck.move(to: PuckFix(coordinate: Stage.place(10)), at: gap)
        #expect(puck.isMoving(at: gap + glide - 0.001) && !puck.isMoving(at: gap + glide + 0.001))
    }

    @Test func `accuracy glides along, and its lack is seen at once`() {
        var puck = PuckMotion(PuckFix(coordinate: Stage.place(0), accuracy: 10), at: 0)
        puck.move(to: PuckFix(coordinate: Stage.place(10), accuracy: 30), at: 1)
        #expect(puck.drawn(at: 1.5).accuracy == 20)
        puck.move(to: PuckFix(coordinate: Stage.place(10)), at: 2)
        #expect(puck.drawn(at: 2).accuracy == nil)
    }

    @Test(arguments: [(nil, 30.0), (60, 120), (10, 30)] as [(Double?, Double)])
    func `a puck is stale after twice what was promised, after 30 s at the earliest`(
        _ promised: Double?, _ limit: Double
    ) {
        let puck = PuckMotion(PuckFix(coordinate: Stage.place(0), nextWithin: promised), at: 0)
        #expect(!puck.drawn(at: limit).isStale && puck.drawn(at: limit + 0.1).isStale)
    }

    @Test func `where nothing was promised the usual interval counts`() {
        var puck = PuckMotion(PuckFix(coordinate: Stage.place(0)), at: 0)
        for step in 1...20 {
            puck.move(to: PuckFix(coordinate: Stage.place(Double(step))), at: Double(step) * 40)
        }
        #expect(!puck.drawn(at: 800 + 79).isStale && puck.drawn(at: 800 + 81).isStale)
    }

    @Test func `a clock that goes back stands still`() {
        var stage = Stage()
        stage.set(.camera(zoom: 15), by: .linear(duration: 1))
        stage.run(0.6)
        let camera = stage.camera
        #expect(stage.engine.frame(at: stage.now - 0.5) == camera)
        #expect(stage.engine.frame(at: stage.now) == camera)
    }

    @Test func `whoever walks past the opposite meridian is met without a turn around`() {
        var machine = ViewportMachine(
            camera: Camera(center: Coordinate(latitude: 0, longitude: 0)!, zoom: 2), size: Stage.size)
        let place = { (longitude: Double) in
            DrawnPuck(coordinate: Coordinate(latitude: 0, longitude: longitude)!)
        }
        machine.set(.followPuck(zoom: 2), by: .linear(duration: 1), at: 0, puck: place(179))
        var last = machine.camera.center.longitude
        for step in 1...100 {
            let target = 179 + Double(step) * 0.04
            let longitude = machine.advance(
                to: Double(step) / 100, puck: place(target > 180 ? target - 360 : target)
            ).center.longitude
            let turn = Bearing.delta(from: last, to: longitude)
            #expect(turn > 0 && turn < 3)
            last = longitude
        }
        #expect(abs(last - -177) < 1e-9)
    }

    @Test func `a short way takes as long as an eye needs, a still one no time`() {
        var stage = Stage(zoom: 15)
        stage.set(.camera(center: Stage.place(20)), by: .default(), id: 1)
        stage.run(0.2)
        #expect(stage.engine.viewport.isMoving)
        stage.run(0.07)
        #expect(!stage.engine.viewport.isMoving)
        stage.set(.camera(center: Stage.place(20), zoom: 15.000_1), by: .default(), id: 2)
        #expect(!stage.engine.viewport.isMoving)
        #expect(stage.engine.takeOutcomes().count == 2)
    }

    @Test func `a turn alone takes half the time of half a turn`() {
        var stage = Stage()
        stage.set(.camera(bearing: 90), by: .default())
        stage.run(0.45)
        #expect(stage.engine.viewport.isMoving)
        stage.run(0.1)
        #expect(!stage.engine.viewport.isMoving && stage.camera.bearing == 90)
    }

    @Test func `an eased way zooms around the one point that stays where it is`() throws {
        let start = Camera(center: Stage.helsinki, zoom: 12)
        let end = Camera(center: Stage.place(700, 300), zoom: 14.5)
        let way = CameraWay(from: start, to: end, in: Stage.size, lowestZoom: 0, flies: false)
        // The point that is at the same place on the screen at both ends.
        let (a, b) = (start.center.worldPoint, end.center.worldPoint)
        let grown = PortableMath.exp2(14.5 - 12)
        let still = Coordinate(
            WorldPoint(x: (b.x * grown - a.x) / (grown - 1), y: (b.y * grown - a.y) / (grown - 1)))
        let held = try #require(start.screenPoint(of: still, in: Stage.size))
        for part in stride(from: 0.1, through: 1, by: 0.1) {
            let at = try #require(way.camera(at: part).screenPoint(of: still, in: Stage.size))
            #expect(abs(at.x - held.x) < 1e-3 && abs(at.y - held.y) < 1e-3)
        }
    }

    @Test func `a compass that comes late turns the map and does not throw it around`() {
        var stage = Stage()
        stage.follow(zoom: 15, bearing: .heading)
        stage.engine.turned(.user, to: 120, at: stage.now)
        let frames = stage.run(0.4)
        for (a, b) in zip([Camera(center: stage.camera.center, zoom: 15)] + frames, frames) {
            #expect(abs(Bearing.delta(from: a.bearing, to: b.bearing)) < 25)
        }
        #expect(stage.camera.bearing == 120)
    }

    @Test func `a flight stays above the lowest zoom`() {
        let path = { (lowest: Double?) in
            FlyPath(distance: 500_000, startZoom: 12, endZoom: 12, screenful: 800, minZoom: lowest)
        }
        let lowest = { (path: FlyPath) in (0...100).map { path.at(Double($0) / 100).zoom }.min() ?? .nan }
        #expect(lowest(path(nil)) < 3)
        #expect(lowest(path(6)) > 5.9 && lowest(path(6)) < 6.5)
        #expect(path(6).rho < FlyPath.curve && path(-2).rho == FlyPath.curve)
    }

    @Test func `on a map without a size everything is there at once`() {
        var stage = Stage(size: ScreenSize(width: 0, height: 0))
        stage.set(.camera(center: Stage.place(9_000), zoom: 15), by: .fly(), id: 1)
        #expect(stage.camera == Camera(center: Stage.place(9_000), zoom: 15))
        #expect(stage.engine.takeOutcomes().map { $0.isFinished } == [true])
    }

    @Test func `one long pause does not make long pauses usual`() {
        var puck = PuckMotion(PuckFix(coordinate: Stage.place(0)), at: 0)
        for second in 1...20 { puck.move(to: PuckFix(coordinate: Stage.place(0)), at: Double(second)) }
        puck.move(to: PuckFix(coordinate: Stage.place(0)), at: 60)
        #expect(puck.drawn(at: 60 + 31).isStale)
    }

    @Test func `a pulse beats while fresh and moves nobody who wants no motion`() {
        let puck = DrawnPuck(coordinate: Stage.helsinki, accuracy: 30, heading: 100)
        let stale = DrawnPuck(coordinate: Stage.helsinki, accuracy: 30, isStale: true)
        let look = Puck2D(bearing: .heading).showsAccuracyRing(true).pulsing(.accuracy).opacity(0.5)
        let camera = Camera(center: Stage.helsinki, zoom: 15, bearing: 30)
        let drawing = look.drawing(of: puck, by: camera, at: 1)
        #expect(drawing.arrow == 70 && drawing.opacity == 0.5 && !drawing.isGrey)
        #expect((drawing.pulseRadius ?? 0) > 0 && (drawing.pulseRadius ?? 0) <= (drawing.ringRadius ?? 0))
        #expect(look.drawing(of: puck, by: camera, at: 1, beats: false).pulseRadius == nil)
        #expect(look.drawing(of: stale, by: camera, at: 1).pulseRadius == nil)
        #expect(look.drawing(of: stale, by: camera, at: 1).isGrey)
    }

    @Test func `what makes no sense cannot be said`() async {
        await #expect(processExitsWith: .failure) {
            _ = Viewport.followPuck(zoom: 13, bearing: .constant(.nan))
        }
        await #expect(processExitsWith: .failure) { _ = Viewport.camera(zoom: .infinity) }
        await #expect(processExitsWith: .failure) { _ = Viewport.overview(.coordinates([]), pitch: 90) }
        await #expect(processExitsWith: .failure) { _ = Padding(top: -1) }
        await #expect(processExitsWith: .failure) { _ = ScreenSize(width: 1e300, height: 1) }
        await #expect(processExitsWith: .failure) { _ = CameraLimits(zoom: -1_000...22) }
        await #expect(processExitsWith: .failure) { _ = Transition.fly(duration: -1) }
    }

    @Test func `viewports are equal by value, bearings modulo a turn`() {
        #expect(
            Viewport.followPuck(zoom: 1, bearing: .constant(370))
                == .followPuck(zoom: 1, bearing: .constant(10)))
        #expect(Viewport.camera(bearing: -90) == .camera(bearing: 270))
        #expect(Viewport.camera(zoom: 3) != .camera(zoom: 3).padding(5))
        #expect(Viewport.followPuck(zoom: 1, bearing: .heading).followPuck?.bearing == .heading)
        #expect(Viewport.idle.isIdle && Viewport.idle.camera == nil && Viewport.idle.overview == nil)
    }
}
