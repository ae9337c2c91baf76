import YonderGeo
import YonderViewport

extension Proof {
    static let overview: @Sendable (inout Dice) -> Int? = { dice in
        let size = ScreenSize(width: dice.number(in: 250...2000), height: dice.number(in: 250...2000))
        let middle = Coordinate(latitude: dice.number(in: -80...80), longitude: dice.number(in: -180...180))!
        var places = [middle]
        let spread = dice.chance(0.5) ? 3_000.0 : 300_000
        for _ in 0..<dice.below(8) { places.append(dice.place(near: middle, metres: spread)) }
        let padding = dice.padding()
        let free = dice.number(in: 0...30)
        let pitch = dice.chance(0.5) ? 0 : dice.number(in: 0...60)
        guard
            let camera = Camera.fitting(
                .coordinates(places), in: size, padding: padding,
                geometryPadding: Padding(floatLiteral: free),
                bearing: dice.number(in: 0...360), pitch: pitch)
        else { return padding.left + padding.right + 2 * free < size.width - 1 ? #line : nil }
        // At the world's own zoom nothing more can be done.
        guard camera.zoom > 0 else { return nil }
        for place in places where abs(place.latitude) < 85 {
            guard let at = camera.screenPoint(of: place, in: size) else { return #line }
            let slack = 1e-4
            guard at.x >= padding.left + free - slack, at.x <= size.width - padding.right - free + slack,
                at.y >= padding.top + free - slack, at.y <= size.height - padding.bottom - free + slack
            else { return #line }
        }
        return nil
    }

    static let projection: @Sendable (inout Dice) -> Int? = { dice in
        let camera = dice.camera()
        let size = ScreenSize(width: dice.number(in: 200...2000), height: dice.number(in: 200...2000))
        let point = ScreenPoint(x: dice.number(in: 0...size.width), y: dice.number(in: 0...size.height))
        // Where the world is smaller than the map the same place is there more than once.
        let isUnique = Mercator.worldSize(zoom: camera.zoom) > 4 * max(size.width, size.height)
        if isUnique, let place = camera.coordinate(at: point, in: size) {
            guard let again = camera.screenPoint(of: place, in: size) else { return #line }
            guard abs(again.x - point.x) < 1e-3, abs(again.y - point.y) < 1e-3 else { return #line }
        }
        let focus = camera.padding.focus(in: size)
        guard let middle = camera.screenPoint(of: camera.center, in: size) else { return #line }
        return abs(middle.x - focus.x) < 1e-6 && abs(middle.y - focus.y) < 1e-6 ? nil : #line
    }
}
