import YonderGeo
import YonderViewport

extension Proof {
    private static let frame = 1.0 / 60

    /// Between cameras that stand still, both at random.
    static let shorterWay: @Sendable (inout Dice) -> Int? = { dice in
        var machine = ViewportMachine(camera: dice.camera(), size: dice.size())
        let start = machine.camera
        machine.set(
            dice.chance(0.7) ? dice.fixed() : dice.overview(), by: dice.transition(), at: 0, puck: nil)
        var frames: [Camera] = [start]
        var now = 0.0
        while machine.isMoving, now < 60 {
            now += dice.number(in: 0.001...0.2)
            frames.append(machine.advance(to: now, puck: nil))
        }
        guard case .state = machine.status, let end = frames.last else { return #line }
        let whole = Bearing.delta(from: start.center.longitude, to: end.center.longitude)
        let turn = Bearing.delta(from: start.bearing, to: end.bearing)
        var (gone, turned) = (0.0, 0.0)
        for (a, b) in zip(frames, frames.dropFirst()) {
            let east = Bearing.delta(from: a.center.longitude, to: b.center.longitude)
            let clockwise = Bearing.delta(from: a.bearing, to: b.bearing)
            // Never back, and a half turn may be met exactly on either side.
            guard east * whole >= -1e-9 || abs(whole) > 180 - 1e-9 else { return #line }
            guard clockwise * turn >= -1e-9 || abs(turn) > 180 - 1e-9 else { return #line }
            gone += abs(east)
            turned += abs(clockwise)
        }
        guard gone <= abs(whole) + 1e-6, turned <= abs(turn) + 1e-6 else { return #line }
        return gone <= 180 + 1e-6 && turned <= 180 + 1e-6 ? nil : #line
    }

    /// A transition, another one at a random moment of it, with a puck that moves.
    static let interruption: @Sendable (inout Dice) -> Int? = { dice in
        var engine = MapEngine(camera: dice.camera(), size: dice.size())
        var now = 0.0
        var place = dice.place()
        engine.moved(.user, to: dice.fix(near: place), at: now)
        for _ in 0..<4 {
            engine.set(dice.viewport(), by: dice.transition(), at: now)
            for _ in 0..<dice.below(20) {
                now += dice.number(in: 0...0.15)
                engine.frame(at: now)
                if dice.chance(0.1) {
                    place = engine.drawn(.user)!.coordinate
                    engine.moved(.user, to: dice.fix(near: place), at: now)
                }
            }
            now += dice.number(in: 0...0.15)
            let before = engine.frame(at: now)
            engine.set(dice.viewport(), by: dice.transition(), at: now)
            guard engine.viewport.isMoving else { continue }
            guard CameraStep(before, engine.frame(at: now)).isNone else { return #line }
        }
        return nil
    }

    /// Each frame's step against the path's length and the steepest part of its timing.
    static let pace: @Sendable (inout Dice) -> Int? = { dice in
        let size = ScreenSize(width: dice.number(in: 200...2000), height: dice.number(in: 200...2000))
        let start = dice.camera()
        let end =
            dice.chance(0.5)
            ? dice.camera()
            : Camera(
                center: dice.place(near: start.center, metres: 3_000),
                zoom: start.zoom + dice.number(in: -2...2),
                bearing: dice.number(in: 0...360), pitch: dice.number(in: 0...60))
        let seconds = dice.number(in: 0.1...4)
        let steady = dice.chance(0.3)
        var machine = ViewportMachine(camera: start, size: size)
        let target = Viewport.camera(
            center: end.center, zoom: end.zoom, bearing: end.bearing, pitch: end.pitch)
        machine.set(
            target.padding(end.padding), by: steady ? .linear(duration: seconds) : .fly(duration: seconds),
            at: 0, puck: nil)
        guard machine.isMoving else { return nil }
        let easing = steady ? Easing.linear : Easing.ease
        let (from, to) = (start.center.worldPoint, machineTarget(machine, seconds).center.worldPoint)
        var dx = to.x - from.x
        dx -= dx.rounded()
        let across = (dx * dx + (to.y - from.y) * (to.y - from.y)).squareRoot()
        let path = FlyPath(
            distance: across * Mercator.worldSize(zoom: start.zoom), startZoom: start.zoom,
            endZoom: machineTarget(machine, seconds).zoom, screenful: max(size.width, size.height), minZoom: 0
        )
        let zoomed = machineTarget(machine, seconds).zoom - start.zoom
        // So short that within one the map is as good as flat.
        let instant = seconds / max(30, path.length * 60)
        var last = machine.advance(to: 0, puck: nil)
        var part = 0.0
        var now = 0.0
        while now < seconds {
            now += instant
            let camera = machine.advance(to: now, puck: nil)
            let next = easing(now / seconds)
            let step = CameraStep(last, camera)
            if steady {
                guard step.zoom <= abs(zoomed) * (next - part) + 1e-9 else { return #line }
            } else {
                // In the paper's metric: du² · ρ²/w² + dw² / (ρ² w²), here between two points of the path.
                let wide = max(size.width, size.height)
                let pan = path.rho * step.pixels / wide / PortableHalf.exp2(step.zoom)
                let zoom = step.zoom * 0.693_147_180_559_945_3 / path.rho
                let bound = path.length * (next - part)
                // Where the lowest zoom cuts the path's top off, the way across is a little longer.
                let slack = last.zoom == 0 || camera.zoom == 0 ? 1.5 : 1 + 2 * bound
                guard max(pan, zoom) <= bound * slack + 1e-6 else { return #line }
            }
            guard step.bearing <= 180 * (next - part) + 1e-6 else { return #line }
            (last, part) = (camera, next)
        }
        return nil
    }

    private static func machineTarget(_ machine: ViewportMachine, _ seconds: Double) -> Camera {
        var copy = machine
        return copy.advance(to: seconds + 1, puck: nil)
    }

    /// To a puck that walks, rides or flies while it is flown to.
    static let handover: @Sendable (inout Dice) -> Int? = { dice in
        let start = dice.chance(0.3) ? dice.camera() : nil
        let first = dice.place()
        let seconds = dice.number(in: 0.05...3.5)
        var engine = MapEngine(
            camera: start
                ?? Camera(center: dice.place(near: first, metres: 5_000), zoom: dice.number(in: 8...18)),
            size: ScreenSize(width: 390, height: 844))
        let metres = dice.number(in: 0...120)
        engine.moved(.user, to: dice.fix(near: first), at: 0)
        engine.turned(.user, to: dice.number(in: 0...359), at: 0)
        engine.set(
            .followPuck(
                zoom: dice.number(in: 5...18), bearing: dice.chance(0.5) ? .heading : .constant(0), pitch: 30),
            by: .default(maxDuration: seconds), id: TransitionID(1), at: 0)
        var now = 0.0
        var place = first
        var nextFix = 1.0
        var (last, lastHeading, wholeTurn) = (engine.frame(at: 0), engine.drawn(.user)?.heading, 180.0)
        while engine.viewport.isMoving {
            now += frame
            if now > nextFix {
                place = dice.place(near: place, metres: metres)
                engine.moved(.user, to: PuckFix(coordinate: place, accuracy: 5), at: now)
                engine.turned(.user, to: dice.number(in: 0...359), at: now)
                nextFix += 1
            }
            let camera = engine.frame(at: now)
            guard now <= seconds + frame + 1e-9 || !engine.viewport.isMoving else { return #line }
            // A compass that turns past the opposite side does not make the map swing back.
            guard let heading = engine.drawn(.user)?.heading, let before = lastHeading else { return #line }
            let turned = abs(Bearing.delta(from: before, to: heading))
            wholeTurn += turned
            let steepest = 1.8 * frame / min(seconds, 0.25)
            guard CameraStep(last, camera).bearing <= turned + wholeTurn * steepest + 1e-6 else {
                return #line
            }
            (last, lastHeading) = (camera, heading)
        }
        let outcomes = engine.takeOutcomes()
        guard outcomes.count == 1, outcomes[0].id == TransitionID(1), outcomes[0].isFinished else {
            return #line
        }
        // It is where the puck is, from the first frame on that is the state's.
        for _ in 0..<30 {
            let before = engine.viewport.camera
            guard let puckBefore = engine.drawn(.user) else { return #line }
            guard before.center == puckBefore.coordinate else { return #line }
            now += frame
            let camera = engine.frame(at: now)
            guard let puck = engine.drawn(.user) else { return #line }
            let motion = CameraStep(
                Camera(center: puckBefore.coordinate, zoom: camera.zoom),
                Camera(center: puck.coordinate, zoom: camera.zoom))
            let step = CameraStep(before, camera)
            guard step.pixels <= motion.pixels + 1e-6, step.zoom == 0, step.pitch == 0 else { return #line }
            guard camera.bearing == 0 || camera.bearing == puck.heading else { return #line }
        }
        return nil
    }
}

/// 2 to a power, for a bound that must not come from the engine.
enum PortableHalf {
    static func exp2(_ x: Double) -> Double {
        // The square root of two, again and again, is exact enough for a bound.
        var (result, step, rest) = (1.0, 2.0, x)
        while rest >= 1 { (result, rest) = (result * 2, rest - 1) }
        for _ in 0..<50 {
            step = step.squareRoot()
            rest *= 2
            if rest >= 1 { (result, rest) = (result * step, rest - 1) }
        }
        return result
    }
}
