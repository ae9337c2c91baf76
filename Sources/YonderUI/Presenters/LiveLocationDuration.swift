public import Foundation

/// How long a live location is shared, as it is offered.
public struct LiveLocationDuration: Hashable, Sendable {
    /// Seconds.
    public let seconds: TimeInterval
    private let key: WordKey?
    private let count: Int
    private let ownTitle: String

    /// A duration with an app's own words.
    public init(seconds: TimeInterval, title: String) {
        self.seconds = seconds
        (key, count, ownTitle) = (nil, 0, title)
    }

    private init(seconds: TimeInterval, _ key: WordKey, _ count: Int) {
        self.seconds = seconds
        (self.key, self.count, ownTitle) = (key, count, "")
    }

    /// So many minutes.
    public static func minutes(_ count: Int) -> LiveLocationDuration {
        // A second more than the least that a server takes: the way there takes time, too.
        LiveLocationDuration(seconds: count == 1 ? 61 : TimeInterval(count * 60), .durationMinutes, count)
    }

    /// So many hours.
    public static func hours(_ count: Int) -> LiveLocationDuration {
        LiveLocationDuration(seconds: TimeInterval(count * 3_600), .durationHours, count)
    }

    /// 1 minute, 10 minutes, 1 hour, 8 hours.
    public static let standard: [LiveLocationDuration] = [.minutes(1), .minutes(10), .hours(1), .hours(8)]

    /// "10 minutes".
    public func title(in words: Words = .current) -> String {
        key.map { words.counted($0, count) } ?? ownTitle
    }
}
