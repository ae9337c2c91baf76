import Foundation
import YonderGeo

/// When a track with times is at each of its points, in seconds of its own clock.
///
/// Points without a time lie between their neighbours' times by the way in between; where a segment
/// has none on one side they are walked. The result never goes back.
struct TrackTimes {
    /// Seconds for each point of each segment.
    private(set) var seconds: [[Double]] = []

    init(_ track: Track) {
        let known = track.segments.map { $0.points.map { $0.time?.timeIntervalSinceReferenceDate } }
        var laters: [Double] = []  // the first time known after each segment, from the last segment on
        var later = Double.infinity
        for times in known.reversed() {
            laters.append(later)
            later = times.lazy.compactMap(\.self).first ?? later
        }
        var reached: Double?
        for (index, segment) in track.segments.enumerated() {
            let filled = Self.fill(
                known[index], along: segment, after: reached, before: laters[known.count - 1 - index])
            seconds.append(filled)
            reached = filled.last ?? reached
        }
    }

    private static func fill(
        _ known: [Double?], along segment: Track.Segment, after reached: Double?, before later: Double
    ) -> [Double] {
        let way = segment.legs.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + $1.meters) }
        let pace = ReplaySchedule.walkingSpeed
        var filled: [Double] = []
        var last: Int?  // the last point whose time is known
        var next = known.firstIndex { $0 != nil }
        for (index, time) in known.enumerated() {
            if let time {
                filled.append(time)
                last = index
                next = known[(index + 1)...].firstIndex { $0 != nil }
                continue
            }
            switch (last.flatMap { known[$0] }, next.flatMap { known[$0] }) {
            case (let before?, let after?):
                let length = way[next!] - way[last!]
                let fraction = length > 0 ? (way[index] - way[last!]) / length : 0
                filled.append(before + (after - before) * fraction)
            case (let before?, nil):
                filled.append(min(later, before + (way[index] - way[last!]) / pace))
            case (nil, let after?):
                filled.append(max(reached ?? -.infinity, after - (way[next!] - way[index]) / pace))
            case (nil, nil):
                filled.append(min(later, (reached ?? later - way[way.count - 1] / pace) + way[index] / pace))
            }
        }
        return filled
    }
}

/// The way from one point to the next.
struct Leg {
    /// Its length, ≥ 0.
    let meters: Double
    /// Degrees in 0..<360; `nil` where the two are one place.
    let course: Double?

    init(_ from: Coordinate, _ to: Coordinate) {
        meters = from.distance(to: to)
        course = meters > 0 ? from.initialBearing(to: to) : nil
    }
}

extension Track.Segment {
    /// The ways between its points, one fewer than these.
    var legs: [Leg] { zip(points, points.dropFirst()).map { Leg($0.coordinate, $1.coordinate) } }
}

extension Track.Point {
    /// The altitude on the way to another point; `nil` where either is unknown.
    func altitude(towards other: Track.Point, fraction: Double) -> Double? {
        guard let altitude, let end = other.altitude else { return nil }
        return altitude + (end - altitude) * fraction
    }
}
