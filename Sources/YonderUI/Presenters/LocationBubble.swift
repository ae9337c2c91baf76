public import YonderClient

/// A message's location in the list: the picture of the map, and what stands on it.
public struct LocationBubble: Hashable, Sendable {
    /// What it is.
    public let phase: SharePhase
    /// "Live until 14:32", "Live location ended", …; of a place its kind.
    public let headline: String
    /// The quieter line: how old it is and how sure; may be empty.
    public let detail: String
    /// The colour of the headline.
    public let role: ColorRole
    /// Whether the picture of the map is drawn; not where the position is no longer kept.
    public let showsSnapshot: Bool
    /// Whether the button that stops it is shown: on my own shares that are on, from whichever device of mine.
    public let showsStop: Bool
    /// Whether the two lines are shown: on live locations, but where the button is.
    public let showsStatus: Bool
    /// Whether the author's disc stands on the map, in place of a pin: on live locations.
    public let showsAvatar: Bool
    /// Whether the disc pulses: only while it is fresh.
    public let pulses: Bool
    /// Whether a tap opens the full map.
    public let opensMap: Bool
    /// The words of ``showsStop``'s button.
    public let stopTitle: String
    /// What a screen reader says: whose it is, and its state.
    public let accessibilityLabel: String
    /// What it says of a tap; `nil`: a tap does nothing.
    public let accessibilityHint: String?

    /// The bubble of a location.
    public init(_ location: SharedLocation, for viewing: Viewing) {
        let words = viewing.words
        phase = SharePhase(location, now: viewing.now)
        (headline, detail) = words.lines(of: location, phase, now: viewing.now)
        role = phase.role
        showsSnapshot = phase != .erased
        showsStop = viewing.isMine && phase.isOn
        showsStatus = location.isLive && !showsStop
        showsAvatar = location.isLive && phase != .erased
        pulses = phase == .live
        opensMap = phase != .erased
        stopTitle = words.text(.buttonStop)
        let owner = viewing.isMine ? words.text(.peopleYou) : viewing.author
        let kind = words.text(location.isLive ? .locationLiveOf : .locationOf, owner)
        accessibilityLabel = [kind, headline, detail]
            .filter { !$0.isEmpty && $0 != words.text(.locationStatic) }.joined(separator: ", ")
        accessibilityHint = opensMap ? words.text(.locationHint) : nil
    }
}
