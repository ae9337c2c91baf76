import Foundation
import Synchronization
public import YonderModel

/// A user's client of one server: connects, hands out controllers, reconnects by itself.
///
/// Made by the app, kept as long as it is used; every call may come from any thread or task.
///
/// ```swift
/// let client = ChatClient(config: .init(baseURL: url))
/// try await client.connectUser(userInfo: .init(id: "anna"), token: token)
/// let berlin = client.channelController(for: ChannelId(type: "messaging", id: "berlin"))
/// try await berlin.startLiveLocationSharing(here, endDate: .now + 3600)
/// ```
public final class ChatClient: Sendable {
    private struct State {
        /// Rises with every wish: `connectUser` and `disconnect`. Only the newest one counts.
        var wish = 0
        /// The session once it has been connected.
        var session: Session?
        /// The last session's work. It stays here when it was cancelled: the next session begins where it
        /// has ended, so that two never tell the status in turns.
        var work: Task<Void, Never>?

        mutating func end() -> Task<Void, Never>? {
            wish += 1
            session = nil
            work?.cancel()
            return work
        }
    }

    /// How the client behaves.
    public let config: ChatClientConfig
    /// This device's id.
    public let deviceId: DeviceId

    let hub = EventHub()
    private let transport: any ChatTransport
    private let state = Mutex(State())

    /// Creates a client; it connects with ``connectUser(userInfo:token:)``.
    public convenience init(config: ChatClientConfig) {
        #if os(Linux)
            self.init(
                config: config,
                transport: CurlTransport(baseURL: config.baseURL, caFile: config.certificateFile))
        #else
            self.init(config: config, transport: URLSessionTransport(baseURL: config.baseURL))
        #endif
    }

    package init(config: ChatClientConfig, transport: any ChatTransport) {
        self.config = config
        self.transport = transport
        deviceId = config.deviceId ?? DeviceId(UUID().uuidString.lowercased())!
    }

    deinit { disconnect() }

    /// Whether the client is connected now.
    public var connectionStatus: ConnectionStatus { hub.status }

    /// Why the server ended the session for good; `nil` where it did not.
    package var sessionEnd: ClientError? { hub.end }

    /// The changes of ``connectionStatus`` from now on.
    public var connectionStatusChanges: AsyncStream<ConnectionStatus> { hub.statuses() }

    /// Connects a user and waits until the server has said hello.
    ///
    /// From then on the client reconnects by itself until ``disconnect()``. An earlier session, of this
    /// user or another, is ended first. Of calls at once the newest one counts.
    ///
    /// - Throws: `ClientError` where the first attempt fails: `.invalidToken`, `.cannotConnect`,
    ///   `.untrusted`, `.server(.unauthenticated)`, …; `.cancelled` where the task was cancelled, or
    ///   ``disconnect()`` or another `connectUser` came before the hello.
    public func connectUser(userInfo: UserInfo, token: Token) async throws(ClientError) {
        guard token.isSendable else { throw ClientError(.invalidToken, "the token is malformed") }
        if let owner = token.userId, owner != userInfo.id {
            throw ClientError(.invalidToken, "the token is another user's")
        }
        let (previous, wish) = state.withLock { ($0.end(), $0.wish) }
        await previous?.value
        let session = Session(
            userId: userInfo.id, token: token, deviceId: deviceId, config: config, transport: transport,
            hub: hub)
        let isCurrent = state.withLock { state in
            guard state.wish == wish else { return false }
            state.work = session.start()
            return true
        }
        guard isCurrent else { throw .cancelled }
        do throws(ClientError) {
            try await session.untilReady()
        } catch {
            await end(ifCurrent: wish)?.value
            throw error
        }
        let isStillCurrent = state.withLock { state in
            guard state.wish == wish else { return false }
            state.session = session
            return true
        }
        guard isStillCurrent else { throw .cancelled }
    }

    private func end(ifCurrent wish: Int) -> Task<Void, Never>? {
        state.withLock { $0.wish == wish ? $0.end() : nil }
    }

    /// Ends the connection; live shares stay on until they are stopped or over.
    public func disconnect() { _ = state.withLock { $0.end() } }

    /// The same, and waits until the connection is closed.
    public func disconnect() async { await state.withLock { $0.end() }?.value }

    /// The current user's devices and live shares.
    public func currentUserController() -> CurrentChatUserController {
        CurrentChatUserController(client: self)
    }

    /// One channel.
    public func channelController(for cid: ChannelId) -> ChatChannelController {
        ChatChannelController(client: self, cid: cid)
    }

    /// One message and the share that it carries.
    public func messageController(cid: ChannelId, messageId: MessageId) -> ChatMessageController {
        ChatMessageController(client: self, cid: cid, messageId: messageId)
    }

    /// Every event of the server.
    public func eventsController() -> EventsController { EventsController(client: self) }

    /// The session.
    ///
    /// - Throws: `.notConnected` before `connectUser` and after `disconnect`.
    func session() throws(ClientError) -> Session {
        guard let session = state.withLock({ $0.session }) else { throw .notConnected }
        return session
    }

    /// Runs an action for a caller that does not wait.
    func run<Value: Sendable>(
        _ completion: (@Sendable (Result<Value, ClientError>) -> Void)?,
        _ action: @escaping @Sendable () async throws(ClientError) -> Value
    ) {
        Task {
            do throws(ClientError) {
                let value = try await action()
                completion?(.success(value))
            } catch {
                completion?(.failure(error))
            }
        }
    }
}

extension ChatClient {
    /// Connects a user; see ``connectUser(userInfo:token:)``.
    public func connectUser(
        userInfo: UserInfo, token: Token,
        completion: (@Sendable (Result<Void, ClientError>) -> Void)? = nil
    ) {
        run(completion) { () async throws(ClientError) in
            try await self.connectUser(userInfo: userInfo, token: token)
        }
    }
}
