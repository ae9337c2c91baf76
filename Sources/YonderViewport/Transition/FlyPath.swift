import YonderGeo

/// The optimal way from one view of a map to another: it zooms out, crosses, and zooms in at one steady pace.
///
/// After van Wijk and Nuij, "Smooth and efficient zooming and panning" (2003), in the form of the inverse
/// hyperbolic sine, whose terms do not cancel.
public struct FlyPath: Sendable {
    /// How much the way prefers zooming to panning; ρ of the paper, that which people liked best.
    public static let curve = 1.42
    /// Screenfuls a second, of ``curve``'s kind, where no duration is given.
    public static let speed = 1.2

    /// ρ as it was used: less than was wished where the lowest zoom is bounded.
    public let rho: Double
    /// Its whole length, S of the paper, in ρ-screenfuls.
    public let length: Double

    private let startZoom, endZoom: Double
    /// Radians-like parameter at the start; `nil`: a pure zoom.
    private let start: Double?
    /// A screenful at the start, as a part of the way; meaningless for a pure zoom.
    private let reach: Double

    /// Plans the way.
    ///
    /// - Parameters:
    ///   - distance: Pixels at the zoom of the start, ≥ 0.
    ///   - startZoom: Where it begins.
    ///   - endZoom: Where it ends.
    ///   - screenful: The map's longer side in pixels, > 0.
    ///   - curve: ρ where no lowest zoom bounds it, > 0. Default ``curve``.
    ///   - minZoom: The way stays above it, as far as both ends do; `nil`: as low as is best.
    public init(
        distance: Double, startZoom: Double, endZoom: Double, screenful: Double,
        curve: Double = Self.curve, minZoom: Double? = nil
    ) {
        self.startZoom = startZoom
        self.endZoom = endZoom
        let endful = screenful / PortableMath.exp2(endZoom - startZoom)
        var rho = curve
        if let minZoom, distance > 0 {
            let lowest = min(minZoom, min(startZoom, endZoom))
            let widest = screenful / PortableMath.exp2(lowest - startZoom)
            rho = min(rho, (2 * widest / distance).squareRoot())
        }
        self.rho = rho
        guard distance > 1e-9 * max(screenful, endful) else {
            start = nil
            reach = 0
            length = abs(PortableMath.log(endful / screenful)) / rho
            return
        }
        let rho2 = rho * rho
        let spread = endful * endful - screenful * screenful
        let lean = rho2 * rho2 * distance * distance
        let start = -PortableMath.asinh((spread + lean) / (2 * screenful * rho2 * distance))
        let end = -PortableMath.asinh((spread - lean) / (2 * endful * rho2 * distance))
        self.start = start
        reach = screenful / (rho2 * distance)
        length = (end - start) / rho
    }

    /// The zoom, and the part of the way across, at a part of the length; all in 0...1 but the zoom.
    public func at(_ part: Double) -> (zoom: Double, crossed: Double) {
        guard let start else { return (startZoom + (endZoom - startZoom) * part, part) }
        let turn = rho * length * part
        let width = PortableMath.cosh(start) / PortableMath.cosh(start + turn)
        // cosh r₀ · tanh r − sinh r₀ = sinh (r − r₀) ÷ cosh r
        let crossed = reach * PortableMath.sinh(turn) / PortableMath.cosh(start + turn)
        return (startZoom - PortableMath.log2(width), min(1, max(0, crossed)))
    }
}
