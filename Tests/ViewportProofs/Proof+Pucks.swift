import YonderGeo
import YonderViewport

extension Proof {
    static let glide: @Sendable (inout Dice) -> Int? = { dice in
        var place = dice.place()
        var puck = PuckMotion(dice.fix(near: place), at: 0)
        var now = 0.0
        for _ in 0..<20 {
            now += dice.number(in: 0...3)
            let before = puck.drawn(at: now)
            let target = dice.fix(near: before.coordinate)
            let isInstant = dice.chance(0.1)
            puck.move(to: target, at: now, farAway: 1e5, isInstant: isInstant)
            let jumps = isInstant || before.coordinate.distance(to: target.coordinate) > 1e5
            guard puck.drawn(at: now).coordinate == (jumps ? target.coordinate : before.coordinate) else {
                return #line
            }
            if dice.chance(0.5) {
                let heading = puck.drawn(at: now).heading
                puck.turn(to: dice.number(in: 0...360), at: now)
                guard heading == nil || puck.drawn(at: now).heading == heading else { return #line }
            }
            let whole = Bearing.delta(from: before.coordinate.longitude, to: target.coordinate.longitude)
            var last = puck.drawn(at: now)
            for step in 1...8 {
                let drawn = puck.drawn(at: now + 2.2 * Double(step) / 8)
                let east = Bearing.delta(from: last.coordinate.longitude, to: drawn.coordinate.longitude)
                guard east * whole >= -1e-9 || abs(whole) > 179.999 else { return #line }
                if let a = last.heading, let b = drawn.heading {
                    guard b >= 0, b < 360, abs(Bearing.delta(from: a, to: b)) <= 180 else { return #line }
                }
                guard drawn.accuracy.map({ $0 > 0 && $0.isFinite }) ?? true else { return #line }
                last = drawn
            }
            guard puck.drawn(at: now + 2).coordinate == target.coordinate, !puck.isMoving(at: now + 2) else {
                return #line
            }
            place = target.coordinate
        }
        return nil
    }

    /// The machine of the button beside the viewport, with everything that can happen to either.
    static let button: @Sendable (inout Dice) -> Int? = { dice in
        var options = LocateMe.Options()
        options.keepsCloserZoom = dice.chance(0.5)
        options.levelsWhenFreed = dice.chance(0.5)
        var engine = MapEngine(camera: dice.camera(), size: dice.size(), options: options)
        var isOn = false
        var now = 0.0
        let orders: (inout Bool, LocateMe.Reaction) -> Void = { isOn, reaction in
            if let source = reaction.source { isOn = source == .start }
        }
        var place = dice.place()
        for _ in 0..<30 {
            now += dice.number(in: 0...4)
            switch dice.below(12) {
            case 0, 1, 2: orders(&isOn, engine.tapped(at: now))
            case 3, 4:
                guard isOn else { break }
                let fix = dice.fix(near: place)
                place = fix.coordinate
                engine.moved(.user, to: fix, at: now)
            case 5: engine.turned(.user, to: dice.chance(0.3) ? nil : dice.number(in: 0...360), at: now)
            case 6: orders(&isOn, engine.failed(dice.chance(0.5) ? .denied : .unavailable(.position)))
            case 7: orders(&isOn, engine.permitted(dice.chance(0.6), at: now))
            case 8: orders(&isOn, engine.seen(dice.chance(0.6), at: now))
            case 9: orders(&isOn, engine.ticked(at: now))
            case 10: engine.handle(dice.chance(0.5) ? .pan : .zoom(12), at: now)
            default: engine.set(dice.viewport(), by: dice.transition(), at: now)
            }
            engine.frame(at: now)
            guard isOn == engine.locateMe.wantsSource else { return #line }
            let follow = engine.viewport.status.viewport.followPuck
            switch engine.locateMeState {
            case .followNorth, .followHeading:
                guard let follow, follow.subject == .user else { return #line }
            case .free:
                guard follow == nil || follow?.subject != .user else { return #line }
            case .off, .waiting, .denied, .unavailable: break
            }
        }
        return nil
    }
}
