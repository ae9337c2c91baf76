public import YonderClient

/// Whether the attach menu offers to share a location.
public struct AttachmentMenu: Hashable, Sendable {
    /// "Location"; `nil`: it is not offered.
    public let location: String?
    /// The name of the system's symbol beside it.
    public let symbol = "mappin"

    /// The menu of a channel.
    ///
    /// - Parameters:
    ///   - channel: `nil`: not known yet.
    ///   - isInsideThread: Whether an answer in a thread is written, where no location is shared.
    ///   - words: What is said, in which language.
    public init(channel: ChatChannel?, isInsideThread: Bool, words: Words = .current) {
        self.init(
            isEnabled: channel?.config.sharedLocationsEnabled ?? false, isInsideThread: isInsideThread,
            words: words)
    }

    init(isEnabled: Bool, isInsideThread: Bool, words: Words) {
        location = isEnabled && !isInsideThread ? words.text(.attachLocation) : nil
    }
}
