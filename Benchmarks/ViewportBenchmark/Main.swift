import CAllocations
import YonderGeo
import YonderViewport

/// What a frame of the map's engine costs natively: nanoseconds and allocations, of three scenes.
/// `script/benchmark viewport` runs the same as WebAssembly and a plain JavaScript rival after it.
@main struct ViewportBenchmark {
    private static let frames = 200_000
    private static let helsinki = Coordinate(latitude: 60.1699, longitude: 24.9384)!

    static func main() {
        print("a frame of the map's engine, natively:")
        measure("following one puck") { follow(pucks: 1) }
        measure("a default transition to it") { fly() }
        measure("following, 100 pucks gliding") { follow(pucks: 100) }
    }

    private static func follow(pucks: Int32) -> Engine {
        Engine(refresh: 60) { engine, now in
            for number in 0..<pucks { engine.moved(PuckID(number), to: fix(number, now), at: now) }
            engine.set(.followPuck(zoom: 15), by: .immediate, at: now)
        }
    }

    /// Half a second of frames, again and again.
    private static func fly() -> Engine {
        Engine(refresh: 30) { engine, now in
            engine.moved(.user, to: fix(0, now), at: now)
            let away = Coordinate(latitude: 60.2, longitude: 25)
            engine.set(.camera(center: away, zoom: 10), by: .immediate, at: now)
            engine.set(
                .followPuck(zoom: 15, bearing: .constant(90), pitch: 45), by: .default(maxDuration: 1),
                at: now)
        }
    }

    private static func fix(_ number: Int32, _ now: Double) -> PuckFix {
        let wander = (now / 10).truncatingRemainder(dividingBy: 1) * 0.001
        let place = Coordinate(
            latitude: helsinki.latitude + wander,
            longitude: helsinki.longitude + Double(number) * 0.000_1 + wander)
        return PuckFix(coordinate: place!, accuracy: 10, course: 30, speed: 3)
    }

    private struct Engine {
        /// Frames between two fixes.
        let refresh: Int
        let prepare: (inout MapEngine, Double) -> Void
    }

    private static func measure(_ name: String, _ make: () -> Engine) {
        let scene = make()
        var engine = MapEngine(
            camera: Camera(center: helsinki, zoom: 12), size: ScreenSize(width: 390, height: 844))
        var (now, sum, nanoseconds, allocations) = (0.0, 0.0, 0.0, UInt64(0))
        for start in stride(from: 0, to: frames, by: scene.refresh) {
            scene.prepare(&engine, now)
            let before = CAllocations_count()
            let began = ContinuousClock.now
            for _ in 0..<min(scene.refresh, frames - start) {
                now += 1.0 / 60
                sum += engine.frame(at: now).zoom
            }
            let elapsed = (ContinuousClock.now - began).components
            nanoseconds += Double(elapsed.seconds) * 1e9 + Double(elapsed.attoseconds) / 1e9
            allocations += CAllocations_count() - before
        }
        precondition(sum > 0)
        let each = (nanoseconds / Double(frames)).rounded()
        print("  \(name): \(each) ns, \(Double(allocations) / Double(frames)) allocations")
    }
}
