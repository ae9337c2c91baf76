import Synchronization
import YonderClient

/// What the people in a channel are called, as far as that is known.
final class WatchNames: Sendable {
    private struct State {
        var names: [UserId: String] = [:]
        /// Those for whose names the members were read.
        var asked: Set<UserId> = []
    }

    private let channel: ChatChannelController
    private let state = Mutex(State())

    init(_ channel: ChatChannelController) { self.channel = channel }

    /// What somebody is called by now; who has no name that is known, by the id.
    func name(of id: UserId) -> String { Output.plain(state.withLock { $0.names[id] } ?? id.rawValue) }

    /// Learns what an event says; where it says but the id of somebody unknown, the members are read.
    func learn(from event: ServerEvent) async {
        switch event {
        case .messageNew(let event), .messageUpdated(let event), .messageDeleted(let event):
            note(event.message.user)
        case .memberAdded(let event), .memberUpdated(let event), .memberRemoved(let event):
            note(event.member.user)
        case .locationStarted(let event), .locationChanged(let event), .locationEnded(let event):
            await meet(event.location.userId)
        case .locationUpdated(let update): await meet(update.userId)
        case .shareState(let state): await meet(state.location.userId)
        case .channelState(let state): for share in state.activeLiveLocations { await meet(share.userId) }
        case .hello, .ack, .error, .channelUpdated, .channelDeleted, .locationWatchers, .resync,
            .heartbeat, .unknown:
            break
        }
    }

    private func note(_ user: User) { state.withLock { $0.names[user.id] = user.name } }

    private func meet(_ id: UserId) async {
        // Asked once for each: no line waits again and again for a server that does not answer.
        guard state.withLock({ $0.names[id] == nil && $0.asked.insert(id).inserted }) else { return }
        for member in (try? await channel.members()) ?? [] { note(member.user) }
    }
}
