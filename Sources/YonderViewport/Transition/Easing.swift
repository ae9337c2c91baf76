/// A CSS timing function (cubic-bezier): how far along its way something is when a part of the time is over.
public struct Easing: Hashable, Sendable {
    private let x1, y1, x2, y2: Double

    /// The curve through (0, 0) and (1, 1) with these two control points.
    ///
    /// - Precondition: All are in 0...1: then it neither overshoots nor goes back.
    public init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
        precondition(min(min(x1, y1), min(x2, y2)) >= 0 && max(max(x1, y1), max(x2, y2)) <= 1)
        (self.x1, self.y1, self.x2, self.y2) = (x1, y1, x2, y2)
    }

    /// Steady.
    public static let linear = Easing(0, 0, 1, 1)
    /// CSS `ease`.
    public static let ease = Easing(0.25, 0.1, 0.25, 1)
    /// CSS `ease-in`.
    public static let easeIn = Easing(0.42, 0, 1, 1)
    /// CSS `ease-out`.
    public static let easeOut = Easing(0, 0, 0.58, 1)
    /// CSS `ease-in-out`.
    public static let easeInOut = Easing(0.42, 0, 0.58, 1)

    /// The part of the way at a part of the time; both in 0...1, and outside clamped.
    ///
    /// Solves the curve's x for its parameter by Newton's method, by halving where that leaves the range; to 1e-12.
    public func callAsFunction(_ time: Double) -> Double {
        guard time > 0 else { return 0 }
        guard time < 1 else { return 1 }
        if self == .linear { return time }
        var (low, high) = (0.0, 1.0)
        var parameter = time
        for _ in 0..<60 {
            let error = Self.curve(x1, x2, parameter) - time
            if abs(error) < 1e-13 { break }
            if error > 0 { high = parameter } else { low = parameter }
            let slope = Self.slope(x1, x2, parameter)
            let next = parameter - error / slope
            parameter = next > low && next < high ? next : (low + high) / 2
        }
        return min(1, max(0, Self.curve(y1, y2, parameter)))
    }

    private static func curve(_ a: Double, _ b: Double, _ t: Double) -> Double {
        let rest = 1 - t
        return 3 * rest * rest * t * a + 3 * rest * t * t * b + t * t * t
    }

    private static func slope(_ a: Double, _ b: Double, _ t: Double) -> Double {
        let rest = 1 - t
        return 3 * rest * rest * a + 6 * rest * t * (b - a) + 3 * t * t * (1 - b)
    }
}
