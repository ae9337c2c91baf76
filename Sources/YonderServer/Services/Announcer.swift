import YonderFanout
import YonderModel
import YonderRules

/// Turns what was committed into events for whoever watches.
///
/// What is about the store's contents is said from its `publish` alone, so events go out in the order of the commits.
struct Announcer: Sendable {
    let fanout: Fanout
    let clock: @Sendable () -> Timestamp

    func message(_ name: EventName, _ message: Message, seq: Int64) {
        let fields = MessageEvent(
            channelId: message.channelId, seq: seq, message: message.asSeen(at: clock()))
        publish(name, fields, in: message.channelId)
    }

    /// `location.started`, `.changed` or `.ended`: also for its owner's other connections.
    func location(_ name: EventName, _ share: SharedLocation, seq: Int64) {
        let fields = LocationEvent(
            channelId: share.channelId, seq: seq, messageId: share.messageId,
            location: share.asSeen(at: clock()))
        publish(
            name, fields, in: share.channelId, owner: share.userId,
            kind: name == .locationEnded ? .shareEnded(share.messageId) : .durable)
    }

    func locationUpdated(_ update: LocationUpdate, json: [UInt8]) {
        fanout.publish(
            Publication(
                channel: update.channelId, owner: update.userId, kind: .position(update.messageId), json: json
            ))
    }

    func member(_ name: EventName, _ member: Member, in channel: ChannelId, seq: Int64) {
        publish(name, MemberEvent(channelId: channel, seq: seq, member: member), in: channel)
    }

    func channelUpdated(_ channel: Channel, seq: Int64) {
        publish(
            .channelUpdated, ChannelEvent(channelId: channel.cid, seq: seq, channel: channel), in: channel.cid
        )
    }

    func channelDeleted(_ channel: ChannelId, seq: Int64) {
        publish(.channelDeleted, ChannelDeletion(channelId: channel, seq: seq), in: channel)
        fanout.close(channel)
    }

    func locationWatchers(_ share: SharedLocation, count: Int) {
        publish(
            .locationWatchers, LocationWatchers(messageId: share.messageId, count: count),
            in: share.channelId, owner: share.userId, kind: .watchers(share.messageId))
    }

    private func publish(
        _ name: EventName, _ fields: some Encodable, in channel: ChannelId, owner: UserId? = nil,
        kind: Publication.Kind = .durable
    ) {
        let json = WireJSON.encode(OutgoingEvent(name, fields))
        fanout.publish(Publication(channel: channel, owner: owner, kind: kind, json: json))
    }
}
