public import Foundation
public import YonderModel

/// How a client behaves.
public struct ChatClientConfig: Hashable, Sendable {
    /// Where the server is: `http` or `https`, with a path where it stands behind one.
    public var baseURL: URL
    /// This device's id; `nil` = one is made for the client's life.
    public var deviceId: DeviceId?
    /// Shortest time between two requests with a live position. Default 2 s.
    public var minimumUpdateInterval: Duration
    /// Whether this device feeds only the shares that it is meant to feed. Default `true`.
    public var onlyCurrentDevice: Bool
    /// PEM file of the certificates to trust, on Linux; `nil` = the system's.
    public var certificateFile: String?

    /// Creates a configuration.
    public init(
        baseURL: URL, deviceId: DeviceId? = nil, minimumUpdateInterval: Duration = .seconds(2),
        onlyCurrentDevice: Bool = true, certificateFile: String? = nil
    ) {
        self.baseURL = baseURL
        self.deviceId = deviceId
        self.minimumUpdateInterval = minimumUpdateInterval
        self.onlyCurrentDevice = onlyCurrentDevice
        self.certificateFile = certificateFile
    }
}

/// Whether the client is connected to its server.
public enum ConnectionStatus: String, Hashable, Sendable {
    /// Not yet connected by `connectUser`.
    case initialized
    /// On the way, for the first time or again.
    case connecting
    /// The server has said hello.
    case connected
    /// Ended by `disconnect`, or by a token that the server does not take.
    case disconnected
}
