package import YonderModel
package import YonderRules
import YonderWebSocket

/// Whose a connection is.
package struct Viewer: Sendable {
    package let user: User
    /// When its token's time is over; `nil` = never.
    package let expiresAt: Timestamp?

    package init(user: User, expiresAt: Timestamp?) {
        self.user = user
        self.expiresAt = expiresAt
    }
}

/// A connection as other threads see it. What is done through it happens in order, on its loop.
package struct ViewerHandle: Sendable {
    package let viewer: Viewer
    let id: UInt64
    let mailbox: Mailbox

    /// Sends an event to this connection alone; dropped where it is gone.
    package func send(_ json: [UInt8]) { mailbox.post(.send(id, json)) }

    /// Answers a command, then watches channels from here on.
    ///
    /// Nothing published before this call is sent for them, everything after it is; but not before
    /// ``open(_:with:)`` has said, for each, what comes first.
    package func watch(_ channels: [ChannelId], answer: [UInt8]) {
        mailbox.post(.watch(id, answer: answer, channels))
    }

    /// Gives what comes first in a channel that is watched, events as JSON, and lets the rest follow.
    package func open(_ channel: ChannelId, with events: [[UInt8]]) {
        var batch = FrameBatch()
        for (index, json) in events.enumerated() { batch.append(WebSocketFrame.text(json), .slot(index)) }
        mailbox.post(.open(id, channel, batch))
    }

    /// Answers a command and stops watching channels.
    package func unwatch(_ channels: [ChannelId], answer: [UInt8]) {
        mailbox.post(.unwatch(id, answer: answer, channels))
    }
}

/// Who knows what connections are told and may ask.
package protocol ViewerCommands: Sendable {
    /// The first event of a connection, as JSON.
    func greeting(of viewer: Viewer, connectionId: String) -> [UInt8]
    /// An event that says the server is still there, as JSON.
    func heartbeat(at now: Timestamp) -> [UInt8]
    /// A connection sent a text. Called on its loop's thread: must be short.
    func received(_ text: [UInt8], from viewer: ViewerHandle)
}
