package import YonderModel
import YonderWebSocket

/// One event on its way to whoever watches a channel, encoded once.
package struct Publication: Sendable {
    /// How it may be treated on the way.
    package enum Kind: Sendable, Hashable {
        /// Goes to every watcher, in order.
        case durable
        /// Durable, and the last word on a share: no position of it follows.
        case shareEnded(MessageId)
        /// A share's position: a newer one takes its place.
        case position(MessageId)
    }

    package let channel: ChannelId
    package let kind: Kind
    /// The whole WebSocket frame, shared by all who get it.
    let frame: [UInt8]

    /// Wraps an event's JSON.
    package init(channel: ChannelId, kind: Kind, json: [UInt8]) {
        self.channel = channel
        self.kind = kind
        frame = WebSocketFrame.text(json)
    }
}
