public import YonderModel

/// Who is connected, and on which device.
public struct CurrentChatUser: Hashable, Sendable, Identifiable {
    /// The device that this client speaks for.
    public struct CurrentDevice: Hashable, Sendable, Identifiable {
        public var id: DeviceId
    }

    public var id: UserId
    /// As the server knows it; the id until it has said so.
    public var name: String
    /// A small `data:` URL, see `UserImage`; `nil` = none.
    public var image: String?
    public var currentDevice: CurrentDevice?
    /// The user's devices as they were last read, see ``CurrentChatUserController/loadDevices()``.
    public var devices: [Device]
}
