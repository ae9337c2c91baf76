import Testing
import YonderGeo

@testable import YonderViewport

struct LocateMeTests {
    private func stage(turning: Bool = true, _ change: (inout LocateMe.Options) -> Void = { _ in }) -> Stage {
        var options = LocateMe.Options()
        change(&options)
        var stage = Stage(zoom: 11, options: options)
        stage.engine.tapped(at: stage.now)
        stage.fix(300)
        if turning { stage.engine.turned(.user, to: 45, at: stage.now) }
        stage.run(1.1)
        return stage
    }

    @Test func `a first tap asks, waits, and goes there at the first fix`() {
        var stage = Stage()
        #expect(stage.engine.locateMeState == .off)
        let reaction = stage.engine.tapped(at: stage.now)
        #expect(reaction.source == .start && !reaction.explains)
        #expect(stage.engine.locateMeState == .waiting)
        #expect(stage.status == .waiting(for: .followPuck(zoom: 13)))
        stage.fix(300)
        #expect(stage.engine.locateMeState == .followNorth)
        stage.run(1.1)
        #expect(stage.camera == Camera(center: Stage.place(300), zoom: 13))
    }

    @Test func `taps go from north-up over heading to free and back`() {
        var stage = stage()
        stage.engine.tapped(at: stage.now)
        #expect(stage.engine.locateMeState == .followHeading)
        stage.run(1.1)
        #expect(stage.camera == Camera(center: Stage.place(300), zoom: 16.5, bearing: 45, pitch: 60))
        stage.engine.tapped(at: stage.now)
        #expect(stage.engine.locateMeState == .free && stage.status == .idle(.requested))
        #expect(stage.run(1).allSatisfy { $0.pitch == 60 && $0.bearing == 45 })
        stage.engine.tapped(at: stage.now)
        #expect(stage.engine.locateMeState == .followNorth)
        stage.run(1.1)
        #expect(stage.camera == Camera(center: Stage.place(300), zoom: 13))
    }

    @Test func `with the page's options it stays close and levels the map`() {
        var stage = Stage(zoom: 17)
        var options = LocateMe.Options()
        (options.keepsCloserZoom, options.levelsWhenFreed) = (true, true)
        stage = Stage(zoom: 17, options: options)
        stage.engine.tapped(at: stage.now)
        stage.fix(0)
        stage.engine.turned(.user, to: 45, at: stage.now)
        stage.run(1.1)
        #expect(stage.camera.zoom == 17)
        stage.engine.tapped(at: stage.now)
        stage.run(1.1)
        #expect(stage.camera.zoom == 17 && stage.camera.pitch == 60)
        stage.engine.tapped(at: stage.now)
        #expect(stage.engine.locateMeState == .free)
        stage.run(1.1)
        #expect(stage.camera == Camera(center: Stage.helsinki, zoom: 17, bearing: 45, pitch: 0))
    }

    @Test func `without compass and course the heading step is left out`() {
        var stage = stage(turning: false)
        stage.engine.tapped(at: stage.now)
        #expect(stage.engine.locateMeState == .free)
    }

    @Test func `without a compass it turns with the course`() {
        var stage = stage(turning: false)
        stage.fix(310, course: 120, speed: 5)
        stage.run(1)
        stage.engine.tapped(at: stage.now)
        #expect(stage.status.viewport.followPuck?.bearing == .course)
        stage.run(2)
        #expect(stage.camera.bearing == 120)
    }

    @Test func `a compass that goes while the map turns with it leaves north-up`() {
        var stage = stage()
        stage.engine.tapped(at: stage.now)
        stage.run(1.1)
        stage.engine.turned(.user, to: nil, at: stage.now)
        #expect(stage.engine.locateMeState == .followNorth)
        stage.run(1.1)
        #expect(stage.camera.bearing == 0 && stage.camera.zoom == 16.5)
    }

    @Test func `a pan while it waits is kept when the fix comes`() {
        var stage = Stage()
        stage.engine.tapped(at: stage.now)
        stage.engine.handle(.pan, at: stage.now)
        let camera = stage.camera
        stage.fix(500)
        stage.run(2)
        #expect(stage.engine.locateMeState == .free && stage.camera == camera)
    }

    @Test func `a second tap while it waits calls it off`() {
        var stage = Stage()
        stage.engine.tapped(at: stage.now)
        #expect(stage.engine.tapped(at: stage.now).source == .stop)
        #expect(stage.engine.locateMeState == .off && stage.status == .idle(.requested))
    }

    @Test func `denied says so, helps, and goes on when it is granted`() {
        var stage = Stage()
        stage.engine.tapped(at: stage.now)
        #expect(stage.engine.failed(.denied).source == .stop)
        #expect(stage.engine.locateMeState == .denied)
        let reaction = stage.engine.tapped(at: stage.now)
        #expect(reaction.source == .start && reaction.explains)
        #expect(stage.engine.failed(.denied).source == .stop)
        #expect(stage.engine.permitted(true, at: stage.now).source == .start)
        #expect(stage.engine.locateMeState == .waiting)
        stage.fix(100)
        stage.run(2)
        #expect(stage.engine.locateMeState == .followNorth && stage.camera.center == Stage.place(100))
    }

    @Test func `a permission that is taken back stops it, and the camera stays`() {
        var stage = stage()
        let camera = stage.camera
        #expect(stage.engine.permitted(false, at: stage.now).source == .stop)
        #expect(stage.engine.locateMeState == .denied)
        stage.run(2)
        #expect(stage.camera == camera)
    }

    @Test func `what passes is said and forgotten at the next fix`() {
        var stage = stage()
        #expect(stage.engine.failed(.unavailable(.position)).source == nil)
        #expect(stage.engine.locateMeState == .unavailable(.position))
        stage.fix(320)
        #expect(stage.engine.locateMeState == .followNorth)
    }

    @Test(arguments: [LocateMe.Reason.unsupported, .insecure])
    func `where there is no position at all a tap explains`(_ reason: LocateMe.Reason) {
        var stage = Stage()
        stage.engine.ruledOut(reason)
        let reaction = stage.engine.tapped(at: stage.now)
        #expect(reaction == LocateMe.Reaction(explains: true))
        #expect(stage.engine.locateMeState == .unavailable(reason))
    }

    @Test func `a receiver that does not answer is asked anew, and the wait has an end`() {
        var stage = Stage()
        stage.engine.tapped(at: stage.now)
        stage.now += 19.9
        #expect(stage.engine.ticked(at: stage.now).source == nil)
        stage.now += 0.2
        #expect(stage.engine.ticked(at: stage.now).source == .start)
        #expect(stage.engine.locateMeState == .unavailable(.timeout))
        stage.fix(0)
        #expect(stage.engine.locateMeState == .followNorth)
    }

    @Test func `a receiver's patience begins anew when the map is seen again`() {
        var stage = Stage()
        stage.engine.tapped(at: stage.now)
        stage.engine.seen(false, at: stage.now + 5)
        #expect(stage.engine.ticked(at: stage.now + 100).source == nil)
        #expect(stage.engine.seen(true, at: stage.now + 100).source == .start)
        #expect(stage.engine.ticked(at: stage.now + 110).source == nil)
        #expect(stage.engine.ticked(at: stage.now + 121).source == .start)
    }

    @Test func `an unseen map asks nobody, and follows on without a glide`() {
        var stage = stage()
        #expect(stage.engine.seen(false, at: stage.now).source == .stop)
        #expect(stage.engine.seen(false, at: stage.now).source == nil)
        stage.now += 600
        #expect(stage.engine.seen(true, at: stage.now).source == .start)
        #expect(stage.engine.locateMeState == .followNorth)
        stage.fix(2_000)
        #expect(stage.camera.center == Stage.place(2_000))
        stage.fix(2_100)
        #expect(stage.camera.center != Stage.place(2_100))
    }

    @Test func `a viewport set by other means is what the button shows`() {
        var stage = stage()
        stage.set(.followPuck(zoom: 15, bearing: .heading))
        #expect(stage.engine.locateMeState == .followHeading)
        stage.set(.overview(.coordinates([Stage.helsinki])))
        #expect(stage.engine.locateMeState == .free)
        stage.set(.followPuck(zoom: 15, subject: PuckID(3)))
        #expect(stage.engine.locateMeState == .free)
    }

    @Test func `a map that follows from the start asks once`() {
        var stage = Stage()
        stage.set(.followPuck(zoom: 13))
        #expect(stage.engine.followed(at: stage.now).source == .start)
        #expect(stage.engine.followed(at: stage.now).source == nil)
        stage.fix(0)
        #expect(stage.engine.locateMeState == .followNorth)
    }

    @Test func `a puck without fixes turns grey`() {
        var stage = stage()
        #expect(!stage.engine.isStale)
        stage.run(28)
        #expect(!stage.engine.isStale)
        stage.run(2)
        #expect(stage.engine.isStale)
        #expect(stage.engine.locateMeState == .followNorth)
    }

    @Test func `no step of the cycle waits before it moves, nor takes longer than it may`() {
        var stage = Stage(zoom: 10)
        stage.engine.tapped(at: stage.now)
        stage.fix(2_000)
        stage.engine.turned(.user, to: 135, at: stage.now)
        for _ in 0..<3 {
            let before = stage.camera
            let frames = stage.run(1.05)
            #expect(frames[0] != before && frames[2] != frames[1])
            #expect(!stage.engine.viewport.isMoving)
            stage.engine.handle(.pan, at: stage.now)
            stage.engine.moved(
                byHandTo: Camera(center: Stage.place(1_000, 700), zoom: 12, bearing: 300, pitch: 20))
            stage.engine.tapped(at: stage.now)
        }
    }
}
