public import Foundation

/// Which way a device faces; a course is which way it moves.
public struct Heading: Hashable, Sendable {
    /// What its degrees count from.
    public enum Reference: String, Hashable, Sendable {
        case trueNorth, magneticNorth
    }

    /// Degrees clockwise, in 0..<360.
    public var degrees: Double
    /// Degrees, > 0; `nil` = unknown.
    public var accuracy: Double?
    /// What the degrees count from.
    public var reference: Reference
    /// When it was measured.
    public var timestamp: Date

    /// Creates a heading; degrees are brought into 0..<360.
    public init(
        degrees: Double, accuracy: Double? = nil, reference: Reference = .trueNorth, timestamp: Date
    ) {
        self.degrees = Self.wrapped(degrees)
        self.accuracy = accuracy
        self.reference = reference
        self.timestamp = timestamp
    }

    private static func wrapped(_ degrees: Double) -> Double {
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        // A tiny negative one would round to 360.
        let wrapped = rest < 0 ? rest + 360 : rest
        return wrapped >= 360 ? 0 : wrapped
    }

    /// How the screen is held, seen from the device held upright.
    public enum ScreenOrientation: String, Hashable, Sendable, CaseIterable {
        case portrait, portraitUpsideDown, landscapeLeft, landscapeRight

        /// Degrees that the top of the screen lies clockwise of the top of the device.
        var offset: Double {
            switch self {
            case .portrait: 0
            case .portraitUpsideDown: 180
            case .landscapeRight: 90
            case .landscapeLeft: -90
            }
        }
    }

    /// The same for the top of the screen, where this one is for the top of the device.
    public func seen(in orientation: ScreenOrientation) -> Heading {
        var seen = self
        seen.degrees = Self.wrapped(degrees + orientation.offset)
        return seen
    }
}
