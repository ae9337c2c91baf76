import Synchronization
import YonderHTTP
import YonderModel

/// What other threads have for one loop, until its next turn.
///
/// Bounded: a share's newer position takes the older one's place, and a channel
/// with more than ``maxDurableFrames`` waiting is given up: its watchers are told
/// to read it again. Commands of connections are as many as those connections sent.
final class Mailbox: Sendable {
    enum Item {
        case publication(Publication)
        case channelLost(ChannelId)
        case send(UInt64, [UInt8])
        case watch(UInt64, answer: [UInt8], [WatchedChannel])
        case unwatch(UInt64, answer: [UInt8], [ChannelId])
        case revoke(UserId, ChannelId)
    }

    private struct Contents {
        var items: [Item] = []
        var positions: [MessageId: Int] = [:]
        var durableFrames = 0
        var lost: Set<ChannelId> = []
        var loop: WebSocketLoop?
    }

    static let maxDurableFrames = 20_000

    private let contents = Mutex(Contents())

    /// Where to knock when something has come.
    func attach(_ loop: WebSocketLoop) { contents.withLock { $0.loop = loop } }

    func post(_ item: Item) {
        let loop = contents.withLock { contents in
            contents.items.append(item)
            return contents.loop
        }
        loop?.wake()
    }

    func publish(_ publication: Publication) {
        let loop = contents.withLock { contents in
            switch publication.kind {
            case .position(let share):
                if let index = contents.positions[share] {
                    contents.items[index] = .publication(publication)
                } else {
                    contents.positions[share] = contents.items.count
                    contents.items.append(.publication(publication))
                }
            case .durable, .shareEnded:
                contents.durableFrames += 1
                if contents.durableFrames <= Self.maxDurableFrames {
                    contents.items.append(.publication(publication))
                } else if contents.lost.insert(publication.channel).inserted {
                    contents.items.append(.channelLost(publication.channel))
                }
            }
            return contents.loop
        }
        loop?.wake()
    }

    func take() -> [Item] {
        contents.withLock { contents in
            guard !contents.items.isEmpty else { return [] }
            defer {
                contents.items = []
                contents.positions.removeAll(keepingCapacity: true)
                contents.durableFrames = 0
                contents.lost.removeAll()
            }
            return contents.items
        }
    }
}
