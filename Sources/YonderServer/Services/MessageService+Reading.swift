import YonderModel
import YonderStore

/// Where a page lies.
struct PageRequest: Sendable {
    var limit: Int
    var before: MessageId?
    var after: MessageId?
}

extension MessageService {
    /// One page of a channel, oldest first, without what stands in threads.
    func page(of channel: ChannelId, _ page: PageRequest, for caller: Caller) throws -> [Message] {
        try read(page) { reader in
            _ = try reader.visibleChannel(channel, to: caller.user)
            return try reader.messages(
                in: channel, limit: page.limit, before: page.before, after: page.after)
        }
    }

    /// One page of a thread, oldest first.
    func replies(to parent: MessageId, _ page: PageRequest, for caller: Caller) throws -> [Message] {
        try read(page) { reader in
            _ = try reader.visibleMessage(parent, to: caller.user)
            return try reader.replies(to: parent, limit: page.limit, before: page.before, after: page.after)
        }
    }

    private func read(
        _ page: PageRequest, _ messages: (any StoreReader) throws -> [Message]
    ) throws -> [Message] {
        let now = clock()
        do {
            return try store.read(messages).map { $0.asSeen(at: now) }
        } catch let error as StoreError where error.code == .unknownCursor {
            throw WireError(
                .invalidArgument, "not one of these messages",
                field: page.before == nil ? "?after" : "?before")
        }
    }

    /// One message; to a link's guest the link's alone, as it shows it.
    func message(_ id: MessageId, for principal: Principal) throws -> Message {
        let message = try store.read { reader in
            switch principal {
            case .user(let caller): try reader.visibleMessage(id, to: caller.user).message
            case .guest(let guest): try reader.message(id, through: guest.link)
            case .device: preconditionFailure("this route is not for ingest keys")
            }
        }
        return message.asSeen(at: clock())
    }
}
