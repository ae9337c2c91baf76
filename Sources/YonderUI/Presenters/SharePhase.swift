public import Foundation
public import YonderClient

/// What a shared location is at a moment.
public enum SharePhase: String, CaseIterable, Hashable, Sendable {
    /// A place, sent once.
    case place
    /// On, and heard of lately.
    case live
    /// On, but nothing was heard for so long that it must not look fresh.
    case stale
    /// Over.
    case ended
    /// Its position is no longer kept.
    case erased

    /// The phase of a location.
    ///
    /// - Parameters:
    ///   - location: What is shared.
    ///   - now: The server's clock, see `ChatClient.serverTime`.
    public init(_ location: SharedLocation, now: Date) {
        if location.isErased {
            self = .erased
        } else if let end = location.endAt {
            self = location.endedAt != nil || now >= end ? .ended : location.isStale(at: now) ? .stale : .live
        } else {
            self = .place
        }
    }

    /// Whether somebody is seen by it.
    public var isOn: Bool { self == .live || self == .stale }

    /// The colour of its words.
    var role: ColorRole {
        switch self {
        case .place, .erased: .quietText
        case .live: .live
        case .stale: .stale
        case .ended: .ended
        }
    }
}

/// Whom a location is shown to, and when.
public struct Viewing: Sendable {
    /// Whether it is the viewer's own.
    public var isMine: Bool
    /// The author's name.
    public var author: String
    /// The server's clock.
    public var now: Date
    /// What is said, in which language.
    public var words: Words

    /// Creates a view on a location.
    public init(isMine: Bool, author: String, now: Date, words: Words = .current) {
        self.isMine = isMine
        self.author = author
        self.now = now
        self.words = words
    }
}

extension Words {
    /// The state of a location: a headline, and the quieter line under it.
    func lines(of location: SharedLocation, _ phase: SharePhase, now: Date) -> (
        headline: String, detail: String
    ) {
        let sure =
            location.precision == .approximate ? text(.locationApproximate) : accuracy(location.accuracy)
        let heard = ago(location.recordedAt, now: now)
        let until = location.endAt.map { text(.liveUntil, clock($0)) }
        switch phase {
        case .erased: return (text(.locationErased), "")
        case .place: return (text(.locationStatic), sure ?? "")
        case .live: return (until ?? "", joined([text(.liveUpdated, heard), sure]))
        case .stale: return (text(.liveLastSeen, heard), joined([until, sure]))
        case .ended:
            let over = min(location.endedAt ?? .distantFuture, location.endAt ?? .distantFuture)
            return (text(.liveEnded), clock(over))
        }
    }

    /// Parts with dots between them; what is not known is left out.
    func joined(_ parts: [String?]) -> String {
        parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
