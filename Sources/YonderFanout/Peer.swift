import YonderHTTP
import YonderModel

/// One connection on its loop: whose it is and what it watches.
final class Peer {
    let connection: WebSocketConnection
    let viewer: Viewer
    var subscriptions: [Topic: Subscription] = [:]
    /// To what concerns the user's own shares.
    var own: Subscription?
    /// How far the log of those was when a channel was left: up to there the channel told of them.
    var left: [ChannelId: UInt64] = [:]

    init(connection: WebSocketConnection, viewer: Viewer) {
        self.connection = connection
        self.viewer = viewer
    }
}
