package import YonderModel

/// Questions to the store, all answered from one snapshot.
///
/// All throw `StoreError` alone. A share's `isLiveSharingActive` says whether
/// nothing has ended it yet; whether it is due is the service's to say (`asSeen`).
package protocol StoreReader: AccessReader, TrailReader {
    /// The user; `nil` if unknown.
    func user(_ id: UserId) throws -> User?

    /// A user's device; `nil` if unknown.
    func device(_ id: DeviceId, of user: UserId) throws -> Device?

    /// A user's devices, oldest first.
    func devices(of user: UserId) throws -> [Device]

    /// The channel, without capabilities and active live locations; `nil` if unknown.
    func channel(_ id: ChannelId) throws -> Channel?

    /// The channels a user is a member of, newest activity first; filled as by ``channel(_:)``.
    func channels(of user: UserId) throws -> [Channel]

    /// A user's membership in a channel; `nil` if there is none.
    func member(_ user: UserId, in channel: ChannelId) throws -> Member?

    /// A channel's members in the order of their joining.
    func members(of channel: ChannelId) throws -> [Member]

    /// The message with its author and its shared location; `nil` if unknown.
    func message(_ id: MessageId) throws -> Message?

    /// The fingerprint given when the message was inserted; `nil` if it is unknown.
    func messageFingerprint(_ id: MessageId) throws -> [UInt8]?

    /// A page of the messages that answer one in its thread, oldest first; as ``messages(in:limit:before:after:)``.
    func replies(to parent: MessageId, limit: Int, before: MessageId?, after: MessageId?) throws -> [Message]

    /// A channel's durable events after one, oldest first.
    ///
    /// - Parameters:
    ///   - sequence: Number of the last event not wanted.
    ///   - channel: Whose events.
    ///   - limit: Most events to return, > 0.
    /// - Returns: Those that are kept; a gap in their numbers shows that others were not.
    /// - Throws: `StoreError`.
    func events(after sequence: Int64, in channel: ChannelId, limit: Int) throws -> [(
        seq: Int64, event: StoredEvent
    )]

    /// The live shares of a channel that nothing has ended yet, due or not, oldest first.
    func unendedShares(in channel: ChannelId) throws -> [SharedLocation]

    /// A page of a channel's messages, without those in threads, oldest first.
    ///
    /// Without a cursor the newest page; with both, the page right after `after`
    /// as far as `before`.
    ///
    /// - Parameters:
    ///   - channel: Whose messages; an unknown one has none.
    ///   - limit: Most messages to return, > 0.
    ///   - before: Only messages older than this one, the newest of them.
    ///   - after: Only messages newer than this one, the oldest of them.
    /// - Returns: At most `limit` messages.
    /// - Throws: `StoreError` with code `.unknownCursor` if a cursor is no message of the channel.
    func messages(
        in channel: ChannelId, limit: Int, before: MessageId?, after: MessageId?
    ) throws -> [Message]

    /// A user's messages that are not deleted, oldest first, those in threads too.
    ///
    /// - Parameters:
    ///   - user: Their author.
    ///   - after: Only messages newer than this one; `nil` = from the first.
    ///   - limit: Most messages to return, > 0.
    /// - Returns: At most `limit` messages.
    /// - Throws: `StoreError`.
    func messages(by user: UserId, after: MessageId?, limit: Int) throws -> [Message]

    /// The live shares that nothing has ended yet, due or not, oldest first.
    func unendedShares() throws -> [SharedLocation]

    /// A user's live shares that nothing has ended yet, due or not, oldest first.
    func unendedShares(of user: UserId) throws -> [SharedLocation]

    /// A user's live share in a channel that nothing has ended yet; the newest if there are several.
    func unendedShare(of user: UserId, in channel: ChannelId) throws -> SharedLocation?
}
