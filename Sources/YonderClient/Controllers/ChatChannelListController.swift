import YonderModel

/// Told of changes in the list of channels, on the main actor.
@MainActor public protocol ChatChannelListControllerDelegate: AnyObject, Sendable {
    /// The list, or a channel in it, is another.
    func channelListController(
        _ controller: ChatChannelListController, didChangeChannels channels: [ChatChannel])
    /// An action failed that nobody waited for.
    func channelListController(_ controller: ChatChannelListController, didFailWith error: ClientError)
}

extension ChatChannelListControllerDelegate {
    public func channelListController(_: ChatChannelListController, didFailWith _: ClientError) {}
}

/// The channels that the current user is a member of. Made by ``ChatClient/channelListController()``.
public final class ChatChannelListController: Sendable {
    /// The client that made it.
    public let client: ChatClient

    private let observer = Observer<any ChatChannelListControllerDelegate>()

    init(client: ChatClient) { self.client = client }

    /// The channels as they are known, newest activity first when they were last read; none before that.
    public var channels: [ChatChannel] { client.replica.read(\.chatChannels) }

    /// Told of changes from now on; held weakly.
    public var delegate: (any ChatChannelListControllerDelegate)? {
        get { observer.delegate }
        set {
            let changes = channelChanges
            observer.set(newValue) {
                Task { @MainActor [weak self] in
                    for await channels in changes {
                        guard !Task.isCancelled, let self, let delegate else { return }
                        delegate.channelListController(self, didChangeChannels: channels)
                    }
                }
            }
        }
    }

    /// The list at each change from now on. Each call is a sequence of its own, for one reader.
    public var channelChanges: AsyncStream<[ChatChannel]> {
        client.replica.observe { state, change in
            switch change {
            case .channelList: state.chatChannels
            case .channel(let channel) where state.channelOrder?.contains(channel.item.cid) == true:
                state.chatChannels
            default: nil
            }
        }
    }

    /// Reads the list.
    ///
    /// - Throws: `ClientError`.
    @discardableResult
    public func synchronize() async throws(ClientError) -> [ChatChannel] {
        let list = try await client.session().api.call("GET", "/v1/channels", as: ChannelList.self)
        client.replica.update { $0.replaceChannels(list.channels) }
        return channels
    }

    /// Reads the list; see ``synchronize()``.
    public func synchronize(
        completion: (@MainActor @Sendable (Result<[ChatChannel], ClientError>) -> Void)? = nil
    ) {
        client.run("synchronize", completion, failed: report) { () async throws(ClientError) in
            try await self.synchronize()
        }
    }

    @MainActor private func report(_ error: ClientError) {
        delegate?.channelListController(self, didFailWith: error)
    }
}
