import YonderGeo
import YonderModel
import YonderRules
import YonderStore

/// Values to store.
enum Sample {
    static let start = Timestamp(milliseconds: 1_764_504_000_000)
    static let anna = user("anna")
    static let channel = channel("walk")

    static func time(_ seconds: Int64) -> Timestamp { start.advanced(bySeconds: seconds) }

    static func user(_ id: String) -> User {
        User(id: UserId(id)!, name: "Name of \(id)", role: .user, createdTime: start)
    }

    static func channel(_ id: String, updated: Timestamp = start) -> Channel {
        Channel(
            cid: ChannelId(type: "team", id: id), name: "Walk 🚶", createdBy: anna.id, memberCount: 0,
            config: ChannelConfig(), seq: 0, createdTime: start, updatedTime: updated)
    }

    static func device(_ id: String, of user: UserId, created: Timestamp = start) -> Device {
        Device(
            id: DeviceId(id)!, name: nil, platform: .ios, userId: user, createdTime: created,
            lastSeenTime: created)
    }

    static func message(
        _ id: String, in channel: ChannelId = channel.cid, by user: User = anna, text: String = ""
    ) -> Message {
        Message(
            id: MessageId(id)!, channelId: channel, user: user, text: text, createdTime: start,
            updatedTime: start, sharedLocation: nil)
    }

    /// A message with a location: live if it has an end.
    static func share(
        _ id: String, in channel: ChannelId = channel.cid, by user: User = anna, until end: Timestamp?,
        created: Timestamp = start
    ) -> Message {
        var message = message(id, in: channel, by: user)
        let device = end.map { _ in DeviceId("phone")! }
        message.sharedLocation = SharedLocation(
            messageId: message.id, channelId: channel, userId: user.id, createdByDeviceId: device,
            fedByDeviceId: device, position: position(60.1699, 24.9384), recordedTime: created,
            createdTime: created, updatedTime: created, endTime: end)
        return message
    }

    static func position(_ latitude: Double, _ longitude: Double) -> Position {
        Position(coordinate: Coordinate(latitude: latitude, longitude: longitude)!)
    }
}

extension Store {
    /// Adds the sample user and channel.
    func addSamples() async throws {
        try await commit { transaction in
            try transaction.putUser(Sample.anna)
            try transaction.insertChannel(Sample.channel)
        }
    }
}

extension StoreTransaction {
    /// Some durable event, for its number's sake.
    func nextSequence(in channel: ChannelId, updatedAt: Timestamp?) throws -> Int64 {
        try append(
            StoredEvent(.channelUpdated), to: channel, at: updatedAt ?? Sample.start,
            isActivity: updatedAt != nil)
    }
}
