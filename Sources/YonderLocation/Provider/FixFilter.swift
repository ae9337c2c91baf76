import Foundation
import YonderGeo
import YonderModel

/// Tells good fixes from bad ones: what a receiver says again, too late, too vaguely, or from where nobody can be.
struct FixFilter {
    /// What is good enough.
    struct Limits: Hashable {
        /// Metres; `nil` = any accuracy will do.
        var accuracy: Double?
        /// Seconds that a fix may be old.
        var age = 30.0
        /// Metres a second beyond which nobody has moved: above a small airliner's.
        var speed = 340.0
        /// Seconds after which a vague fix is better than none.
        var patience = 10.0
        /// So many fixes that agree with one another are believed, however far from the last one that was.
        var agreement = 3
        /// Metres that have to lie between two fixes; `nil` = any.
        var distance: Double?
    }

    /// Why a fix does not count.
    enum Reason: String, Hashable, CaseIterable {
        case nowhere, stale, repeated, vague, outlier, near
    }

    /// What becomes of a fix.
    enum Verdict: Hashable {
        case accepted(Fix)
        case rejected(Reason)
    }

    var limits = Limits()
    private(set) var last: Fix?
    /// Fixes in a row that are too far from the last one, and agree with one another.
    private var rebels: [Fix] = []
    /// The last course of one who moved.
    private var course: Double?

    /// Metres a second from which on a course is that of a movement.
    static let movingSpeed = 1.0

    /// Judges a fix.
    ///
    /// - Parameters:
    ///   - fix: As the source says it.
    ///   - now: Seconds since the epoch.
    /// - Returns: The fix as it is to be told, or why it is not.
    mutating func judge(_ fix: Fix, now: Double) -> Verdict {
        guard isSomewhere(fix) else { return .rejected(.nowhere) }
        let time = fix.timestamp.timeIntervalSince1970
        guard now - time <= limits.age else { return .rejected(.stale) }
        guard let last else { return isVague(fix) ? .rejected(.vague) : accept(fix) }
        let seconds = time - last.timestamp.timeIntervalSince1970
        guard seconds > 0 else { return .rejected(.repeated) }
        if isVague(fix), seconds < limits.patience { return .rejected(.vague) }
        if isTooFast(from: last, to: fix), !isAgreed(fix) { return .rejected(.outlier) }
        if let distance = limits.distance, last.coordinate.distance(to: fix.coordinate) < distance {
            return .rejected(.near)
        }
        return accept(fix)
    }

    /// Forgets where the device was: it has been off for a while.
    mutating func reset() { (last, rebels, course) = (nil, [], nil) }

    /// Latitude and longitude 0 with an accuracy that says nothing is what receivers say that know nothing.
    private func isSomewhere(_ fix: Fix) -> Bool {
        if let accuracy = fix.horizontalAccuracy, !accuracy.isFinite || accuracy < 0 { return false }
        let isNull = fix.coordinate.latitude == 0 && fix.coordinate.longitude == 0
        return !(isNull && (fix.horizontalAccuracy ?? 0) == 0)
    }

    private func isVague(_ fix: Fix) -> Bool {
        guard let limit = limits.accuracy else { return false }
        return fix.horizontalAccuracy.map { $0 > limit } ?? false
    }

    /// The least speed that explains both fixes, given how vague they are.
    private func isTooFast(from start: Fix, to end: Fix) -> Bool {
        let vagueness = (start.horizontalAccuracy ?? 0) + (end.horizontalAccuracy ?? 0)
        let distance = max(0, start.coordinate.distance(to: end.coordinate) - vagueness)
        let seconds = end.timestamp.timeIntervalSince(start.timestamp)
        return distance / max(seconds, 0.001) > limits.speed
    }

    /// Whether enough of those that were too far agree: the last one was the wrong one.
    private mutating func isAgreed(_ fix: Fix) -> Bool {
        if let rebel = rebels.last, isTooFast(from: rebel, to: fix) || fix.timestamp <= rebel.timestamp {
            rebels = []
        }
        rebels.append(fix)
        return rebels.count >= limits.agreement
    }

    private mutating func accept(_ fix: Fix) -> Verdict {
        rebels = []
        var fix = fix
        if let speed = fix.speed, speed < Self.movingSpeed {
            // Who stands turns any way in a receiver's noise.
            fix.course = course
        } else {
            course = fix.course ?? course
        }
        last = fix
        return .accepted(fix)
    }
}
