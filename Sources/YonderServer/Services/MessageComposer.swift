import YonderModel
import YonderRules
import YonderStore

/// Makes a message of a draft, checked against what is there.
struct MessageComposer: Sendable {
    let draft: MessageDraft
    let id: MessageId
    let author: UserId
    let limits: SharingLimits
    let now: Timestamp

    /// The message.
    ///
    /// - Throws: `WireError` naming what is wrong; `StoreError`.
    func message(in channel: Channel, _ reader: any StoreReader) throws -> Message {
        let user = try reader.known(author)
        var message = Message(
            id: id, channelId: channel.cid, user: user, text: draft.text, createdTime: now, updatedTime: now,
            sharedLocation: nil)
        if let parent = draft.parentId {
            guard channel.config.replies else {
                throw WireError(.forbidden, "this channel has no threads")
            }
            let answered = try other(parent, in: channel, field: "/parent_id", reader)
            guard answered.parentId == nil else {
                throw WireError(
                    .invalidArgument, "answer the message that the thread began with", field: "/parent_id")
            }
            message.parentId = parent
        }
        if let quoted = draft.quotedId {
            message.quotedMessage = try other(quoted, in: channel, field: "/quoted_message_id", reader)
            message.quotedMessage?.quotedMessage = nil
        }
        if let location = draft.location {
            message.sharedLocation = try share(location, in: channel, reader)
        }
        return message
    }

    private func other(
        _ id: MessageId, in channel: Channel, field: String, _ reader: any StoreReader
    ) throws -> Message {
        guard let message = try reader.message(id), message.channelId == channel.cid,
            message.deletedTime == nil
        else { throw WireError(.invalidArgument, "no message of this channel", field: field) }
        return message
    }

    private func share(
        _ location: MessageDraft.Location, in channel: Channel, _ reader: any StoreReader
    ) throws -> SharedLocation {
        guard channel.config.sharedLocationsEnabled else {
            throw WireError(.locationSharingDisabled, "location sharing is off in this channel")
        }
        for (device, field) in [(location.deviceId, "device_id"), (location.fedBy, "fed_by")] {
            guard let device else { continue }
            guard try reader.device(device, of: author) != nil else {
                throw WireError(
                    .invalidArgument, "none of your devices has this id", field: "/shared_location/\(field)")
            }
        }
        let endAt = location.endAt.map(draft.correction.corrected)
        if let endAt, !limits.share(in: channel.config).allows(endAt: endAt, startingAt: now) {
            throw WireError(
                .invalidArgument,
                "a live location lasts \(limits.minimumSeconds) to \(channel.config.maxLiveSeconds) seconds",
                field: "/shared_location/end_at")
        }
        var share = SharedLocation(
            messageId: id, channelId: channel.cid, userId: author, createdByDeviceId: location.deviceId,
            fedByDeviceId: endAt == nil ? nil : location.fedBy ?? location.deviceId,
            position: location.position,
            recordedTime: draft.correction.measured(location.recordedAt, arrival: now) ?? now,
            createdTime: now,
            updatedTime: now, endTime: endAt)
        (share.precision, share.keepsTrail) = (location.precision, location.keepsTrail)
        return share
    }
}
