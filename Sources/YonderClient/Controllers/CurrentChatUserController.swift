public import Foundation
public import YonderModel

/// The current user's devices and live shares. Made by ``ChatClient/currentUserController()``.
public final class CurrentChatUserController: Sendable {
    /// The client that made it.
    public let client: ChatClient

    init(client: ChatClient) { self.client = client }

    /// Reads the live shares that are on, over all channels and devices, newest first.
    ///
    /// - Throws: `ClientError`.
    @discardableResult
    public func loadActiveLiveLocationMessages() async throws(ClientError) -> [SharedLocation] {
        try await client.session().feeder.load()
    }

    /// Moves the active shares that this device feeds, and waits until the server has answered for this
    /// position or a newer one: at once, or after the rest of `minimumUpdateInterval`.
    ///
    /// While the server cannot be reached it waits, and the position, or a newer one, is sent then.
    ///
    /// - Throws: `ClientError`: `.noActiveShare` where there is nothing to move,
    ///   `.server(.liveLocationEnded)` where the server says so, `.cancelled` at once where the task is
    ///   cancelled; the position is sent all the same.
    public func updateLiveLocation(_ location: LocationInfo) async throws(ClientError) {
        try await client.session().feeder.send(location)
    }

    /// Moves the active shares that this device feeds; may be called at any rate.
    ///
    /// At most one request is sent per `minimumUpdateInterval`: the first position at once, the newest one
    /// at the interval's end. Without an active share nothing is sent.
    ///
    /// - Parameters:
    ///   - location: Where this device is.
    ///   - completion: Told as the async form returns or throws. Default `nil`.
    public func updateLiveLocation(
        _ location: LocationInfo, completion: (@Sendable (Result<Void, ClientError>) -> Void)? = nil
    ) {
        guard completion == nil, let session = try? client.session() else {
            client.run(completion) { () async throws(ClientError) in
                try await self.updateLiveLocation(location)
            }
            return
        }
        session.feeder.offer(location)
    }

    /// Stops all of the user's live shares, of any device.
    ///
    /// - Throws: `ClientError`.
    public func stopAllLiveLocationSharing() async throws(ClientError) {
        let session = try client.session()
        try await session.api.call("DELETE", "/v1/live-locations")
        session.feeder.allSharesEnded()
    }

    /// Reads everything that the server holds of the user.
    ///
    /// - Returns: A ZIP with `account.json`, `messages.json` and the trails that are kept, as GPX and GeoJSON.
    /// - Throws: `ClientError`.
    public func exportAccount() async throws(ClientError) -> Data {
        Data(try await client.session().api.bytes("/v1/users/me/export"))
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
        try await client.session().addDevice(id ?? client.deviceId, name: name, platform: platform)
    }

    /// Gives one of the user's devices a key, with which a phone app speaks for it; the one that it had is good
    /// no more.
    ///
    /// - Parameter device: The device, see ``addDevice(id:name:)``.
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
        completion: (@Sendable (Result<[SharedLocation], ClientError>) -> Void)? = nil
    ) {
        client.run(completion) { () async throws(ClientError) in
            try await self.loadActiveLiveLocationMessages()
        }
    }

    /// Stops all of the user's live shares; see ``stopAllLiveLocationSharing()``.
    public func stopAllLiveLocationSharing(
        completion: (@Sendable (Result<Void, ClientError>) -> Void)? = nil
    ) {
        client.run(completion) { () async throws(ClientError) in
            try await self.stopAllLiveLocationSharing()
        }
    }
}
