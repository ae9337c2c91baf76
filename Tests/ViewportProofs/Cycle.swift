#if !hasFeature(Embedded)
    import YonderGeo
    import YonderViewport

    /// The button's cycle, frame by frame, to be looked at: nothing waits before it moves.
    public enum Cycle: Sendable {
        /// Prints the camera every 50 ms after each tap.
        public static func printTable() {
            let start = Coordinate(latitude: 60.18, longitude: 24.95)!
            let here = Coordinate(latitude: 60.1699, longitude: 24.9384)!
            var engine = MapEngine(
                camera: Camera(center: start, zoom: 11), size: ScreenSize(width: 390, height: 844))
            var now = 0.0
            for step in ["north-up", "heading", "free", "north-up again"] {
                engine.tapped(at: now)
                if now == 0 { engine.moved(.user, to: PuckFix(coordinate: here, accuracy: 10), at: now) }
                engine.turned(.user, to: 135, at: now)
                print("tap: \(step)")
                for tick in 0...21 {
                    let camera = engine.frame(at: now + Double(tick) * 0.05)
                    let metres = camera.center.distance(to: here)
                    print(
                        "  \(tick * 50) ms: \(rounded(metres)) m away, zoom \(rounded(camera.zoom)),",
                        "bearing \(rounded(camera.bearing)), pitch \(rounded(camera.pitch))",
                        engine.viewport.isMoving ? "" : "(there)")
                }
                now += 1.2
            }
        }

        private static func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }
    }
#endif
