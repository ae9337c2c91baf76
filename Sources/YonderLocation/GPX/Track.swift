public import Foundation
public import YonderGeo

/// A way that somebody went or means to go, as a file tells it.
public struct Track: Hashable, Sendable {
    /// What its author called it; `nil` = unnamed.
    public var name: String?
    /// Its pieces in order. Between two pieces the way is not known.
    public var segments: [Segment]

    /// Creates a track.
    public init(name: String? = nil, segments: [Segment]) {
        self.name = name
        self.segments = segments
    }

    /// How many points its segments hold.
    public var pointCount: Int { segments.reduce(0) { $0 + $1.points.count } }

    /// A piece without a gap.
    public struct Segment: Hashable, Sendable {
        /// The points in the order in which they were passed.
        public var points: [Point]

        /// Creates a segment.
        public init(points: [Point] = []) { self.points = points }
    }

    /// One place on the way.
    public struct Point: Hashable, Sendable {
        /// The place, WGS 84.
        public var coordinate: Coordinate
        /// Metres above mean sea level; `nil` = unknown.
        public var altitude: Double?
        /// When it was passed; `nil` = unknown.
        public var time: Date?

        /// Creates a point.
        public init(coordinate: Coordinate, altitude: Double? = nil, time: Date? = nil) {
            self.coordinate = coordinate
            self.altitude = altitude
            self.time = time
        }
    }
}
