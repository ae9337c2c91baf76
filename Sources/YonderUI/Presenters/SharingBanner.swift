public import Foundation
public import YonderClient

/// What the app shows of my own sharing while it is on: where, how long still, and who can see me.
public struct SharingBanner: Hashable, Sendable {
    /// "Sharing here · 43 min · 6 people can see you".
    public let text: String
    /// "Stop Sharing", or "Stop All" where it is more than one.
    public let stop: String

    /// The banner of a screen; `nil` where I share nothing.
    ///
    /// - Parameters:
    ///   - shares: My shares; those that are over do not count.
    ///   - channel: The channel that is on the screen; `nil`: none.
    ///   - audience: How many people can see me; `nil`: not known.
    ///   - now: The server's clock.
    ///   - words: What is said, in which language.
    public init?(
        shares: [SharedLocation], in channel: ChannelId?, audience: Int?, now: Date, words: Words = .current
    ) {
        let on = shares.filter { SharePhase($0, now: now).isOn }
        guard let end = on.compactMap(\.endAt).max() else { return nil }
        let isHere = on.count == 1 && on[0].channelId == channel
        let place = isHere ? words.text(.sharingHere) : words.counted(.sharingChats, on.count)
        let seen = audience.map { words.counted(.sharingAudience, $0) }
        text = words.joined([place, words.left(until: end, now: now), seen])
        stop = words.text(on.count == 1 ? .buttonStop : .buttonStopAll)
    }
}
