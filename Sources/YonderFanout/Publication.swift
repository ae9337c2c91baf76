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
        /// How many watch a share, for its owner alone: a newer one takes its place.
        case watchers(MessageId)
    }

    /// What a newer publication takes the place of.
    enum Latest: Hashable, Sendable {
        case position(MessageId), watchers(MessageId), linkPosition(LinkId)
    }

    package let channel: ChannelId
    /// The one link whose guests it is for; `nil` = the channel's watchers.
    package let link: LinkId?
    /// Whose share it is about: all connections of that user get it; `nil` = nobody's.
    package let owner: UserId?
    package let kind: Kind
    /// The whole WebSocket frame, shared by all who get it.
    let frame: [UInt8]

    /// Under which name only the newest counts; `nil` = all count.
    var latest: Latest? {
        switch kind {
        case .position(let share): link.map(Latest.linkPosition) ?? .position(share)
        case .watchers(let share): .watchers(share)
        case .durable, .shareEnded: nil
        }
    }

    /// Who watches it, beside its owner.
    var topic: Topic { link.map(Topic.link) ?? .channel(channel) }

    /// Wraps an event's JSON.
    package init(
        channel: ChannelId, link: LinkId? = nil, owner: UserId? = nil, kind: Kind, json: [UInt8]
    ) {
        self.channel = channel
        self.link = link
        self.owner = owner
        self.kind = kind
        frame = WebSocketFrame.text(json)
    }
}
