import Dispatch
import Foundation
import Synchronization
package import YonderHTTP
package import YonderModel
package import YonderRules

/// Brings every event to all who watch its channel: a few loops, each with a
/// share of the connections and a log of its own of the channels they watch.
package final class Fanout: Sendable {
    package struct Configuration: Sendable {
        /// Threads that write to sockets. Default one for two processor cores.
        package var loops = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
        /// Positions are gathered for this long where the last went out just now. Default 50 ms.
        package var tick = Duration.milliseconds(50)
        /// A connection that was sent nothing for this long gets a heartbeat. Default 25 s.
        package var heartbeat = Duration.seconds(25)

        package init() {}
    }

    private let configuration: Configuration
    private let clock: @Sendable () -> Timestamp
    private let mailboxes: [Mailbox]
    private let counts = WatcherCounts()
    private let loops = Mutex<[WebSocketLoop]>([])

    package init(
        configuration: Configuration = Configuration(), clock: @escaping @Sendable () -> Timestamp
    ) {
        self.configuration = configuration
        self.clock = clock
        mailboxes = (0..<max(1, configuration.loops)).map { _ in Mailbox() }
    }

    /// Starts the loops.
    package func start(commands: any ViewerCommands) {
        let started = mailboxes.map { mailbox in
            let (configuration, clock, counts) = (configuration, clock, counts)
            let loop = WebSocketLoop {
                FanoutLoop(
                    mailbox: mailbox, commands: commands, configuration: configuration, counts: counts,
                    clock: clock)
            }
            mailbox.attach(loop)
            loop.start()
            return loop
        }
        loops.withLock { $0 = started }
    }

    /// Says "going away" to everybody and ends the loops.
    package func stop() {
        let loops = loops.withLock { $0 }
        DispatchQueue.concurrentPerform(iterations: loops.count) { loops[$0].stop() }
    }

    /// The loop with the fewest connections; `nil` before `start`.
    package var leastBusyLoop: WebSocketLoop? {
        loops.withLock { $0.min { $0.connectionCount < $1.connectionCount } }
    }

    /// How many connections there are.
    package var connectionCount: Int {
        loops.withLock { $0.reduce(0) { $0 + $1.connectionCount } }
    }

    /// How many connections watch a user's share: its channel's, without the user's own, and guests'.
    package func watchers(of share: MessageId, in channel: ChannelId, without user: UserId) -> Int {
        counts.watchers(of: channel, without: user) + counts.guests(of: share)
    }

    /// The channels whose numbers of watchers have changed since this was last asked.
    package func takeChannelsWithOtherWatchers() -> Set<ChannelId> { counts.takeChanged() }

    /// Gives an event to all who watch its channel.
    ///
    /// Calls that follow one another are seen in that order by every watcher.
    package func publish(_ publication: Publication) {
        for mailbox in mailboxes { mailbox.publish(publication) }
    }

    /// Ends everybody's watching of a channel, after what was published so far.
    package func close(_ channel: ChannelId) {
        for mailbox in mailboxes { mailbox.post(.closeRoom(channel)) }
    }

    /// Some of the connections.
    package enum Connections: Hashable, Sendable {
        case user(UserId)
        /// Those that came by a browser's session, named by its hash.
        case session([UInt8])

        func contains(_ viewer: Viewer) -> Bool {
            switch self {
            case .user(let user): viewer.user == user
            case .session(let session): viewer.session == session
            }
        }

        /// Why they end, as a close code says it.
        var end: (code: UInt16, reason: String) {
            switch self {
            case .user: (4403, "account gone")
            case .session: (4401, "session ended")
            }
        }
    }

    /// Ends a link's connections, after what was published for it so far.
    package func close(_ link: LinkId) {
        for mailbox in mailboxes { mailbox.post(.closeLink(link)) }
    }

    /// Ends some connections.
    package func disconnect(_ connections: Connections) {
        for mailbox in mailboxes { mailbox.post(.disconnect(connections)) }
    }

    /// Ends a user's watching of a channel, after what was published so far.
    package func revoke(_ user: UserId, from channel: ChannelId) {
        for mailbox in mailboxes { mailbox.post(.revoke(user, channel)) }
    }
}
