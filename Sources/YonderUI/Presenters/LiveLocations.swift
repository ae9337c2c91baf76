public import Foundation
public import YonderClient

/// Everybody who shares a live location in a channel, as rows under the map.
public struct LiveLocations: Hashable, Sendable {
    /// One person.
    public struct Row: Hashable, Sendable {
        /// The message that shares it.
        public let messageId: MessageId
        /// The name, or "You".
        public let name: String
        /// "320 m NE"; `nil` where the viewer's own place is not known, and on the viewer's own row.
        public let way: String?
        /// "5 s ago", or when it ended.
        public let age: String
        /// What it is.
        public let phase: SharePhase
        /// What a screen reader says.
        public let accessibilityLabel: String
    }

    /// Those that are on, mine first, then by name.
    public let live: [Row]
    /// Those that ended within ``endedSeconds``, the latest first.
    public let ended: [Row]
    /// The heading above the second list.
    public let endedHeading: String
    /// What is said where both are empty.
    public let nobody: String

    /// Seconds that somebody stays listed whose share is over.
    public static let endedSeconds: TimeInterval = 300

    /// The rows of a channel.
    ///
    /// - Parameters:
    ///   - locations: Live locations of it, whether on or over.
    ///   - names: Of whom; the id where it is missing.
    ///   - me: The viewer.
    ///   - here: Where the viewer is; `nil`: not known.
    ///   - now: The server's clock.
    ///   - words: What is said, in which language.
    public init(
        _ locations: [SharedLocation], names: [UserId: String], me: UserId?, here: Coordinate?, now: Date,
        words: Words = .current
    ) {
        func row(_ location: SharedLocation) -> Row {
            let phase = SharePhase(location, now: now)
            let isMine = location.userId == me
            let name = isMine ? words.text(.peopleYou) : names[location.userId] ?? location.userId.rawValue
            let way = isMine ? nil : here.flatMap { Self.way(from: $0, to: location, words) }
            let lines = words.lines(of: location, phase, now: now)
            let age = phase == .ended ? lines.detail : words.ago(location.recordedAt, now: now)
            return Row(
                messageId: location.messageId, name: name, way: way, age: age, phase: phase,
                accessibilityLabel: [name, lines.headline, lines.detail, way ?? ""]
                    .filter { !$0.isEmpty }.joined(separator: ", "))
        }
        func over(_ location: SharedLocation) -> Date {
            min(location.endedAt ?? .distantFuture, location.endAt ?? .distantFuture)
        }
        let all = locations.filter { $0.isLive && !$0.isErased }
        let on = all.filter { SharePhase($0, now: now).isOn }
        live =
            (on.filter { $0.userId == me }.map(row))
            + on.filter { $0.userId != me }.map(row).sorted {
                ($0.name, $0.messageId.rawValue) < ($1.name, $1.messageId.rawValue)
            }
        let isStillOn = Set(on.map(\.userId))
        ended = all.filter {
            SharePhase($0, now: now) == .ended && now.timeIntervalSince(over($0)) < Self.endedSeconds
                && !isStillOn.contains($0.userId)
        }.sorted { over($0) > over($1) }.map(row)
        endedHeading = words.text(.peopleEnded)
        nobody = words.text(.peopleNobody)
    }

    /// How far and which way; within a circle no way is known, only that one is near.
    private static func way(from here: Coordinate, to location: SharedLocation, _ words: Words) -> String? {
        guard let place = location.coordinate else { return nil }
        let metres = here.distance(to: place)
        let isArea = location.precision == .approximate
        if isArea, metres < location.accuracy ?? 0 { return words.text(.distanceNear) }
        let distance = isArea ? words.text(.distanceAbout, words.distance(metres)) : words.distance(metres)
        return metres < 10 ? distance : "\(distance) \(words.direction(here.initialBearing(to: place)))"
    }
}
