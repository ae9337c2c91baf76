import YonderModel
import YonderRules

extension ChatState {
    /// Takes what the server says has happened. What it says twice changes nothing.
    mutating func apply(_ event: ServerEvent) {
        switch event {
        case .hello(let hello): if let user = hello.user { set(user) }
        case .messageNew(let event): insert(event.message)
        case .messageUpdated(let event): merge(event.message)
        case .messageDeleted(let event): merge(event.message)
        case .locationStarted(let event), .locationChanged(let event), .locationEnded(let event):
            merge(event.location)
        case .locationUpdated(let update): move(update)
        case .shareState(let state): merge(state.location)
        case .channelState(let state): apply(state)
        case .memberAdded(let event): changeMembers(by: event, 1)
        case .memberRemoved(let event):
            if event.member.user.id == userId {
                forget(event.channelId)
            } else {
                changeMembers(by: event, -1)
            }
        case .channelUpdated(let event): apply(event)
        case .channelDeleted(let event): forget(event.channelId)
        case .resync(let cid):
            floors[cid] = nil
            incomplete.insert(cid)
            save(cid)
        case .memberUpdated, .locationWatchers, .ack, .error, .heartbeat, .unknown: break
        }
    }

    mutating func set(_ user: User) {
        guard self.user != user else { return }
        self.user = user
        saveUser()
        note(.user)
    }

    private mutating func apply(_ state: ChannelState) {
        let listed = Set(state.activeLiveLocations.map(\.messageId))
        for share in state.activeLiveLocations { merge(share) }
        for id in active where locations[id]?.channelId == state.channelId && !listed.contains(id) {
            if draftEntry(id) == nil { shareOver(id) }
        }
        setFloor(state.channelId, state.seq)
    }

    /// Everything up to an event is known now.
    mutating func setFloor(_ cid: ChannelId, _ seq: Int64) {
        guard floors[cid] != seq else { return }
        floors[cid] = seq
        save(cid)
    }

    private mutating func changeMembers(by event: MemberEvent, _ count: Int) {
        // What happened before the channel was read is counted.
        guard var channel = channels[event.channelId], event.seq > channel.seq else { return }
        channel.seq = event.seq
        channel.memberCount = max(0, channel.memberCount.addingReportingOverflow(count).partialValue)
        set(channel)
    }

    private mutating func apply(_ event: ChannelEvent) {
        guard var channel = channels[event.channelId] else { return }
        channel.name = event.channel.name
        channel.config = event.channel.config
        channel.updatedTime = event.channel.updatedTime
        channel.capabilities.removeAll { $0 == .shareLocation }
        if channel.config.sharedLocationsEnabled, channel.capabilities.contains(.sendMessage) {
            channel.capabilities.append(.shareLocation)
        }
        set(channel)
    }

    /// A channel as it was read.
    mutating func merge(_ channel: Channel) {
        for share in channel.activeLiveLocations { merge(share) }
        set(channel)
    }

    private mutating func set(_ channel: Channel) {
        var channel = channel
        // Told apart, as they move.
        channel.activeLiveLocations = []
        let known = channels.updateValue(channel, forKey: channel.cid)
        guard known != channel, let shown = chatChannel(channel.cid) else { return }
        save(channel.cid)
        note(.channel(known == nil ? .create(shown) : .update(shown)))
    }

    /// The user's channels as they were read, newest activity first.
    mutating func replaceChannels(_ list: [Channel]) {
        let gone = Set(channelOrder ?? []).subtracting(list.map(\.cid))
        channelOrder = list.map(\.cid)
        for cid in gone { forget(cid) }
        for channel in list { merge(channel) }
        saveOrder()
        note(.channelList)
    }

    /// The user is no member any more, or the channel is gone.
    mutating func forget(_ cid: ChannelId) {
        let shown = chatChannel(cid)
        for (id, share) in locations where share.channelId == cid {
            forgetLocation(id)
            save(id)
        }
        for (id, message) in messages where message.channelId == cid {
            let old = chatMessage(id)
            messages[id] = nil
            threads[id] = nil
            save(id)
            if let old { note(.message(.remove(old))) }
        }
        channels[cid] = nil
        timelines[cid] = nil
        floors[cid] = nil
        incomplete.remove(cid)
        save(cid)
        if let shown { note(.channel(.remove(shown))) }
        if channelOrder?.contains(cid) == true {
            channelOrder?.removeAll { $0 == cid }
            saveOrder()
            note(.channelList)
        }
    }
}

// MARK: Messages

extension ChatState {
    /// A new message, in its place: behind all others.
    mutating func insert(_ message: Message) {
        let before = chatMessage(message.id)
        keep(message)
        place(message)
        tell(message.id, before)
    }

    /// What was told of a message, wherever its place is.
    mutating func merge(_ message: Message) {
        let before = chatMessage(message.id)
        keep(message)
        tell(message.id, before)
    }

    private mutating func keep(_ message: Message) {
        var merged = messages[message.id].map { $0.merged(with: message) } ?? message
        if let quoted = merged.quotedMessage.flatMap({ messages[$0.id] }), quoted.deletedTime != nil {
            merged.quotedMessage = quoted
        }
        if messages[message.id] != merged {
            messages[message.id] = merged
            save(message.id)
            if merged.deletedTime != nil { eraseQuotes(of: merged) }
        }
        if merged.deletedTime != nil {
            unplace(message.id)
            timelines[message.channelId]?.remove(message.id)
            if let parent = message.parentId { threads[parent]?.remove(message.id) }
            forgetLocation(message.id)
            return
        }
        if let quoted = message.quotedMessage, quoted.id != message.id { mergeShare(of: quoted) }
        mergeShare(of: message)
    }

    private mutating func mergeShare(of message: Message) {
        guard let share = message.sharedLocation, share.messageId == message.id,
            messages[message.id]?.deletedTime == nil
        else { return }
        merge(share)
    }

    /// What quotes a deleted message holds nothing of it any more.
    private mutating func eraseQuotes(of deleted: Message) {
        for (id, message) in messages where message.quotedMessage?.id == deleted.id {
            messages[id]?.quotedMessage = deleted
            save(id)
        }
    }

    private mutating func place(_ message: Message) {
        unplace(message.id)
        guard messages[message.id]?.deletedTime == nil else { return }
        if let parent = message.parentId {
            threads[parent]?.append(message.id)
        } else {
            timelines[message.channelId, default: Timeline()].append(message.id)
            save(message.channelId)
        }
    }

    private mutating func unplace(_ id: MessageId) {
        guard let cid = messages[id]?.channelId, unplaced[cid] != nil else { return }
        unplaced[cid]?.removeAll { $0 == id }
    }

    private mutating func tell(_ id: MessageId, _ before: ChatMessage?) {
        let after = chatMessage(id)
        switch (before, after) {
        case (nil, let after?): note(.message(.create(after)))
        case (let before?, nil): note(.message(.remove(before)))
        case (let before?, let after?) where before != after: note(.message(.update(after)))
        default: break
        }
    }

    /// A page of a channel's newest messages.
    mutating func merge(newest page: [Message], of cid: ChannelId, isLast: Bool) {
        for message in page { merge(message) }
        let newest = page.last?.createdTime
        var timeline = timelines[cid] ?? Timeline()
        // Where something was missed nobody knows what is older.
        if incomplete.contains(cid) { timeline.dropOlder(than: page.map(\.id)) }
        timeline.merge(newest: Self.placed(page), isLast: isLast) { [messages] id in
            guard let newest else { return true }
            return messages[id].map { $0.createdTime > newest } ?? false
        }
        timelines[cid] = timeline
        incomplete.remove(cid)
        unplaced[cid]?.removeAll(where: timeline.contains)
        save(cid)
    }

    /// A page of what is older than everything known of a channel, whose oldest one was `oldest` when it was asked
    /// for; where the run has begun anew meanwhile it does not join it.
    mutating func merge(older page: [Message], of cid: ChannelId, before oldest: MessageId?, isLast: Bool) {
        for message in page { merge(message) }
        guard timelines[cid]?.ids.first == oldest else { return }
        timelines[cid, default: Timeline()].prepend(Self.placed(page), isLast: isLast)
        save(cid)
    }

    /// A page of a thread's replies: its newest, or what is older than everything known of it.
    mutating func merge(replies page: [Message], to parent: MessageId, areNewest: Bool, isLast: Bool) {
        for message in page { merge(message) }
        var thread = threads[parent] ?? Timeline()
        if areNewest {
            thread.merge(newest: Self.placed(page), isLast: isLast) { _ in false }
        } else {
            thread.prepend(Self.placed(page), isLast: isLast)
        }
        threads[parent] = thread
        if let cid = messages[parent]?.channelId { unplaced[cid]?.removeAll(where: thread.contains) }
    }

    private static func placed(_ page: [Message]) -> [MessageId] {
        page.filter { $0.deletedTime == nil }.map(\.id)
    }

    /// A message is not there, or not for this user to see.
    mutating func forget(_ id: MessageId) {
        guard let old = chatMessage(id), old.localState == .sent else { return forgetLocation(id) }
        unplace(id)
        messages[id] = nil
        timelines[old.cid]?.remove(id)
        if let parent = old.parentMessageId { threads[parent]?.remove(id) }
        forgetLocation(id)
        save(id)
        save(old.cid)
        note(.message(.remove(old)))
    }
}

// MARK: The outbox

extension ChatState {
    /// What is to be sent next.
    var nextEntry: OutboxEntry? { outbox.first { $0.refusal == nil } }

    /// What may be sent next, and, should that not be taken for the moment, instead: a stop waits for nothing but
    /// its share's own message.
    var nextEntries: [OutboxEntry] {
        let waiting = outbox.filter { $0.refusal == nil }
        let drafts = Set(waiting.compactMap(\.draft?.id))
        return waiting.prefix(1)
            + waiting.dropFirst().filter { $0.draft == nil && !drafts.contains($0.messageId) }
    }

    /// Takes something that was done; a message is shown at once, a stop ends its share at once.
    mutating func queue(_ entry: OutboxEntry) {
        outbox.append(entry)
        switch entry.action {
        case .stop(let id, _): refresh(id)
        case .send(let draft) where messages[draft.id] != nil: refresh(draft.id)  // only its answer was lost
        case .send(let draft):
            unplaced[draft.cid, default: []].append(draft.id)
            if let userId, let location = draft.location,
                let position = try? Position(RawPosition(location.location), at: "")
            {
                let written = entry.queuedAt.advanced(byMilliseconds: clockOffset)
                let end = location.endAt?.advanced(byMilliseconds: clockOffset)
                var share = SharedLocation(
                    messageId: draft.id, channelId: draft.cid, userId: userId,
                    createdByDeviceId: location.deviceId, fedByDeviceId: location.fedBy ?? location.deviceId,
                    position: position,
                    recordedTime: location.location.recordedAt.map {
                        Timestamp($0).advanced(byMilliseconds: clockOffset)
                    } ?? written,
                    createdTime: written, updatedTime: written, endTime: end)
                share.precision = location.precision ?? .exact
                share.keepsTrail = location.keepTrail ?? false
                locations[draft.id] = share
                judge(draft.id)
            }
            if let message = chatMessage(draft.id) { note(.message(.create(message))) }
        }
    }

    mutating func replace(_ entry: OutboxEntry) {
        guard let index = outbox.firstIndex(where: { $0.id == entry.id }) else { return }
        outbox[index] = entry
        refresh(entry.messageId)
    }

    /// An entry is dealt with, or given up.
    mutating func remove(_ entry: OutboxEntry) {
        let before = chatMessage(entry.messageId)
        outbox.removeAll { $0.id == entry.id }
        problems[entry.messageId] = nil
        if let draft = entry.draft, messages[draft.id] == nil {
            unplaced[draft.cid]?.removeAll { $0 == draft.id }
            forgetLocation(draft.id)
            if let before { note(.message(.remove(before))) }
        } else {
            refresh(entry.messageId)
        }
    }

    /// The server has a message of the outbox.
    mutating func sent(_ entry: OutboxEntry, as message: Message) {
        let before = chatMessage(message.id)
        outbox.removeAll { $0.id == entry.id }
        problems[message.id] = nil
        // What was only guessed here is replaced by what the server says.
        if messages[message.id] == nil { locations[message.id] = nil }
        keep(message)
        let isWatched = floors[message.channelId] != nil
        let isPlaced = timelines[message.channelId]?.contains(message.id) == true
        // Where events come, its own says what it stands behind.
        if isPlaced || !isWatched { place(message) }
        // What others have written before it is not known.
        if !isWatched { incomplete.insert(message.channelId) }
        judge(message.id)
        tell(message.id, before)
    }

    mutating func setSending(_ id: MessageId?) {
        let old = sending
        sending = id
        for id in [old, id].compactMap(\.self) where messages[id] == nil { refresh(id) }
    }

    mutating func setProblem(_ id: MessageId, _ error: ClientError?) {
        problems[id] = error
        refresh(id)
    }

    private mutating func refresh(_ id: MessageId) {
        judge(id)
        noteMessage(id)
    }
}
