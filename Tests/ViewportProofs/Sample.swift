import YonderGeo
import YonderViewport

/// Numbers of one kind from random input, to see how far native and WebAssembly are apart.
public struct Sample: Sendable {
    /// What it is, and its unit.
    public let name: StaticString
    let value: @Sendable (inout Dice) -> Double

    /// The number of a seed.
    public func value(seed: UInt64) -> Double {
        var dice = Dice(seed: seed &* 0x9E37_79B9)
        return value(&dice)
    }

    /// All kinds.
    public static let all: [Sample] = [
        Sample(name: "haversine distance, m") { $0.place().distance(to: $0.place()) },
        Sample(name: "geodesic distance, m") { $0.place().geodesic(to: $0.place()).distance },
        Sample(name: "initial bearing, degrees") { $0.place().initialBearing(to: $0.place()) },
        Sample(name: "Web Mercator y at zoom 22, px") {
            $0.place().worldPoint.y * Mercator.worldSize(zoom: 22)
        },
        Sample(name: "latitude from Web Mercator, degrees") {
            Coordinate(WorldPoint(x: 0.5, y: $0.number(in: 0...1))).latitude
        },
        Sample(name: "center of a flight, degrees") { flight(&$0).center.latitude },
        Sample(name: "zoom of a flight") { flight(&$0).zoom },
        Sample(name: "radius of a cell of the privacy grid, m") {
            PrivacyGrid.Cell(containing: $0.place()).radius
        },
    ]

    private static func flight(_ dice: inout Dice) -> Camera {
        var machine = ViewportMachine(camera: dice.camera(), size: ScreenSize(width: 390, height: 844))
        machine.set(
            .camera(center: dice.place(), zoom: dice.number(in: 0...22)), by: .fly(duration: 1), at: 0,
            puck: nil)
        return machine.advance(to: dice.number(in: 0...1), puck: nil)
    }

    /// How many columns each band of the privacy grid has, folded into one number: any difference shows.
    public static var gridDigest: Double {
        var digest: UInt64 = 0
        for band in 0..<16_680 {
            let latitude = min(90, -90 + (Double(band) + 0.5) * 180 / 16_679)
            let center = PrivacyGrid.Cell(containing: Coordinate(latitude: latitude, longitude: 0.001)!)
                .center
            digest = digest &* 31 &+ UInt64((center.longitude * 1e9).rounded(.down) + 1e12)
        }
        return Double(digest >> 12)
    }
}
