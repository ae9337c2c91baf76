public import Foundation
public import YonderModel

/// Told when this device's sharing begins and ends, on the main actor: what starts and stops a location source.
@MainActor public protocol CurrentChatUserControllerDelegate: AnyObject, Sendable {
    /// The number of active shares has gone from 0 up; also when there was one already as the delegate was set.
    func currentUserControllerDidStartSharingLiveLocation(_ controller: CurrentChatUserController)
    /// It has come back to 0: by a stop, the end of its time, another share in its place, or because its message
    /// or its channel is gone, on whichever device that happened.
    func currentUserControllerDidStopSharingLiveLocation(_ controller: CurrentChatUserController)
    /// The active shares are others than before: the messages that carry them, newest first.
    func currentUserController(
        _ controller: CurrentChatUserController, didChangeActiveLiveLocationMessages messages: [ChatMessage])
    /// An action failed that nobody waited for.
    func currentUserController(_ controller: CurrentChatUserController, didFailWith error: ClientError)
}

extension CurrentChatUserControllerDelegate {
    public func currentUserController(
        _: CurrentChatUserController, didChangeActiveLiveLocationMessages _: [ChatMessage]
    ) {}
    public func currentUserController(_: CurrentChatUserController, didFailWith _: ClientError) {}
}

/// The current user's devices and live shares. Made by ``ChatClient/currentUserController()``.
public final class CurrentChatUserController: Sendable {
    /// The client that made it.
    public let client: ChatClient

    private let observer = Observer<any CurrentChatUserControllerDelegate>()

    init(client: ChatClient) { self.client = client }

    /// Told when sharing begins and ends; held weakly. One that is set while shares are on is told at once.
    public var delegate: (any CurrentChatUserControllerDelegate)? {
        get { observer.delegate }
        set {
            let changes = activeLiveLocationMessageChanges
            observer.set(newValue) {
                Task { @MainActor [weak self] in
                    var monitor = SharingMonitor()
                    for await messages in changes {
                        for notice in monitor.update(messages) {
                            guard !Task.isCancelled, let self, let delegate else { return }
                            self.tell(delegate, notice)
                        }
                    }
                }
            }
        }
    }

    @MainActor private func tell(
        _ delegate: any CurrentChatUserControllerDelegate, _ notice: SharingMonitor.Notice
    ) {
        switch notice {
        case .started: delegate.currentUserControllerDidStartSharingLiveLocation(self)
        case .changed(let messages):
            delegate.currentUserController(self, didChangeActiveLiveLocationMessages: messages)
        case .stopped: delegate.currentUserControllerDidStopSharingLiveLocation(self)
        }
    }

    @MainActor private func report(_ error: ClientError) {
        delegate?.currentUserController(self, didFailWith: error)
    }

    /// Who is connected; `nil` before the first `connectUser`.
    public var currentUser: CurrentChatUser? { client.replica.read(\.currentUser) }

    /// The user at each change from now on. Each call is a sequence of its own, for one reader.
    public var currentUserChanges: AsyncStream<CurrentChatUser> {
        client.replica.observe { state, change in
            if case .user = change { state.currentUser } else { nil }
        }
    }

    /// The messages that carry the user's active shares, newest first: those that this device feeds, or all where
    /// `onlyCurrentDevice` is false.
    public var activeLiveLocationMessages: [ChatMessage] { client.replica.read(\.ownShareMessages) }

    /// ``activeLiveLocationMessages`` now, where there are any, and at each change of the set. Each call is a
    /// sequence of its own, for one reader.
    public var activeLiveLocationMessageChanges: AsyncStream<[ChatMessage]> {
        client.replica.observe(
            first: { $0.ownShares.isEmpty ? nil : $0.ownShareMessages },
            { state, change in
                if case .ownShares = change { state.ownShareMessages } else { nil }
            })
    }

    /// Reads the live shares that are on. The client does so by itself with every connection.
    ///
    /// - Returns: ``activeLiveLocationMessages``.
    /// - Throws: `ClientError`.
    @discardableResult
    public func loadActiveLiveLocationMessages() async throws(ClientError) -> [ChatMessage] {
        try await client.session().feeder.load()
        return activeLiveLocationMessages
    }

    /// Moves the active shares that this device feeds, and waits until the server has answered for this
    /// position or a newer one: at once, or after the rest of `minimumUpdateInterval`.
    ///
    /// While the server cannot be reached it waits, and the position, or a newer one, is sent then.
    ///
    /// - Throws: `ClientError`: `.noActiveShare` where there is nothing to move,
    ///   `.server(.liveLocationEnded)` where the server says so, `.server(.invalidArgument)` for a position that is
    ///   none, `.cancelled` at once where the task is cancelled; the position is sent all the same.
    public func updateLiveLocation(_ location: LocationInfo) async throws(ClientError) {
        try await client.session().feeder.send(location)
    }

    /// Moves the active shares that this device feeds; may be called at any rate.
    ///
    /// At most one request is sent per `minimumUpdateInterval`: the first position at once, the newest one
    /// at the interval's end. Without an active share nothing is sent. Without a connection positions are kept, one
    /// a second at most, and sent when there is one.
    ///
    /// - Parameters:
    ///   - location: Where this device is.
    ///   - completion: Told as the async form returns or throws. Default `nil`: a position that moves nothing is
    ///     no error.
    public func updateLiveLocation(
        _ location: LocationInfo,
        completion: (@MainActor @Sendable (Result<Void, ClientError>) -> Void)? = nil
    ) {
        guard completion == nil, let session = try? client.session() else {
            client.run("updateLiveLocation", completion, failed: report) { () async throws(ClientError) in
                try await self.updateLiveLocation(location)
            }
            return
        }
        session.feeder.offer(location)
    }

    /// Stops all of the user's live shares, of any device: those that are known at once, also without a
    /// connection; the others where the server can be reached.
    ///
    /// - Throws: `ClientError`.
    public func stopAllLiveLocationSharing() async throws(ClientError) {
        let session = try client.session()
        let shares = client.replica.read { state in state.activeShares { $0.userId == state.userId } }
        // All at once: none is left on where another one's stop fails or the caller gives up.
        let failures = await withTaskGroup { group in
            for share in shares {
                group.addTask { () async -> ClientError? in
                    do throws(ClientError) {
                        _ = try await session.stop(share.messageId, in: share.channelId)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: [ClientError]()) { if let error = $1 { $0.append(error) } }
        }
        if client.connectionStatus == .connected {
            try await session.api.call("DELETE", "/v1/live-locations")
            session.feeder.reload()
        }
        if let failure = failures.first { throw failure }
    }

    /// Reads everything that the server holds of the user.
    ///
    /// - Returns: A ZIP with `account.json`, `messages.json` and the trails that are kept, as GPX and GeoJSON.
    /// - Throws: `ClientError`.
    public func exportAccount() async throws(ClientError) -> Data {
        Data(try await client.session().api.bytes("/v1/users/me/export"))
    }

    /// The user's devices as they were last read, see ``loadDevices()``.
    public var devices: [Device] { client.replica.read(\.devices) }

    /// Reads the user's devices.
    ///
    /// - Throws: `ClientError`.
    @discardableResult
    public func loadDevices() async throws(ClientError) -> [Device] {
        let list = try await client.session().api.call("GET", "/v1/devices", as: DeviceList.self)
        client.replica.update { $0.set(list.devices) }
        return list.devices
    }

    /// Makes a device known, or changes its name.
    ///
    /// - Parameters:
    ///   - id: The device; `nil` = this one.
    ///   - name: 1 to 200 Unicode scalars; `nil` = as it is.
    ///   - platform: What it runs; `nil` = what this program runs on for this device, as it is for others.
    /// - Returns: The device as the server knows it.
    /// - Throws: `ClientError`.
    @discardableResult
    public func addDevice(
        id: DeviceId? = nil, name: String? = nil, platform: Platform? = nil
    ) async throws(ClientError) -> Device {
        let device = try await client.session().device.add(
            id ?? client.deviceId, name: name, platform: platform)
        client.replica.update { state in
            state.set(state.devices.filter { $0.id != device.id } + [device])
        }
        return device
    }

    /// Forgets one of the user's devices: the live shares that it created end.
    ///
    /// - Throws: `ClientError`: `.server(.notFound)` where the device is not known.
    public func removeDevice(id: DeviceId) async throws(ClientError) {
        let session = try client.session()
        try await session.api.call("DELETE", "/v1/devices/\(id)")
        session.device.removed(id)
        client.replica.update { state in state.set(state.devices.filter { $0.id != id }) }
        session.feeder.reload()
    }

    /// Gives one of the user's devices a key, with which a phone app speaks for it; the one that it had is good
    /// no more.
    ///
    /// - Parameter device: The device, see ``addDevice(id:name:platform:)``.
    /// - Returns: The key; the server does not tell it again.
    /// - Throws: `ClientError`: `.server(.notFound)` where the device is not known.
    public func makeIngestKey(for device: DeviceId) async throws(ClientError) -> MadeIngestKey {
        try await client.session().api.call(
            "POST", "/v1/devices/\(device)/ingest-key", as: MadeIngestKey.self)
    }
}

extension CurrentChatUserController {
    /// Reads the live shares that are on; see ``loadActiveLiveLocationMessages()``.
    public func loadActiveLiveLocationMessages(
        completion: (@MainActor @Sendable (Result<[ChatMessage], ClientError>) -> Void)? = nil
    ) {
        client.run("loadActiveLiveLocationMessages", completion, failed: report) {
            () async throws(ClientError) in try await self.loadActiveLiveLocationMessages()
        }
    }

    /// Stops all of the user's live shares; see ``stopAllLiveLocationSharing()``.
    public func stopAllLiveLocationSharing(
        completion: (@MainActor @Sendable (Result<Void, ClientError>) -> Void)? = nil
    ) {
        client.run("stopAllLiveLocationSharing", completion, failed: report) {
            () async throws(ClientError) in try await self.stopAllLiveLocationSharing()
        }
    }

    /// Reads the user's devices; see ``loadDevices()``.
    public func loadDevices(
        completion: (@MainActor @Sendable (Result<[Device], ClientError>) -> Void)? = nil
    ) {
        client.run("loadDevices", completion, failed: report) { () async throws(ClientError) in
            try await self.loadDevices()
        }
    }

    /// Makes a device known; see ``addDevice(id:name:platform:)``.
    public func addDevice(
        id: DeviceId? = nil, name: String? = nil, platform: Platform? = nil,
        completion: (@MainActor @Sendable (Result<Device, ClientError>) -> Void)? = nil
    ) {
        client.run("addDevice", completion, failed: report) { () async throws(ClientError) in
            try await self.addDevice(id: id, name: name, platform: platform)
        }
    }

    /// Forgets a device; see ``removeDevice(id:)``.
    public func removeDevice(
        id: DeviceId, completion: (@MainActor @Sendable (Result<Void, ClientError>) -> Void)? = nil
    ) {
        client.run("removeDevice", completion, failed: report) { () async throws(ClientError) in
            try await self.removeDevice(id: id)
        }
    }
}

extension CurrentChatUserController {
    /// Reads everything that the server holds of the user; see ``exportAccount()``.
    public func exportAccount(
        completion: (@MainActor @Sendable (Result<Data, ClientError>) -> Void)? = nil
    ) {
        client.run("exportAccount", completion, failed: report) { () async throws(ClientError) in
            try await self.exportAccount()
        }
    }

    /// Gives a device a key for a phone app; see ``makeIngestKey(for:)``.
    public func makeIngestKey(
        for device: DeviceId,
        completion: (@MainActor @Sendable (Result<MadeIngestKey, ClientError>) -> Void)? = nil
    ) {
        client.run("makeIngestKey", completion, failed: report) { () async throws(ClientError) in
            try await self.makeIngestKey(for: device)
        }
    }
}

extension ChatState {
    mutating func set(_ devices: [Device]) {
        guard self.devices != devices else { return }
        self.devices = devices
        note(.user)
    }
}
