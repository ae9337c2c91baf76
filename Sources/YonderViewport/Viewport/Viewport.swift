public import YonderGeo

/// Where a map looks: at a place, at everything, after somebody, or wherever a hand left it.
///
/// A value: equal ones want the same.
public struct Viewport: Hashable, Sendable {
    /// What it is on.
    public enum Kind: Hashable, Sendable {
        /// Nothing: the camera stays where it is.
        case idle
        /// The style's own camera, once.
        case styleDefault
        /// A camera that stands still.
        case camera(FixedCamera)
        /// All of a geometry, fitted anew when the map's size changes.
        case overview(Overview)
        /// A puck.
        case followPuck(FollowPuck)
    }

    /// What it is on.
    public let kind: Kind
    /// What is covered at the edges, or is to be left free. Default none.
    public private(set) var padding = Padding.zero

    private init(_ kind: Kind) { self.kind = kind }

    /// The camera stays where it is; what runs is cancelled.
    public static let idle = Viewport(.idle)

    /// The camera that the map's style names.
    public static let styleDefault = Viewport(.styleDefault)

    /// A camera that stands still; what is `nil` stays as it is.
    ///
    /// - Parameters:
    ///   - center: The place in the middle.
    ///   - anchor: Without a center: the point of the screen under which the map keeps its place.
    ///   - zoom: How close.
    ///   - bearing: Degrees, modulo 360.
    ///   - pitch: Degrees, in 0...85.
    /// - Returns: A viewport without padding.
    /// - Precondition: Numbers are finite, the pitch is in its range.
    public static func camera(
        center: Coordinate? = nil, anchor: ScreenPoint? = nil, zoom: Double? = nil, bearing: Double? = nil,
        pitch: Double? = nil
    ) -> Viewport {
        Viewport(
            .camera(FixedCamera(center: center, anchor: anchor, zoom: zoom, bearing: bearing, pitch: pitch)))
    }

    /// A camera that shows all of a geometry; again when the size of the map changes.
    ///
    /// - Parameters:
    ///   - geometry: What is to be seen.
    ///   - bearing: Degrees, modulo 360. Default 0.
    ///   - pitch: Degrees, in 0...85. Default 0.
    ///   - geometryPadding: Free pixels around the geometry. Default none.
    ///   - maxZoom: Never closer; `nil`, the default: the map's own limit.
    /// - Returns: A viewport without padding.
    /// - Precondition: Numbers are finite, the pitch is in its range.
    public static func overview(
        _ geometry: OverviewGeometry, bearing: Double = 0, pitch: Double = 0,
        geometryPadding: Padding = .zero,
        maxZoom: Double? = nil
    ) -> Viewport {
        Viewport(
            .overview(
                Overview(
                    geometry: geometry, bearing: bearing, pitch: pitch, geometryPadding: geometryPadding,
                    maxZoom: maxZoom)))
    }

    /// A camera that goes with a puck.
    ///
    /// - Parameters:
    ///   - zoom: How close.
    ///   - bearing: What is up. Default north.
    ///   - pitch: Degrees, in 0...85. Default 0.
    ///   - subject: Whose puck. Default the user's own.
    /// - Returns: A viewport without padding.
    /// - Precondition: Numbers are finite, the pitch is in its range.
    public static func followPuck(
        zoom: Double, bearing: FollowBearing = .constant(0), pitch: Double = 0, subject: PuckID = .user
    ) -> Viewport {
        Viewport(.followPuck(FollowPuck(zoom: zoom, bearing: bearing, pitch: pitch, subject: subject)))
    }

    /// The same with something covered at the edges.
    public func padding(_ padding: Padding) -> Viewport {
        var padded = self
        padded.padding = padding
        return padded
    }

    /// Whether it is on nothing.
    public var isIdle: Bool { kind == .idle }

    /// What it follows and how; `nil` where it does not.
    public var followPuck: FollowPuck? {
        if case .followPuck(let follow) = kind { follow } else { nil }
    }

    /// The camera that stands still; `nil` where it is another kind.
    public var camera: FixedCamera? {
        if case .camera(let camera) = kind { camera } else { nil }
    }

    /// What it shows; `nil` where it is another kind.
    public var overview: Overview? {
        if case .overview(let overview) = kind { overview } else { nil }
    }

    /// The same, following otherwise.
    func following(_ follow: FollowPuck) -> Viewport { Viewport(.followPuck(follow)).padding(padding) }
}
