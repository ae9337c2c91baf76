import YonderGeo

/// How the user's own position is drawn: a dot that turns, beats, and says how sure it is.
public struct Puck2D: Hashable, Sendable {
    /// What its arrow shows.
    public enum Direction: Hashable, Sendable {
        /// Where the device points.
        case heading
        /// Where it moves.
        case course
    }

    /// How far its pulse goes.
    public enum Pulse: Hashable, Sendable {
        /// So many pixels around its middle.
        case constant(Double)
        /// To the rim of the accuracy ring.
        case accuracy
    }

    /// What its arrow shows; `nil`: it has none.
    public let bearing: Direction?
    /// Whether it has a ring. Default `false`.
    public private(set) var showsAccuracyRing = false
    /// Its pulse; `nil`, the default: it has none.
    public private(set) var pulse: Pulse?
    /// How large it is. Default 1.
    public private(set) var scale = 1.0
    /// How well it is seen, in 0...1. Default 1.
    public private(set) var opacity = 1.0

    /// Creates a puck without a ring and without a pulse.
    public init(bearing: Direction? = nil) { self.bearing = bearing }

    /// The same with a ring of its accuracy, or without.
    public func showsAccuracyRing(_ isShown: Bool) -> Puck2D { with { $0.showsAccuracyRing = isShown } }

    /// The same with a pulse.
    public func pulsing(_ pulse: Pulse?) -> Puck2D { with { $0.pulse = pulse } }

    /// The same, larger or smaller; at least 0.
    public func scale(_ factor: Double) -> Puck2D { with { $0.scale = max(0, factor) } }

    /// The same, more or less transparent; in 0...1.
    public func opacity(_ part: Double) -> Puck2D { with { $0.opacity = min(1, max(0, part)) } }

    private func with(_ change: (inout Puck2D) -> Void) -> Puck2D {
        var changed = self
        change(&changed)
        return changed
    }

    /// Seconds of a beat.
    static let beat = 2.0

    /// What is to be drawn, from the bottom up: ring, pulse, shadow, arrow, dot.
    ///
    /// - Parameters:
    ///   - puck: Where it is then.
    ///   - camera: From where it is seen.
    ///   - now: Seconds; the pulse goes by it.
    ///   - beats: Whether it pulses at all; not with reduced motion. Default `true`.
    /// - Returns: What is `nil` in it is not drawn.
    public func drawing(of puck: DrawnPuck, by camera: Camera, at now: Double, beats: Bool = true)
        -> PuckDrawing
    {
        let metres = Mercator.metresPerPixel(latitude: puck.coordinate.latitude, zoom: camera.zoom)
        let ring = puck.accuracy.map { $0 / metres }
        let reach: Double? =
            switch pulse {
            case nil: nil
            case .constant(let pixels): pixels * scale
            case .accuracy: ring
            }
        let phase = now / Self.beat - (now / Self.beat).rounded(.down)
        let isBeating = beats && !puck.isStale
        let turn: Double? =
            switch bearing {
            case nil: nil
            case .heading: puck.heading
            case .course: puck.course
            }
        return PuckDrawing(
            ringRadius: showsAccuracyRing ? ring : nil,
            pulseRadius: isBeating ? reach.map { $0 * Easing.easeOut(phase) } : nil,
            pulseOpacity: (1 - phase) * opacity,
            arrow: turn.map { Bearing.normalized($0 - camera.bearing) },
            scale: scale, opacity: opacity, isGrey: puck.isStale)
    }
}

/// The parts of a puck at one moment, from the bottom up; what is `nil` is not drawn.
public struct PuckDrawing: Hashable, Sendable {
    /// Pixels, straight from above; on a tilted map the circle lies on the ground.
    public let ringRadius: Double?
    /// Pixels.
    public let pulseRadius: Double?
    /// In 0...1.
    public let pulseOpacity: Double
    /// Where the arrow points on the screen: degrees clockwise from upwards, in 0..<360.
    public let arrow: Double?
    /// How large dot, arrow and shadow are.
    public let scale: Double
    /// How well all of it is seen.
    public let opacity: Double
    /// Whether it must not look fresh.
    public let isGrey: Bool
}
