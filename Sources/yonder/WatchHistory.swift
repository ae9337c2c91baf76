import Foundation
import Synchronization
import YonderClient

/// The messages that `yonder watch` has shown: where the server has lost count of what was missed, it reads
/// the rest, and nothing is shown twice.
final class WatchHistory: Sendable {
    struct State {
        /// The newest message that is known; `nil` = none yet.
        private(set) var last: MessageId?
        /// Read, not heard; what is heard of them later is no news.
        private var read: Set<MessageId> = []

        /// The newest message when the watch began.
        mutating func begins(after message: MessageId) { last = last ?? message }

        /// - Returns: Whether an event's message is news.
        mutating func heard(_ message: MessageId, isReply: Bool) -> Bool {
            guard read.remove(message) == nil else { return false }
            if !isReply { last = message }  // threads are no part of the pages
            return true
        }

        mutating func wasRead(_ message: MessageId) {
            read.insert(message)
            last = message
        }
    }

    private static let pageSize = 100

    private let channel: ChatChannelController
    private let names: WatchNames
    private let state = Mutex(State())

    init(_ channel: ChatChannelController) {
        self.channel = channel
        names = WatchNames(channel)
    }

    /// Finds out where the channel stands.
    func begin() async {
        guard let newest = try? await channel.messages(limit: 1).last else { return }
        state.withLock { $0.begins(after: newest.id) }
    }

    /// Prints an event's line; after one that says that events are lost the messages among them.
    func show(_ event: ServerEvent) async {
        if case .messageNew(let sent) = event {
            let message = sent.message
            let isNews = state.withLock { $0.heard(message.id, isReply: message.parentId != nil) }
            guard isNews else { return }
        }
        let now = Date.now
        await names.learn(from: event)
        if let text = EventText.line(for: event, name: names.name(of:)) { Self.print(text, at: now) }
        if case .resync(channel.cid) = event { await showMissed() }
    }

    private func showMissed() async {
        while let last = state.withLock({ $0.last }) {
            guard let page = try? await channel.messages(after: last, limit: Self.pageSize), !page.isEmpty
            else { return }
            for message in page {
                state.withLock { $0.wasRead(message.id) }
                Self.print(EventText.line(for: message), at: message.createdAt)
            }
        }
    }

    private static func print(_ text: String, at time: Date) {
        Output.lineOrLeave(Array("\(EventText.time(time))  \(text)".utf8))
    }
}
