package import YonderModel
package import YonderRules

/// What became of moving a share.
package enum ShareMove: Hashable, Sendable {
    case moved
    /// A position measured later is there already; this one has joined the trail.
    case older
    /// A position measured at the same time is there already.
    case duplicate
    /// The message has no live share, or it has ended.
    case ended
}

/// The writes of one atomic change; its reads see them.
///
/// All throw `StoreError` alone: `.conflict` where an id is taken, `.notFound`
/// where something named is not there, `.notLive` as said below; such a call has
/// written nothing, and the change may go on after it. After `.unavailable` (the
/// disk refuses) it has to throw.
package protocol StoreTransaction: StoreReader, AccessTransaction, TrailTransaction {
    /// Adds a user, or changes the name, image and role; the first creation time stays.
    func putUser(_ user: User) throws

    /// Adds a device, or changes its name, platform and last-seen time; the first creation time stays.
    func putDevice(_ device: Device) throws

    /// Notes that a device has spoken; to the minute, so that most calls write nothing. An unknown one is none.
    func sawDevice(_ device: DeviceId, of user: UserId, at time: Timestamp) throws

    /// Adds a channel, without members; its sequence starts at `channel.seq`.
    func insertChannel(_ channel: Channel) throws

    /// Changes a channel's name, configuration and `updatedTime`.
    func updateChannel(_ channel: Channel) throws

    /// Adds a member, or changes the role; the first joining time stays.
    func putMember(_ user: UserId, role: MemberRole, joinedAt: Timestamp, in channel: ChannelId) throws

    /// Removes a member; nothing happens if there is none.
    func removeMember(_ user: UserId, in channel: ChannelId) throws

    /// Keeps a durable event as the channel's next.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - channel: Where.
    ///   - time: When.
    ///   - isActivity: Whether it moves the channel to the front of its members' lists. Default `false`.
    /// - Returns: Its number, one more than the last one's.
    /// - Throws: `StoreError` with code `.notFound` if there is no such channel.
    func append(_ event: StoredEvent, to channel: ChannelId, at time: Timestamp, isActivity: Bool) throws
        -> Int64

    /// Forgets events: those older than a moment, and of each channel all but the newest.
    func trimEvents(before time: Timestamp, keeping count: Int64) throws

    /// Adds a message as the channel's newest, with its shared location.
    ///
    /// - Parameters:
    ///   - message: The message; its author and its channel must be there.
    ///   - fingerprint: What a repeat of the request is recognised by; see
    ///     ``StoreReader/messageFingerprint(_:)``.
    ///   - deviceTime: When a live share's first position was measured, as the device said it; `nil` where
    ///     it did not. Default `nil`.
    /// - Throws: `StoreError` with code `.conflict` if the id is taken.
    func insertMessage(_ message: Message, fingerprint: [UInt8], deviceTime: Timestamp?) throws

    /// Changes a message's text.
    ///
    /// - Throws: `StoreError` with code `.notFound` if it is not there or deleted.
    func editMessage(_ message: MessageId, text: String, at time: Timestamp) throws

    /// Leaves of a message nothing but that it was there; its position is erased.
    ///
    /// Its share, if it is live, must have been ended before. Nothing happens to one that is deleted already.
    func deleteMessage(_ message: MessageId, at time: Timestamp) throws

    /// Erases the positions and trails of shares that ended before a moment; the messages stay.
    ///
    /// - Parameters:
    ///   - time: Before when a live share must have ended.
    ///   - sent: Before when a static location must have been sent; `nil` = those are kept.
    /// - Returns: How many were erased.
    /// - Throws: `StoreError`.
    func erasePositions(endedBefore time: Timestamp, sentBefore sent: Timestamp?) throws -> Int

    /// Removes a channel with all that is in it.
    func deleteChannel(_ channel: ChannelId) throws

    /// Removes a device; shares that it feeds for another device are fed by that one again.
    ///
    /// - Throws: `StoreError` with code `.notFound` if there is none.
    func deleteDevice(_ device: DeviceId, of user: UserId, at time: Timestamp) throws

    /// Moves a live share to a newer position, or adds an older one to its trail.
    ///
    /// - Parameters:
    ///   - message: The share's message.
    ///   - position: What it does not say is unknown afterwards.
    ///   - recordedAt: When it was measured, on the server's clock.
    ///   - deviceTime: The same as the device said it: a second one of that time is a repeat. `nil` where it
    ///     did not say it. Default `nil`.
    ///   - updatedAt: Now.
    /// - Returns: What became of it; nothing is written where it is a duplicate or the share has ended.
    /// - Throws: `StoreError`.
    func moveShare(
        _ message: MessageId, to position: Position, recordedAt: Timestamp, deviceTime: Timestamp?,
        updatedAt: Timestamp
    ) throws -> ShareMove

    /// Ends a live share, for good.
    ///
    /// - Throws: `StoreError` with code `.notLive` if the message has no live share or it has ended.
    func endShare(_ message: MessageId, at time: Timestamp, reason: EndedReason, updatedAt: Timestamp) throws

    /// Changes when a live share ends or which device feeds it; `nil` leaves it as it is.
    ///
    /// - Throws: `StoreError` with code `.notLive` if the message has no live share or it has ended.
    func changeShare(
        _ message: MessageId, endAt: Timestamp?, fedBy: DeviceId?, updatedAt: Timestamp
    ) throws
}

extension StoreTransaction {
    /// Adds a message whose share, if it has one, says no time of measurement.
    package func insertMessage(_ message: Message, fingerprint: [UInt8]) throws {
        try insertMessage(message, fingerprint: fingerprint, deviceTime: nil)
    }

    /// Moves a live share by a position that says no time of measurement.
    package func moveShare(
        _ message: MessageId, to position: Position, recordedAt: Timestamp, updatedAt: Timestamp
    ) throws -> ShareMove {
        try moveShare(
            message, to: position, recordedAt: recordedAt, deviceTime: nil, updatedAt: updatedAt)
    }

    /// Keeps a durable event that moves no channel to the front.
    package func append(_ event: StoredEvent, to channel: ChannelId, at time: Timestamp) throws -> Int64 {
        try append(event, to: channel, at: time, isActivity: false)
    }
}
