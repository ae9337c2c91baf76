import YonderGeo
import YonderModel
import YonderRules

/// A track as it is read, its times not yet judged.
struct TrackDraft {
    struct Point {
        let coordinate: Coordinate
        let line: Int
        var altitude: Double?
        var time: Timestamp?
    }

    let line: Int
    var name: String?
    var segments: [[Point]] = []

    mutating func append(_ point: Point) { segments[segments.count - 1].append(point) }

    /// The track with the times that make sense together.
    ///
    /// Kept is the longest row of times that never goes back, so that one wrong time does not cost the
    /// others. A track whose times are all the same has none.
    func track(reportingTo document: inout GPXDocument) -> Track {
        let timed = segments.joined().filter { $0.time != nil }
        let times = timed.compactMap(\.time)
        let advances = times.min() != times.max()
        if timed.count > 1, !advances { document.report(.timesDoNotAdvance, line: line) }
        let kept = advances ? Self.longestRow(times) : Array(repeating: false, count: times.count)
        if advances {
            for (point, isKept) in zip(timed, kept) where !isKept {
                document.report(.timeOutOfOrder, line: point.line)
            }
        }
        var next = 0
        return Track(
            name: name.flatMap { $0.isEmpty ? nil : $0 },
            segments: segments.map { points in
                Track.Segment(
                    points: points.map { point in
                        var time: Timestamp?
                        if point.time != nil {
                            if kept[next] { time = point.time }
                            next += 1
                        }
                        return Track.Point(
                            coordinate: point.coordinate, altitude: point.altitude, time: time?.date)
                    })
            })
    }

    /// Marks the members of a longest subsequence that never decreases, in O(n log n).
    static func longestRow(_ times: [Timestamp]) -> [Bool] {
        var tails: [Int] = []  // tails[k]: where the best row of length k + 1 ends
        var before = [Int?](repeating: nil, count: times.count)
        for (index, time) in times.enumerated() {
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if times[tails[middle]] <= time { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? tails[low - 1] : nil
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var kept = [Bool](repeating: false, count: times.count)
        var end = tails.last
        while let index = end {
            kept[index] = true
            end = before[index]
        }
        return kept
    }
}
