package import YonderModel
package import YonderRules
import YonderWebSocket

/// Somebody without an account who came by a link: sees one share, as finely as the link says.
package struct ShareGuest: Hashable, Sendable {
    package let link: LinkId
    package let message: MessageId
    package let channel: ChannelId

    package init(link: LinkId, message: MessageId, channel: ChannelId) {
        self.link = link
        self.message = message
        self.channel = channel
    }
}

/// Whose a connection is.
package struct Viewer: Sendable {
    package enum Identity: Hashable, Sendable {
        case user(UserId)
        case guest(ShareGuest)
    }

    package let identity: Identity
    /// When its token's time is over; `nil` = never.
    package let expiresAt: Timestamp?
    /// When it was let in.
    package let admittedAt: Timestamp
    /// The browser's session by which it came, by its hash; `nil` = by a token.
    package let session: [UInt8]?

    package init(
        _ identity: Identity, expiresAt: Timestamp?, admittedAt: Timestamp, session: [UInt8]? = nil
    ) {
        self.identity = identity
        self.expiresAt = expiresAt
        self.admittedAt = admittedAt
        self.session = session
    }

    /// The user; `nil` for a guest.
    package var user: UserId? {
        if case .user(let user) = identity { user } else { nil }
    }
}

/// A connection as other threads see it. What is done through it happens in order, on its loop.
package struct ViewerHandle: Sendable {
    package let viewer: Viewer
    let id: UInt64
    let mailbox: Mailbox

    /// Sends an event to this connection alone; dropped where it is gone.
    package func send(_ json: [UInt8]) { mailbox.post(.send(id, json)) }

    /// Answers a command, then watches channels, or a link's share, from here on.
    ///
    /// Nothing published before this call is sent for them, everything after it is; but not before
    /// ``open(_:with:)`` has said, for each, what comes first.
    package func watch(_ topics: [Topic], answer: [UInt8]) {
        mailbox.post(.watch(id, answer: answer, topics))
    }

    /// Gives what comes first in something that is watched, events as JSON, and lets the rest follow.
    package func open(_ topic: Topic, with events: [[UInt8]]) {
        var batch = FrameBatch()
        for (index, json) in events.enumerated() { batch.append(WebSocketFrame.text(json), .slot(index)) }
        mailbox.post(.open(id, topic, batch))
    }

    /// Answers a command and stops watching channels.
    package func unwatch(_ topics: [Topic], answer: [UInt8]) {
        mailbox.post(.unwatch(id, answer: answer, topics))
    }
}

/// Who knows what connections are told and may ask.
package protocol ViewerCommands: Sendable {
    /// The first event of a connection, as JSON; `nil` where it may not be there any more.
    ///
    /// Asked once the loop knows the connection: what ended its viewer's right before is seen here, what
    /// ends it later finds the connection.
    func greeting(of viewer: Viewer, connectionId: String) -> [UInt8]?
    /// An event that says the server is still there, as JSON.
    func heartbeat(at now: Timestamp) -> [UInt8]
    /// A connection sent a text. Called on its loop's thread: must be short.
    func received(_ text: [UInt8], from viewer: ViewerHandle)
}
