import YonderGeo

@testable import YonderViewport

/// A map of Helsinki with a clock of its own, for tests to play on.
struct Stage {
    var engine: MapEngine
    var now = 100.0

    static let helsinki = Coordinate(latitude: 60.1699, longitude: 24.9384)!
    static let size = ScreenSize(width: 390, height: 844)

    init(zoom: Double = 11, options: LocateMe.Options = LocateMe.Options(), size: ScreenSize = Stage.size) {
        engine = MapEngine(camera: Camera(center: Self.helsinki, zoom: zoom), size: size, options: options)
    }

    var camera: Camera { engine.viewport.camera }
    var status: ViewportStatus { engine.viewport.status }
    var puck: DrawnPuck? { engine.drawn(.user) }

    /// A fix so many metres east and north of the middle of Helsinki.
    mutating func fix(
        _ east: Double, _ north: Double = 0, accuracy: Double? = 10, course: Double? = nil,
        speed: Double? = nil
    ) {
        engine.moved(
            .user,
            to: PuckFix(
                coordinate: Self.place(east, north), accuracy: accuracy, course: course, speed: speed),
            at: now)
        engine.frame(at: now)
    }

    static func place(_ east: Double, _ north: Double = 0) -> Coordinate {
        let metres = 111_194.9
        return Coordinate(
            latitude: helsinki.latitude + north / metres,
            longitude: helsinki.longitude + east / metres / 0.4975)!
    }

    /// Frames of a sixtieth of a second.
    @discardableResult
    mutating func run(_ seconds: Double) -> [Camera] {
        var frames: [Camera] = []
        let end = now + seconds
        while now < end - 1e-9 {
            now = min(end, now + 1.0 / 60)
            frames.append(engine.frame(at: now))
        }
        return frames
    }

    mutating func set(_ viewport: Viewport, by transition: Transition = .immediate, id: Int32? = nil) {
        engine.set(viewport, by: transition, id: id.map { TransitionID($0) }, at: now)
    }

    /// Follows the user at once, where a first fix is.
    mutating func follow(zoom: Double = 14, bearing: FollowBearing = .constant(0), pitch: Double = 0) {
        fix(0)
        set(.followPuck(zoom: zoom, bearing: bearing, pitch: pitch))
    }
}
