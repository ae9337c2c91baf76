package import YonderModel

/// The event `resync`: the channel has to be read again.
package struct ResyncEvent: Encodable {
    private enum Key: String, CodingKey {
        case event
        case channel = "channel_id"
    }

    private let channel: ChannelId

    package init(channel: ChannelId) { self.channel = channel }

    package var json: [UInt8] { WireJSON.encode(self) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(EventName.resync, forKey: .event)
        try container.encode(channel, forKey: .channel)
    }
}
