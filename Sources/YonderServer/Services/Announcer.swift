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

    /// `location.started`, `.changed` or `.ended`: also for its owner's other connections, and for the
    /// guests of its links.
    func location(_ name: EventName, _ share: SharedLocation, seq: Int64, links: [ViewLink] = []) {
        let share = share.asSeen(at: clock())
        let kind: Publication.Kind = name == .locationEnded ? .shareEnded(share.messageId) : .durable
        func event(_ location: SharedLocation) -> LocationEvent {
            LocationEvent(
                channelId: share.channelId, seq: seq, messageId: share.messageId, location: location)
        }
        publish(name, event(share), in: share.channelId, owner: share.userId, kind: kind)
        for link in links {
            publish(name, event(link.shown(share)), in: share.channelId, link: link.id, kind: kind)
        }
    }

    /// `location.updated`, for all who see the share, each as finely as they may.
    func locationUpdated(_ step: ShareStep, links: [ViewLink]) {
        let share = step.share
        let json = step.json ?? step.update.eventJSON()
        let kind = Publication.Kind.position(share.messageId)
        fanout.publish(
            Publication(channel: share.channelId, owner: share.userId, kind: kind, json: json))
        for link in links {
            var update = step.update
            update.position = link.shown(step.position, precision: share.precision)
            fanout.publish(
                Publication(
                    channel: share.channelId, link: link.id, kind: kind,
                    json: update.position == step.position ? json : update.eventJSON()))
        }
    }

    /// Links show nothing any more: who came by them is sent away, after what was said before.
    func linksEnded(_ links: [LinkId]) {
        for link in links { fanout.close(link) }
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
        _ name: EventName, _ fields: some Encodable, in channel: ChannelId, link: LinkId? = nil,
        owner: UserId? = nil, kind: Publication.Kind = .durable
    ) {
        let json = WireJSON.encode(OutgoingEvent(name, fields))
        fanout.publish(Publication(channel: channel, link: link, owner: owner, kind: kind, json: json))
    }
}
