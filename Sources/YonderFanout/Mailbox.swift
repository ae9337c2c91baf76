import Synchronization
import YonderHTTP
import YonderModel

/// What other threads have for one loop, until its next turn.
///
/// Bounded: of what only the newest counts the newest waits, and a channel with
/// more than ``maxDurableFrames`` waiting is given up: its watchers are told to
/// read it again. Commands of connections are as many as those connections sent.
final class Mailbox: Sendable {
    enum Item {
        case publication(Publication)
        case lost(Loss)
        case send(UInt64, [UInt8])
        case watch(UInt64, answer: [UInt8], [Topic])
        case open(UInt64, Topic, FrameBatch)
        case unwatch(UInt64, answer: [UInt8], [Topic])
        case revoke(UserId, ChannelId)
        case closeRoom(ChannelId)
        case closeLink(LinkId)
        case disconnect(Fanout.Connections)
    }

    /// A channel, or a link's share, that was given up, for its watchers and for one user.
    struct Loss: Hashable {
        let channel: ChannelId
        let topic: Topic
        let owner: UserId?
    }

    private struct Contents {
        var items: [Item] = []
        var latest: [Publication.Latest: Int] = [:]
        var durableFrames = 0
        var lost: Set<Loss> = []
        /// Whether the loop comes by itself, with its tick.
        var isExpected = false
        var loop: WebSocketLoop?

        mutating func add(_ publication: Publication) {
            if let latest = publication.latest {
                if let index = self.latest[latest] {
                    items[index] = .publication(publication)
                } else {
                    self.latest[latest] = items.count
                    items.append(.publication(publication))
                }
                return
            }
            durableFrames += 1
            if durableFrames <= Mailbox.maxDurableFrames {
                items.append(.publication(publication))
                return
            }
            let loss = Loss(
                channel: publication.channel, topic: publication.topic, owner: publication.owner)
            if lost.insert(loss).inserted { items.append(.lost(loss)) }
        }
    }

    static let maxDurableFrames = 20_000

    private let contents = Mutex(Contents())

    /// Where to knock when something has come.
    func attach(_ loop: WebSocketLoop) { contents.withLock { $0.loop = loop } }

    /// Adds a command. What is published later stays behind it: whoever begins to watch would else miss
    /// a position, and who ceases to would get one more.
    func post(_ item: Item) {
        let loop = contents.withLock { contents in
            contents.items.append(item)
            contents.latest.removeAll(keepingCapacity: true)
            return contents.loop
        }
        loop?.wake()
    }

    func publish(_ publication: Publication) {
        let loop = contents.withLock { contents in
            contents.add(publication)
            return contents.isExpected ? nil : contents.loop
        }
        loop?.wake()
    }

    /// Takes all there is.
    func take() -> [Item] {
        contents.withLock { contents in
            contents.isExpected = false
            guard !contents.items.isEmpty else { return [] }
            defer {
                contents.items = []
                contents.latest.removeAll(keepingCapacity: true)
                contents.durableFrames = 0
                contents.lost.removeAll()
            }
            return contents.items
        }
    }

    /// Notes that the loop comes with its tick at the latest: what is published until then need not knock.
    func expectLoop() { contents.withLock { $0.isExpected = true } }
}
