public import YonderGeo
public import YonderViewport

/// Random numbers that are the same everywhere for the same seed: SplitMix64 (Steele, Lea and Flood, 2014).
public struct Dice: Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func bits() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    public mutating func number(in range: ClosedRange<Double>) -> Double {
        let part = Double(bits() >> 11) / 9_007_199_254_740_992
        return range.lowerBound + (range.upperBound - range.lowerBound) * part
    }

    public mutating func below(_ count: Int) -> Int { Int(bits() >> 33) % count }

    public mutating func chance(_ part: Double) -> Bool { number(in: 0...1) < part }

    public mutating func place() -> Coordinate {
        // The corners of the Earth come up more often than they would by themselves.
        let latitudes = [90.0, -90, 85.0511287798066, -85.0511287798066, 0, 60.17]
        let longitudes = [180.0, -180, 179.9999, -179.9999, 0, 24.94]
        let latitude = chance(0.15) ? latitudes[below(6)] : number(in: -90...90)
        let longitude = chance(0.15) ? longitudes[below(6)] : number(in: -180...180)
        return Coordinate(latitude: latitude, longitude: longitude)!
    }

    /// A place so many metres around another one, more or less.
    public mutating func place(near place: Coordinate, metres: Double) -> Coordinate {
        let degrees = metres / 111_195
        let latitude = min(90, max(-90, place.latitude + number(in: -degrees...degrees)))
        let shrink = max(0.01, 1 - abs(place.latitude) / 90)
        var longitude = place.longitude + number(in: -degrees...degrees) / shrink
        longitude -= 360 * ((longitude + 180) / 360).rounded(.down)
        return Coordinate(latitude: latitude, longitude: min(180, max(-180, longitude)))!
    }

    public mutating func size() -> ScreenSize {
        if chance(0.03) { return ScreenSize(width: 0, height: 0) }
        return ScreenSize(width: number(in: 200...2000), height: number(in: 200...2000))
    }

    public mutating func padding() -> Padding {
        if chance(0.6) { return .zero }
        return Padding(
            top: number(in: 0...90), right: number(in: 0...90), bottom: number(in: 0...90),
            left: number(in: 0...90))
    }

    public mutating func camera() -> Camera {
        Camera(
            center: place(), zoom: number(in: 0...22), bearing: number(in: -720...720),
            pitch: chance(0.5) ? 0 : number(in: 0...60), padding: padding())
    }

    public mutating func transition() -> Transition {
        switch below(7) {
        case 0: .linear(duration: number(in: 0.01...4))
        case 1: .easeIn(duration: number(in: 0.01...4))
        case 2: .easeOut(duration: number(in: 0.01...4))
        case 3: .easeInOut(duration: number(in: 0.01...4))
        case 4: .fly()
        case 5: .fly(duration: number(in: 0.01...6))
        default: .default(maxDuration: number(in: 0.05...4))
        }
    }

    public mutating func viewport() -> Viewport {
        let viewport: Viewport
        switch below(8) {
        case 0: viewport = .idle
        case 1: viewport = .styleDefault
        case 2, 3: viewport = fixed()
        case 4: viewport = overview()
        default: viewport = follow()
        }
        return viewport.padding(padding())
    }

    public mutating func fixed() -> Viewport {
        .camera(
            center: chance(0.7) ? place() : nil,
            anchor: chance(0.3) ? ScreenPoint(x: number(in: -50...900), y: number(in: -50...900)) : nil,
            zoom: chance(0.7) ? number(in: -3...25) : nil,
            bearing: chance(0.6) ? number(in: -720...720) : nil,
            pitch: chance(0.5) ? number(in: 0...85) : nil)
    }

    public mutating func overview() -> Viewport {
        let first = place()
        var places = [first]
        for _ in 0..<below(6) { places.append(chance(0.2) ? place() : place(near: first, metres: 20_000)) }
        if chance(0.05) { places = [] }
        return .overview(
            .coordinates(places), bearing: number(in: 0...360), pitch: chance(0.7) ? 0 : number(in: 0...60),
            geometryPadding: Padding(floatLiteral: number(in: 0...40)),
            maxZoom: chance(0.5) ? number(in: 3...20) : nil)
    }

    public mutating func follow() -> Viewport {
        let bearing: FollowBearing
        switch below(4) {
        case 0: bearing = .heading
        case 1: bearing = .course
        case 2: bearing = .constant(number(in: -400...400))
        default: bearing = .constant(0)
        }
        return .followPuck(
            zoom: number(in: -1...23), bearing: bearing, pitch: chance(0.5) ? 0 : number(in: 0...70))
    }

    public mutating func fix(near place: Coordinate) -> PuckFix {
        PuckFix(
            coordinate: chance(0.02)
                ? self.place() : self.place(near: place, metres: chance(0.1) ? 5_000 : 30),
            accuracy: chance(0.8) ? number(in: -5...200) : nil,
            course: chance(0.6) ? number(in: -1...360) : nil,
            speed: chance(0.6) ? number(in: -1...30) : nil, nextWithin: chance(0.3) ? number(in: 1...60) : nil
        )
    }
}
