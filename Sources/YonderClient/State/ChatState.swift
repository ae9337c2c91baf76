import YonderModel
import YonderRules

/// What the client knows of its user's channels, messages and shares, and what waits to be sent.
///
/// A value: the clock is passed in, what changes is noted for whoever observes it and for the store.
struct ChatState: Sendable {
    /// What an observer is told.
    enum Change: Sendable {
        case user
        case channelList
        case channel(EntityChange<ChatChannel>)
        case message(EntityChange<ChatMessage>)
        /// A share in a channel began, moved, changed or ended.
        case share(ChannelId)
        case ownShares
    }

    /// What the store has to write.
    struct Unsaved: Sendable {
        var channels: Set<ChannelId> = []
        var messages: Set<MessageId> = []
        var isUserChanged = false
        var isOrderChanged = false

        var isEmpty: Bool { channels.isEmpty && messages.isEmpty && !isUserChanged && !isOrderChanged }
    }

    let deviceId: DeviceId
    /// Whether only those own shares count that this device feeds.
    let onlyCurrentDevice: Bool
    /// The server's clock, as well as it is known; set before each use.
    var now = Timestamp(milliseconds: 0)
    /// Milliseconds that the server's clock is ahead of the device's.
    var clockOffset: Int64 = 0

    var userId: UserId?
    var user: User?
    var devices: [Device] = []
    var channels: [ChannelId: Channel] = [:]
    /// The user's channels, newest activity first; `nil` until they were read.
    var channelOrder: [ChannelId]?
    var timelines: [ChannelId: Timeline] = [:]
    var threads: [MessageId: Timeline] = [:]
    var messages: [MessageId: Message] = [:]
    /// The shares of messages, apart from them: they change without the message.
    var locations: [MessageId: SharedLocation] = [:]
    /// The durable event up to which a channel's messages are known.
    var floors: [ChannelId: Int64] = [:]
    /// Channels of which something was missed that has not been read yet.
    var incomplete: Set<ChannelId> = []
    /// In the order in which things were done.
    var outbox: [OutboxEntry] = []
    /// Own messages that are not in their place yet, in the order in which they were written.
    var unplaced: [ChannelId: [MessageId]] = [:]
    /// The draft that is on its way, and why those that wait do.
    var sending: MessageId?
    var problems: [MessageId: ClientError] = [:]

    /// Shares that are on: live, not over by the server's clock, not being stopped.
    private(set) var active: Set<MessageId> = []
    private var toldOwnShares: [MessageId] = []
    private(set) var changes: [Change] = []
    /// Whether a share may end by itself at another moment than before.
    private var hasNewEnd = false
    private(set) var unsaved = Unsaved()

    init(deviceId: DeviceId, onlyCurrentDevice: Bool) {
        self.deviceId = deviceId
        self.onlyCurrentDevice = onlyCurrentDevice
    }

    /// The event from which a later run of the app may go on; `nil` = it has to read the channel.
    func keptFloor(_ cid: ChannelId) -> Int64? {
        timelines[cid] == nil || incomplete.contains(cid) ? nil : floors[cid]
    }

    mutating func takeChanges() -> [Change] {
        defer { changes = [] }
        return changes
    }

    mutating func takeUnsaved() -> Unsaved {
        defer { unsaved = Unsaved() }
        return unsaved
    }

    mutating func takeHasNewEnd() -> Bool {
        defer { hasNewEnd = false }
        return hasNewEnd
    }

    mutating func note(_ change: Change) { changes.append(change) }
    mutating func save(_ message: MessageId) { unsaved.messages.insert(message) }
    mutating func save(_ channel: ChannelId) { unsaved.channels.insert(channel) }
    mutating func saveOrder() { unsaved.isOrderChanged = true }
    mutating func saveUser() { unsaved.isUserChanged = true }
}

// MARK: What it looks like

extension ChatState {
    /// A message as an app shows it; `nil` where it is not known or deleted.
    func chatMessage(_ id: MessageId) -> ChatMessage? {
        if let message = messages[id] {
            guard message.deletedTime == nil else { return nil }
            return dressed(ChatMessage(message, currentUserId: userId))
        }
        guard let entry = draftEntry(id), let draft = entry.draft,
            let user = user ?? userId.map({ User(id: $0, name: $0.rawValue, role: .user, createdTime: now) })
        else { return nil }
        let written = entry.queuedAt.advanced(byMilliseconds: clockOffset)
        var message = Message(
            id: id, channelId: draft.cid, user: user, text: draft.text ?? "", createdTime: written,
            updatedTime: written, sharedLocation: nil)
        message.parentId = draft.parentId
        message.quotedMessage = draft.quotedId.flatMap { messages[$0] }
        var shown = dressed(ChatMessage(message, currentUserId: userId))
        shown.localState = entry.refusal != nil ? .failed : sending == id ? .sending : .pending
        shown.localError = entry.refusal.map(ClientError.init) ?? problems[id]
        return shown
    }

    /// With its share as it is now, and the same of what it quotes.
    private func dressed(_ message: ChatMessage) -> ChatMessage {
        var message = message
        message.sharedLocation = location(message.id) ?? message.sharedLocation?.asSeen(at: now)
        if let quoted = message.quotedMessage {
            if messages[quoted.id]?.deletedTime != nil {
                message.quotedMessage?.text = ""
                message.quotedMessage?.sharedLocation = nil
            } else {
                message.quotedMessage?.sharedLocation =
                    location(quoted.id) ?? quoted.sharedLocation?.asSeen(at: now)
            }
        }
        return message
    }

    /// A share as it is now.
    func location(_ id: MessageId) -> SharedLocation? {
        guard var share = locations[id]?.asSeen(at: now) else { return nil }
        if isStopping(id) || isRefused(id) { share.isLiveSharingActive = false }
        return share
    }

    /// What waits in the outbox to be a message; `nil` = the server has it, or nobody has written it.
    func draftEntry(_ id: MessageId) -> OutboxEntry? { outbox.first { $0.draft?.id == id } }

    /// Messages, and with them shares, that the server does not know yet.
    var draftIds: Set<MessageId> { Set(outbox.compactMap(\.draft?.id)) }

    private func isStopping(_ id: MessageId) -> Bool {
        outbox.contains { if case .stop(id, _) = $0.action { $0.refusal == nil } else { false } }
    }

    private func isRefused(_ id: MessageId) -> Bool {
        draftEntry(id)?.refusal != nil
    }

    /// A channel's messages, oldest first, those that are not sent yet last.
    func chatMessages(_ cid: ChannelId) -> [ChatMessage] {
        ((timelines[cid]?.ids ?? []) + (unplaced[cid] ?? [])).compactMap(chatMessage)
            .filter { $0.parentMessageId == nil }
    }

    /// A thread's messages, oldest first, those that are not sent yet last.
    func replies(to parent: MessageId) -> [ChatMessage] {
        let waiting = messages[parent].map { unplaced[$0.channelId] ?? [] } ?? []
        return (threads[parent]?.ids ?? []).compactMap(chatMessage)
            + waiting.filter { threads[parent]?.contains($0) != true }.compactMap(chatMessage)
            .filter { $0.parentMessageId == parent }
    }

    func chatChannel(_ cid: ChannelId) -> ChatChannel? {
        channels[cid].map { channel in
            ChatChannel(
                channel, activeLiveLocations: activeShares { $0.channelId == cid },
                latestMessages: latestMessages(cid))
        }
    }

    private func latestMessages(_ cid: ChannelId) -> [ChatMessage] {
        let ids = (timelines[cid]?.ids ?? []).suffix(ChatChannel.maxLatestMessages) + (unplaced[cid] ?? [])
        return ids.compactMap(chatMessage).filter { $0.parentMessageId == nil }
            .suffix(ChatChannel.maxLatestMessages)
    }

    var chatChannels: [ChatChannel] { (channelOrder ?? []).compactMap(chatChannel) }

    var currentUser: CurrentChatUser? {
        userId.map { id in
            CurrentChatUser(
                id: id, name: user?.name ?? id.rawValue, image: user?.image,
                currentDevice: .init(id: deviceId), devices: devices)
        }
    }

    /// The user's shares that are on and count, newest first.
    var ownShares: [SharedLocation] {
        activeShares { share in
            share.userId == userId && isFedHere(share)
        }
    }

    /// Whether it is this device that moves a share.
    private func isFedHere(_ share: SharedLocation) -> Bool {
        !onlyCurrentDevice || share.fedByDeviceId == deviceId
    }

    /// Whether this device feeds a share that is not over; one that is being stopped still gets what waits for it.
    func isToBeFed(_ id: MessageId) -> Bool {
        guard let share = locations[id], !share.isOver(at: now) else { return false }
        return isFedHere(share)
    }

    /// The messages of ``ownShares``.
    var ownShareMessages: [ChatMessage] {
        ownShares.compactMap { chatMessage($0.messageId) ?? placeholder(for: $0) }
    }

    /// A message of the user's own of which only the share is known yet.
    private func placeholder(for share: SharedLocation) -> ChatMessage? {
        user.map { user in
            ChatMessage(
                Message(
                    id: share.messageId, channelId: share.channelId, user: user, text: "",
                    createdTime: share.createdTime, updatedTime: share.createdTime, sharedLocation: share),
                currentUserId: userId)
        }
    }

    func activeShares(where isWanted: (SharedLocation) -> Bool) -> [SharedLocation] {
        // By the clock as well: after a sleep of the device it may be long past an end that is still to be told.
        active.compactMap { locations[$0]?.asSeen(at: now) }.filter { $0.isLiveSharingActive && isWanted($0) }
            .sorted { ($1.createdTime, $1.messageId.rawValue) < ($0.createdTime, $0.messageId.rawValue) }
    }

    /// The user's shares that the server ends when it gets a live one.
    func shares(replacedBy draft: MessageDraft) -> [MessageId] {
        let drafts = draftIds
        // Also one whose stop waits behind the draft.
        return locations.values.filter { share in
            share.channelId == draft.cid && share.userId == userId && share.isLive && share.endedTime == nil
        }.map(\.messageId).filter { !drafts.contains($0) }
    }

    /// Shares that are on in a channel and whose messages are not known.
    func unknownShares(in cid: ChannelId) -> [MessageId] {
        active.filter { id in
            locations[id]?.channelId == cid && messages[id] == nil && draftEntry(id) == nil
        }
    }

    /// When the next share that is on ends by itself.
    var nextEnd: Timestamp? { active.compactMap { locations[$0]?.endTime }.min() }
}

// MARK: Shares

extension ChatState {
    /// What was told of a share, now or earlier.
    mutating func merge(_ share: SharedLocation) {
        // What was only guessed here, by a clock that may be wrong, gives way.
        let isGuess = draftEntry(share.messageId) != nil
        let known = isGuess ? nil : locations[share.messageId]
        set(known.map { $0.merged(with: share) } ?? share)
    }

    /// Takes a share as it is said, and tells what that changes.
    mutating func set(_ share: SharedLocation) {
        let id = share.messageId
        let known = locations[id]
        guard known != share else { return judge(id) }
        locations[id] = share
        if known?.endTime != share.endTime { hasNewEnd = true }
        judge(id)
        note(.share(share.channelId))
        save(id)
        noteMessage(id)
    }

    /// A pin moved.
    mutating func move(_ update: LocationUpdate) {
        guard var share = locations[update.messageId], update.recordedTime > share.recordedTime,
            !share.isErased, share.endedTime == nil
        else { return }
        share.position = update.position
        share.recordedTime = update.recordedTime
        locations[update.messageId] = share
        note(.share(share.channelId))
        noteMessage(update.messageId)
    }

    /// The server has said that a share is over, without saying since when.
    mutating func shareOver(_ id: MessageId) {
        guard var share = locations[id], share.endedTime == nil, share.isLive else { return }
        share.endedTime = now
        set(share)
    }

    /// The server has said that this device does not feed a share.
    mutating func shareUnfed(_ id: MessageId) {
        guard var share = locations[id], isFedHere(share) else { return }
        share.fedByDeviceId = nil
        set(share)
    }

    /// The user's shares that are on and that the server has.
    var sharesKnownToServer: Set<MessageId> {
        active.filter { id in
            locations[id]?.userId == userId && draftEntry(id) == nil
        }
    }

    /// A list of all shares of the user's that are on.
    ///
    /// - Parameters:
    ///   - shares: The list.
    ///   - known: Which were thought to be on when it was asked for.
    /// - Returns: Those that were thought to be on and are not, to be read again.
    mutating func reconcile(ownShares shares: [SharedLocation], of known: Set<MessageId>) -> [MessageId] {
        for share in shares { merge(share) }
        let over = active.intersection(known).subtracting(shares.map(\.messageId))
        for id in over { shareOver(id) }
        return Array(over)
    }

    /// Those that have ended by the clock since it was last looked at.
    mutating func expire() {
        for id in active where locations[id]?.isOver(at: now) ?? true {
            judge(id)
            if let cid = locations[id]?.channelId { note(.share(cid)) }
            noteMessage(id)
        }
    }

    /// Looks whether a share is on, and tells of what hangs on that.
    mutating func judge(_ id: MessageId) {
        let isActive = location(id)?.isLiveSharingActive ?? false
        let wasActive = active.contains(id)
        if isActive { active.insert(id) } else { active.remove(id) }
        if isActive != wasActive {
            hasNewEnd = true
            if let cid = locations[id]?.channelId { noteChannel(cid) }
        }
        tellOwnShares()
    }

    mutating func tellOwnShares() {
        let own = ownShares.map(\.messageId)
        guard own != toldOwnShares else { return }
        toldOwnShares = own
        note(.ownShares)
    }

    mutating func noteMessage(_ id: MessageId) {
        if let message = chatMessage(id) { note(.message(.update(message))) }
    }

    mutating func noteChannel(_ cid: ChannelId) {
        if let channel = chatChannel(cid) { note(.channel(.update(channel))) }
    }

    /// Drops a share with its position.
    mutating func forgetLocation(_ id: MessageId) {
        let cid = locations.removeValue(forKey: id)?.channelId
        if active.remove(id) != nil, let cid {
            note(.share(cid))
            noteChannel(cid)
        }
        tellOwnShares()
    }
}
