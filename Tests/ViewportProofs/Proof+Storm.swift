import YonderGeo
import YonderViewport

extension Proof {
    /// Everything at random: viewports, hands, sizes, fixes, headings, motion on and off, clocks that stand or leap.
    static let storm: @Sendable (inout Dice) -> Int? = { dice in
        let low = dice.number(in: -2...6)
        let limits = CameraLimits(zoom: low...dice.number(in: low...24), maxPitch: dice.number(in: 0...85))
        var size = dice.size()
        var engine = MapEngine(camera: dice.camera(), size: size, limits: limits)
        if dice.chance(0.3) { engine.setStyleDefault(dice.camera()) }
        var now = dice.number(in: 0...1e6)
        var place = dice.place()
        var asked: Int32 = 0
        var ended: [Int32] = []
        for _ in 0..<12 {
            switch dice.below(11) {
            case 0, 1, 2:
                asked += 1
                engine.set(
                    dice.viewport(), by: dice.chance(0.15) ? .immediate : dice.transition(),
                    id: TransitionID(asked), at: now)
            case 3:
                let gestures: [MapGesture] = [
                    .pan, .doubleTap, .twoFingerTap, .zoom(dice.number(in: -5...30)),
                    .rotate(dice.number(in: -900...900)), .tilt(dice.number(in: -10...100)), .zoom(.nan),
                    .rotate(.infinity), .tilt(.nan),
                ]
                engine.handle(gestures[dice.below(9)], at: now)
            case 4:
                size = dice.size()
                engine.resize(to: size, at: now)
            case 5, 6:
                let fix = dice.fix(near: place)
                place = fix.coordinate
                engine.moved(.user, to: fix, at: now)
            case 7: engine.turned(.user, to: dice.chance(0.2) ? nil : dice.number(in: -10...400), at: now)
            case 8:
                engine.moved(byHandTo: dice.camera())
                if dice.chance(0.2) { engine.reducesMotion.toggle() }
            case 9: if dice.chance(0.3) { engine.removed(.user) }
            default: engine.seen(dice.chance(0.5), at: now)
            }
            for _ in 0..<dice.below(10) {
                // A clock that goes back, and one that is no number, do no harm.
                now += dice.chance(0.03) ? -1 : dice.chance(0.05) ? 30 : dice.number(in: 0...0.1)
                let camera = engine.frame(at: dice.chance(0.01) ? .nan : now)
                guard camera.isSound(limits) else { return #line }
            }
            ended += engine.takeOutcomes().map { $0.id.number }
        }
        engine.set(.idle, at: now + 100)
        ended += engine.takeOutcomes().map { $0.id.number }
        ended.sort()
        return ended == Array(1..<(asked + 1)) ? nil : #line
    }
}
