import Synchronization
import YonderFanout
import YonderModel
import YonderStore

extension EventsService {
    /// Begins to watch the one share that a guest's link shows.
    ///
    /// As for channels, a change that writes nothing, so that it has its place among the changes.
    func subscribe(_ command: WatchingCommand, of guest: ShareGuest, for viewer: ViewerHandle) async throws {
        try check(command, of: guest)
        let location = try await store.commit { change in
            let message = try change.message(guest.message)
            let link = try change.links(of: guest.message).first { $0.id == guest.link }
            guard let link, message?.deletedTime == nil, let share = message?.sharedLocation else {
                throw WireError(.notFound, "the link shows nothing any more")
            }
            return link.shown(share)
        } publish: { _ in
            viewer.watch([.link(guest.link)], answer: Ack(id: command.id).json)
        }
        let state = ShareState(location: location.asSeen(at: clock()))
        viewer.open(.link(guest.link), with: [WireJSON.encode(OutgoingEvent(.shareState, state))])
    }

    func unsubscribe(_ command: WatchingCommand, of guest: ShareGuest, for viewer: ViewerHandle) async throws
    {
        try check(command, of: guest)
        _ = try await store.commit { _ in
        } publish: {
            viewer.unwatch([.link(guest.link)], answer: Ack(id: command.id).json)
        }
    }

    private func check(_ command: WatchingCommand, of guest: ShareGuest) throws(WireError) {
        try limiter.count(.guests(guest.link))
        guard let share = command.share else {
            throw WireError(.invalidArgument, "share is required", field: "/share")
        }
        guard share == guest.message.rawValue else { throw Self.notForGuests }
    }
}
