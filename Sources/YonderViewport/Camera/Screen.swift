/// The size of a map on the screen, in pixels as style sheets count them.
public struct ScreenSize: Hashable, Sendable {
    /// Pixels, in 0...``largest``.
    public let width: Double
    /// Pixels, in 0...``largest``.
    public let height: Double

    /// Pixels: no screen is larger, and no number of the way across it runs over.
    public static let largest = 1_000_000.0

    /// Creates a size.
    ///
    /// - Precondition: Both are in their range.
    public init(width: Double, height: Double) {
        let range = 0...Self.largest
        precondition(
            range.contains(width) && range.contains(height), "a map's size is in 0...1,000,000 pixels")
        self.width = width
        self.height = height
    }

    /// Whether there is anything to see: a map that was not laid out yet has no size.
    public var isEmpty: Bool { width == 0 || height == 0 }
}

/// A point of the map on the screen, in pixels from its upper left corner.
public struct ScreenPoint: Hashable, Sendable {
    /// Pixels to the right.
    public var x: Double
    /// Pixels downwards.
    public var y: Double

    /// Creates a point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// Pixels at a map's edges that something else covers, or that are to be left free.
public struct Padding: Hashable, Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    /// Pixels, ≥ 0.
    public let top, right, bottom, left: Double

    /// None at all.
    public static let zero = Padding(top: 0, right: 0, bottom: 0, left: 0)

    /// Creates padding, 0 where nothing is said.
    ///
    /// - Precondition: All are finite and not negative.
    public init(top: Double = 0, right: Double = 0, bottom: Double = 0, left: Double = 0) {
        let least = min(min(top, right), min(bottom, left))
        precondition(least >= 0 && (top + right + bottom + left).isFinite, "padding is finite and ≥ 0")
        self.top = top
        self.right = right
        self.bottom = bottom
        self.left = left
    }

    /// The same at every edge.
    public init(floatLiteral pixels: Double) {
        self.init(top: pixels, right: pixels, bottom: pixels, left: pixels)
    }

    /// The same at every edge.
    public init(integerLiteral pixels: Int) { self.init(floatLiteral: Double(pixels)) }

    /// The middle of what it leaves free of a map: where the camera's center is drawn. Within the map.
    public func focus(in size: ScreenSize) -> ScreenPoint {
        ScreenPoint(
            x: min(size.width, max(0, (size.width + left - right) / 2)),
            y: min(size.height, max(0, (size.height + top - bottom) / 2)))
    }

    /// The padding on the way to another one.
    func mixed(with other: Padding, _ part: Double) -> Padding {
        Padding(
            top: top + (other.top - top) * part, right: right + (other.right - right) * part,
            bottom: bottom + (other.bottom - bottom) * part, left: left + (other.left - left) * part)
    }

    /// The greatest change at an edge, in pixels.
    func change(to other: Padding) -> Double {
        max(
            max(abs(other.top - top), abs(other.right - right)),
            max(abs(other.bottom - bottom), abs(other.left - left)))
    }
}
