public import YonderClient

/// The full map of one location.
public struct LocationDetail: Hashable, Sendable {
    /// The title of the screen.
    public let title: String
    /// "Live until 14:32", "Live location ended"; `nil` on a place, which has no banner.
    public let banner: String?
    /// The quieter line under it.
    public let bannerDetail: String
    /// The colour of the banner's words.
    public let role: ColorRole
    /// The button that stops it; `nil` where there is nothing that I could stop.
    public let stop: String?
    /// Whether the viewer's own position is on the map: not where the share is theirs, which shows it already.
    public let showsOwnPosition: Bool
    /// Whether the pin pulses.
    public let pulses: Bool
    /// Whether there is anything to put on the map.
    public let hasPosition: Bool

    /// The screen of a location.
    public init(_ location: SharedLocation, for viewing: Viewing) {
        let words = viewing.words
        let phase = SharePhase(location, now: viewing.now)
        let lines = words.lines(of: location, phase, now: viewing.now)
        title = words.text(.detailTitle)
        banner = phase == .place ? nil : lines.headline
        bannerDetail = phase == .place ? "" : lines.detail
        role = phase.role
        stop = viewing.isMine && phase.isOn ? words.text(.buttonStop) : nil
        showsOwnPosition = !viewing.isMine
        pulses = phase == .live
        hasPosition = phase != .erased
    }
}
