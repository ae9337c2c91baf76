import YonderFanout
import YonderModel
import YonderRules

/// Turns what was committed into events for whoever watches.
///
/// Called from the store's `publish` alone, so events go out in the order of the commits.
struct Announcer: Sendable {
    let fanout: Fanout
    let clock: @Sendable () -> Timestamp

    func messageNew(_ message: Message, seq: Int64) {
        let fields = MessageEvent(
            channelId: message.channelId, seq: seq, message: message.asSeen(at: clock()))
        publish(.messageNew, fields, in: message.channelId)
    }

    func locationStarted(_ share: SharedLocation, seq: Int64) {
        publish(.locationStarted, fields(share, seq), in: share.channelId)
    }

    func locationEnded(_ share: SharedLocation, seq: Int64) {
        publish(.locationEnded, fields(share, seq), in: share.channelId, kind: .shareEnded(share.messageId))
    }

    func locationUpdated(_ update: LocationUpdate, json: [UInt8]) {
        fanout.publish(
            Publication(channel: update.channelId, kind: .position(update.messageId), json: json))
    }

    func memberChanged(_ name: EventName, _ member: Member, in channel: ChannelId, seq: Int64) {
        publish(name, MemberEvent(channelId: channel, seq: seq, member: member), in: channel)
    }

    private func fields(_ share: SharedLocation, _ seq: Int64) -> LocationEvent {
        LocationEvent(
            channelId: share.channelId, seq: seq, messageId: share.messageId,
            location: share.asSeen(at: clock()))
    }

    private func publish(
        _ name: EventName, _ fields: some Encodable, in channel: ChannelId,
        kind: Publication.Kind = .durable
    ) {
        let json = WireJSON.encode(OutgoingEvent(name, fields))
        fanout.publish(Publication(channel: channel, kind: kind, json: json))
    }
}
