public import YonderGeo

/// A camera that stands still; what is `nil` is not touched.
public struct FixedCamera: Hashable, Sendable {
    /// The place in the middle.
    public let center: Coordinate?
    /// Where the map keeps its place while it is zoomed and turned; counts where there is no center.
    public let anchor: ScreenPoint?
    /// Web Mercator, tiles of 512 pixels.
    public let zoom: Double?
    /// Degrees, in 0..<360.
    public let bearing: Double?
    /// Degrees, in 0...85.
    public let pitch: Double?

    init(center: Coordinate?, anchor: ScreenPoint?, zoom: Double?, bearing: Double?, pitch: Double?) {
        precondition(zoom?.isFinite ?? true, "a zoom is finite")
        precondition((0...85).contains(pitch ?? 0), "a pitch is in 0...85 degrees")
        if let anchor { precondition(anchor.x.isFinite && anchor.y.isFinite, "an anchor is finite") }
        self.center = center
        self.anchor = anchor
        self.zoom = zoom
        self.bearing = bearing.map(Bearing.normalized)
        self.pitch = pitch
    }
}

/// A camera that shows all of a geometry.
public struct Overview: Hashable, Sendable {
    /// What is shown.
    public let geometry: OverviewGeometry
    /// Degrees, in 0..<360.
    public let bearing: Double
    /// Degrees, in 0...85.
    public let pitch: Double
    /// Free pixels around the geometry.
    public let geometryPadding: Padding
    /// Never closer; `nil`: the map's own limit.
    public let maxZoom: Double?

    init(
        geometry: OverviewGeometry, bearing: Double, pitch: Double, geometryPadding: Padding, maxZoom: Double?
    ) {
        precondition(maxZoom?.isFinite ?? true, "a zoom is finite")
        precondition((0...85).contains(pitch), "a pitch is in 0...85 degrees")
        self.geometry = geometry
        self.bearing = Bearing.normalized(bearing)
        self.pitch = pitch
        self.geometryPadding = geometryPadding
        self.maxZoom = maxZoom
    }
}

/// What is up while a puck is followed.
public enum FollowBearing: Hashable, Sendable {
    /// Always the same direction: degrees clockwise from true north.
    case constant(Double)
    /// Where the device points.
    case heading
    /// Where it moves.
    case course

    /// Directions are the same modulo a whole turn.
    public static func == (a: FollowBearing, b: FollowBearing) -> Bool {
        switch (a, b) {
        case (.constant(let a), .constant(let b)): Bearing.delta(from: a, to: b) == 0
        case (.heading, .heading), (.course, .course): true
        case (.constant, _), (.heading, _), (.course, _): false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .constant(let degrees):
            hasher.combine(0)
            hasher.combine(Bearing.normalized(degrees))
        case .heading: hasher.combine(1)
        case .course: hasher.combine(2)
        }
    }

    /// The same, its direction in 0..<360.
    ///
    /// - Precondition: A constant one is finite.
    var normalized: FollowBearing {
        if case .constant(let degrees) = self { return .constant(Bearing.normalized(degrees)) }
        return self
    }
}

/// Whose puck.
public struct PuckID: Hashable, Sendable {
    /// A number that the map's owner gave it.
    public let number: Int32

    /// The user's own.
    public static let user = PuckID(0)

    /// Creates an id; 0 is the user's own.
    public init(_ number: Int32) { self.number = number }
}

/// How a puck is followed.
public struct FollowPuck: Hashable, Sendable {
    /// How close.
    public internal(set) var zoom: Double
    /// What is up.
    public internal(set) var bearing: FollowBearing
    /// Degrees, in 0...85.
    public internal(set) var pitch: Double
    /// Whose puck.
    public let subject: PuckID

    init(zoom: Double, bearing: FollowBearing, pitch: Double, subject: PuckID) {
        precondition(zoom.isFinite, "a zoom is finite")
        precondition((0...85).contains(pitch), "a pitch is in 0...85 degrees")
        self.zoom = zoom
        self.bearing = bearing.normalized
        self.pitch = pitch
        self.subject = subject
    }
}
