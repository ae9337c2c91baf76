public import Foundation
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
        /// The session, from its first attempt to connect on.
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
    let replica: Replica
    private let transport: any ChatTransport
    private let state = Mutex(State())
    /// Why the local store could not be opened; the client then works on one in memory, and never connects.
    private let storeProblem: ClientError?
    private let expiry: Task<Void, Never>
    private let actions = ActionQueue()

    /// Creates a client; it connects with ``connectUser(userInfo:token:)-(UserInfo,Token)``.
    ///
    /// A local store that cannot be opened is an error of that.
    public convenience init(config: ChatClientConfig) {
        #if os(Linux)
            self.init(
                config: config,
                transport: CurlTransport(baseURL: config.baseURL, caFile: config.certificateFile))
        #else
            self.init(config: config, transport: URLSessionTransport(baseURL: config.baseURL))
        #endif
    }

    /// Creates a client that speaks to its server by a transport of the caller's.
    ///
    /// - Parameters:
    ///   - config: How it behaves.
    ///   - transport: What carries requests and events.
    ///   - deviceTime: The device's clock, which may be wrong.
    package init(
        config: ChatClientConfig, transport: any ChatTransport,
        deviceTime: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        self.config = config
        self.transport = transport
        let store: LocalStore
        do throws(ClientError) {
            store = try LocalStore(config.localStoreURL)
            storeProblem = nil
        } catch {
            guard let memory = try? LocalStore(nil) else { preconditionFailure("no memory for a store") }
            store = memory
            storeProblem = error
        }
        if store.wasDamaged { config.log("the local store was damaged: it was set aside") }
        deviceId = config.deviceId ?? store.deviceId
        let replica = Replica(
            store: store, deviceId: deviceId, onlyCurrentDevice: config.onlyCurrentDevice,
            deviceTime: deviceTime)
        self.replica = replica
        expiry = Task { await replica.watchEnds() }
    }

    deinit {
        disconnect()
        expiry.cancel()
    }

    /// Whether the client is connected now.
    public var connectionStatus: ConnectionStatus { hub.status }

    /// Why the client is not connected at the moment; `nil` where it is, or is not meant to be.
    public var connectionProblem: ClientError? { hub.problem }

    /// The changes of ``connectionStatus`` from now on.
    public var connectionStatusChanges: AsyncStream<ConnectionStatus> { hub.statuses() }

    /// Connects a user: waits until the server has said hello, or until a first attempt has not reached it.
    ///
    /// From then on the client reconnects by itself until `disconnect()`. Without a connection everything that the
    /// local store holds can be seen, what is sent waits there, and live positions are kept. An earlier session, of
    /// this user or another, is ended first; what the store holds of another user is erased. Of calls at once the
    /// newest one counts.
    ///
    /// - Returns: `.connected`, or `.connecting` where the server could not be reached: ``connectionProblem`` says
    ///   why, ``connectionStatusChanges`` when it can.
    /// - Throws: `ClientError` where waiting does not help: `.invalidToken`, `.untrusted`, `.invalidResponse`,
    ///   `.localStoreUnavailable`, `.server(.unauthenticated)`, …; `.cancelled` where the task was cancelled, or
    ///   `disconnect()` or another `connectUser` came before the hello.
    @discardableResult
    public func connectUser(userInfo: UserInfo, token: Token) async throws(ClientError) -> ConnectionStatus {
        if let storeProblem { throw storeProblem }
        guard token.isSendable else { throw ClientError(.invalidToken, "the token is malformed") }
        if let owner = token.userId, owner != userInfo.id {
            throw ClientError(.invalidToken, "the token is another user's")
        }
        let (previous, wish) = state.withLock { ($0.end(), $0.wish) }
        await previous?.value
        let session = try state.withLock { state throws(ClientError) -> Session? in
            guard state.wish == wish else { return nil }
            let session = try Session(
                userId: userInfo.id, token: token, deviceId: deviceId, config: config, transport: transport,
                hub: hub, replica: replica)
            state.session = session
            state.work = session.start()
            return session
        }
        guard let session else { throw .cancelled }
        var status = ConnectionStatus.connected
        do throws(ClientError) {
            try await session.untilReady()
        } catch  where error.isWorthWaiting {
            status = .connecting
        } catch {
            await end(ifCurrent: wish)?.value
            throw error
        }
        guard state.withLock({ $0.wish == wish }) else { throw .cancelled }
        return status
    }

    private func end(ifCurrent wish: Int) -> Task<Void, Never>? {
        state.withLock { $0.wish == wish ? $0.end() : nil }
    }

    /// Ends the connection; live shares stay on until they are stopped or over, and what waits to be sent is kept.
    public func disconnect() { _ = state.withLock { $0.end() } }

    /// The same, and waits until the connection is closed.
    public func disconnect() async { await state.withLock { $0.end() }?.value }

    /// The server's clock as well as it is known here: what the times of messages and shares are by. The device's
    /// own may be wrong.
    public var serverTime: Date { replica.serverTime.date }

    /// Whether something that was done has not reached the server yet: messages, starts and stops of shares.
    public var hasUnsentActions: Bool { replica.read { $0.nextEntry != nil } }

    /// Waits until everything that was done has reached the server, or was refused.
    ///
    /// - Parameter limit: How long at most. Default 10 s.
    /// - Returns: Whether nothing waits any more.
    public func sendUnsentActions(within limit: Duration = .seconds(10)) async -> Bool {
        let end = ContinuousClock.now + limit
        while hasUnsentActions {
            guard .now < end, !Task.isCancelled else { return false }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return true
    }

    /// The current user's devices and live shares.
    public func currentUserController() -> CurrentChatUserController {
        CurrentChatUserController(client: self)
    }

    /// One channel.
    public func channelController(for cid: ChannelId) -> ChatChannelController {
        ChatChannelController(client: self, cid: cid, creation: nil)
    }

    /// A channel that is made when it is first synchronized, unless it is there already.
    ///
    /// - Parameters:
    ///   - cid: Its id.
    ///   - name: 1 to 200 Unicode scalars; `nil` = unnamed. Default `nil`.
    ///   - members: Who is in it beside the current user, its owner. Default: nobody.
    /// - Returns: The channel's controller, before anything has been asked of the server.
    public func channelController(
        creating cid: ChannelId, name: String? = nil, members: [UserId] = []
    ) -> ChatChannelController {
        ChatChannelController(
            client: self, cid: cid,
            creation: ChannelBody(id: cid.id, type: cid.type, name: name, members: members))
    }

    /// The channels that the current user is a member of.
    public func channelListController() -> ChatChannelListController {
        ChatChannelListController(client: self)
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

    /// Runs an action for a caller that does not wait: tells the completion, or, where there is none, whoever is
    /// to be told of failures, and the log. Actions begin in the order of the calls.
    func run<Value: Sendable>(
        _ name: String, _ completion: (@MainActor @Sendable (Result<Value, ClientError>) -> Void)?,
        failed: @escaping @MainActor @Sendable (ClientError) -> Void = { _ in },
        _ action: @escaping @Sendable () async throws(ClientError) -> Value
    ) {
        let log = config.log
        Task(executorPreference: actions) {
            do throws(ClientError) {
                let value = try await action()
                await completion?(.success(value))
            } catch {
                if let completion { return await completion(.failure(error)) }
                log("\(name) failed: \(error)")
                await failed(error)
            }
        }
    }
}

extension ChatClient {
    /// Connects a user; see ``connectUser(userInfo:token:)-(UserInfo,Token)``.
    public func connectUser(
        userInfo: UserInfo, token: Token,
        completion: (@MainActor @Sendable (Result<ConnectionStatus, ClientError>) -> Void)? = nil
    ) {
        run("connectUser", completion) { () async throws(ClientError) in
            try await self.connectUser(userInfo: userInfo, token: token)
        }
    }
}

extension LocalStore {
    /// This device's id, made once.
    var deviceId: DeviceId {
        if let known = fact("device_id").flatMap(DeviceId.init) { return known }
        let made = DeviceId(UUID().uuidString.lowercased())!
        setFact("device_id", made.rawValue)
        return made
    }
}
