public import Foundation
public import YonderGeo
public import YonderModel

/// When a replayed track is where: a pure value, without a clock.
///
/// Offsets are whole milliseconds and strictly increase. A track with times keeps its points, each at
/// its own time; a track without is walked at ``walkingSpeed`` with an entry for every second of the
/// walk. The way is never made up across the gap between two segments.
public struct ReplaySchedule: Hashable, Sendable {
    /// One fix to come.
    public struct Entry: Hashable, Sendable {
        /// Milliseconds from the start of the replay, ≥ 0.
        public var milliseconds: Int64
        /// Where the track is then.
        public var coordinate: Coordinate
        /// Metres above mean sea level; `nil` = unknown.
        public var altitude: Double?
        /// Degrees in 0..<360, from the neighbouring points; `nil` where they are one place.
        public var course: Double?
        /// Metres a second as replayed: at twice the pace twice the track's; `nil` = unknown.
        public var speed: Double?
    }

    /// Pace of a track without times: 5 km/h in metres a second.
    public static let walkingSpeed = 5 / 3.6

    /// Most entries that walking makes; a longer way is told in longer steps.
    static let maxSteps = 200_000

    /// What comes when.
    public let entries: [Entry]

    /// Lays out a track.
    ///
    /// - Parameters:
    ///   - track: The track; without a point the schedule is empty.
    ///   - speed: How many times faster than the original pace, > 0. Default 1.
    /// - Precondition: `speed` is finite and greater than 0.
    public init(_ track: Track, speed: Double = 1) {
        precondition(speed.isFinite && speed > 0, "a replay's speed is a finite number over 0")
        let isTimed = track.segments.contains { $0.points.contains { $0.time != nil } }
        let stops = isTimed ? Self.timed(track) : Self.walked(track)
        let start = stops.first?.seconds ?? 0
        var last: Int64 = -1
        entries = stops.map { stop in
            let offset = ((stop.seconds - start) / speed * 1000).rounded()
            last = max(last + 1, Int64(min(offset, 1e15)))
            return Entry(
                milliseconds: last, coordinate: stop.coordinate, altitude: stop.altitude,
                course: stop.course, speed: stop.speed.map { $0 * speed })
        }
    }

    /// How long the replay takes.
    public var duration: Duration { .milliseconds(entries.last?.milliseconds ?? 0) }

    /// The fix of one entry, stamped for a replay that began at a moment.
    public func fix(at index: Int, startedAt start: Date) -> Fix {
        let entry = entries[index]
        return Fix(
            coordinate: entry.coordinate, altitude: entry.altitude, course: entry.course,
            speed: entry.speed, timestamp: start + Double(entry.milliseconds) / 1000, isSimulated: true)
    }

    /// An entry at the track's own pace.
    private struct Stop {
        var seconds: Double
        var coordinate: Coordinate
        var altitude: Double?
        var course: Double?
        var speed: Double?
    }

    private static func timed(_ track: Track) -> [Stop] {
        let times = TrackTimes(track).seconds
        var stops: [Stop] = []
        for (segment, seconds) in zip(track.segments, times) {
            let points = segment.points
            for (index, point) in points.enumerated() {
                var stop = Stop(
                    seconds: seconds[index], coordinate: point.coordinate, altitude: point.altitude)
                if points.count > 1 {
                    let from = max(0, index - 1)
                    let leg = Leg(points[from].coordinate, points[from + 1].coordinate)
                    let elapsed = seconds[from + 1] - seconds[from]
                    stop.course = leg.course
                    stop.speed = elapsed > 0 ? leg.meters / elapsed : nil
                }
                stops.append(stop)
            }
        }
        return stops
    }

    private static func walked(_ track: Track) -> [Stop] {
        let legs = track.segments.map(\.legs)
        let seconds = legs.joined().reduce(0) { $0 + $1.meters } / walkingSpeed
        let step = max(1, seconds / Double(maxSteps))
        var stops: [Stop] = []
        var start = 0.0
        for (segment, legs) in zip(track.segments, legs) where !segment.points.isEmpty {
            var next = 0.0  // seconds into the segment
            var passed = 0.0
            for (index, leg) in legs.enumerated() where leg.meters > 0 {
                let here = segment.points[index]
                let there = segment.points[index + 1]
                let length = leg.meters / walkingSpeed
                while next < passed + length {
                    let fraction = (next - passed) / length
                    stops.append(
                        Stop(
                            seconds: start + next,
                            coordinate: here.coordinate.interpolated(
                                to: there.coordinate, fraction: fraction),
                            altitude: here.altitude(towards: there, fraction: fraction),
                            course: leg.course, speed: walkingSpeed))
                    next += step
                }
                passed += length
            }
            let end = segment.points[segment.points.count - 1]
            stops.append(
                Stop(
                    seconds: start + passed, coordinate: end.coordinate, altitude: end.altitude,
                    course: legs.last { $0.meters > 0 }?.course,
                    speed: passed > 0 ? walkingSpeed : nil))
            start += passed
        }
        return stops
    }
}
