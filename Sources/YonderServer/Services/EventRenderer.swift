import YonderModel
import YonderRules
import YonderStore

/// Tells a durable event again, as what it is about looks now: what was erased meanwhile stays erased.
struct EventRenderer {
    let reader: any StoreReader
    let now: Timestamp

    /// The event as JSON; `nil` where what it is about is gone.
    func json(_ event: StoredEvent, seq: Int64, in channel: ChannelId) throws -> [UInt8]? {
        switch event.name {
        case .messageNew, .messageUpdated, .messageDeleted:
            guard let message = try event.message.flatMap({ try reader.message($0) }) else { return nil }
            return encoded(
                event.name,
                MessageEvent(channelId: channel, seq: seq, message: message.asSeen(at: now)))
        case .locationStarted, .locationChanged, .locationEnded:
            guard let id = event.message, let share = try reader.message(id)?.sharedLocation else {
                return nil
            }
            return encoded(
                event.name,
                LocationEvent(
                    channelId: channel, seq: seq, messageId: id, location: share.asSeen(at: now)))
        case .memberAdded, .memberUpdated, .memberRemoved:
            guard let user = try event.user.flatMap({ try reader.user($0) }), let role = event.role,
                let joinedAt = event.joinedAt
            else { return nil }
            let member = Member(user: user, role: role, joinedTime: joinedAt)
            return encoded(event.name, MemberEvent(channelId: channel, seq: seq, member: member))
        case .channelUpdated:
            guard let room = try reader.channel(channel) else { return nil }
            return encoded(event.name, ChannelEvent(channelId: channel, seq: seq, channel: room))
        case .hello, .ack, .error, .resync, .heartbeat, .channelState, .locationUpdated, .channelDeleted,
            .shareState, .locationWatchers:
            return nil
        }
    }

    private func encoded(_ name: EventName, _ fields: some Encodable) -> [UInt8] {
        WireJSON.encode(OutgoingEvent(name, fields))
    }
}
