/// Arithmetic on directions in degrees, clockwise from true north.
public enum Bearing: Sendable {
    /// The same direction in 0..<360.
    ///
    /// - Precondition: `degrees` is finite.
    public static func normalized(_ degrees: Double) -> Double {
        precondition(degrees.isFinite, "a bearing is a finite number of degrees")
        let turn = degrees - 360 * (degrees / 360).rounded(.down)
        // Where a number is so large that it says no direction any more, the rest is none either.
        return turn >= 0 && turn < 360 ? turn : 0
    }

    /// The turn from one direction to another, the shorter way, in -180..<180
    /// except that an exact half turn is clockwise: +180.
    public static func delta(from: Double, to: Double) -> Double {
        let turn = normalized(to - from)
        return turn > 180 ? turn - 360 : turn
    }
}
