public import Foundation
public import YonderModel

/// How a client behaves.
public struct ChatClientConfig: Sendable {
    /// Where the server is: `http` or `https`, with a path where it stands behind one.
    public var baseURL: URL
    /// This device's id; `nil` = one is made and kept in the local store.
    public var deviceId: DeviceId?
    /// The file in which the client keeps what it knows and what it has not sent yet; `nil` = it keeps that in
    /// memory, and all of it goes with the app. One file serves one client at a time. Positions are in it: put it
    /// where no backup takes it along.
    public var localStoreURL: URL?
    /// Shortest time between two requests with a live position. Default 2 s.
    public var minimumUpdateInterval: Duration
    /// Whether this device feeds, and is told about, only the shares that it is meant to feed; `false` = all of the
    /// user's. Default `true`.
    public var onlyCurrentDevice: Bool
    /// Gives a new token where the server does not take the old one any more; `nil` = the session ends then.
    public var tokenProvider: (@Sendable (UserId) async throws -> Token)?
    /// PEM file of the certificates to trust, on Linux; `nil` = the system's.
    public var certificateFile: String?
    /// Told of what failed where nobody waited for it: an action and the error's message, with no position, token
    /// or text in it. Default: a line on the standard error.
    public var log: @Sendable (String) -> Void

    /// Creates a configuration.
    public init(
        baseURL: URL, deviceId: DeviceId? = nil, localStoreURL: URL? = nil,
        minimumUpdateInterval: Duration = .seconds(2), onlyCurrentDevice: Bool = true,
        tokenProvider: (@Sendable (UserId) async throws -> Token)? = nil, certificateFile: String? = nil,
        log: @escaping @Sendable (String) -> Void = Self.logToStandardError
    ) {
        self.baseURL = baseURL
        self.deviceId = deviceId
        self.localStoreURL = localStoreURL
        self.minimumUpdateInterval = minimumUpdateInterval
        self.onlyCurrentDevice = onlyCurrentDevice
        self.tokenProvider = tokenProvider
        self.certificateFile = certificateFile
        self.log = log
    }

    /// Where an app's local store usually is: in its folder of the application support on Apple platforms, under
    /// `$XDG_DATA_HOME` or `~/.local/share` on Linux. Its folder is made when it is opened.
    ///
    /// - Parameter app: A name for the app; letters, digits and dashes.
    /// - Returns: The file, to be used as ``localStoreURL``.
    public static func standardStoreURL(for app: String) -> URL {
        #if os(Linux)
            let data = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 }
            let folder =
                data.map { URL(fileURLWithPath: $0, isDirectory: true) }
                ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share")
        #else
            let folder = URL.applicationSupportDirectory
        #endif
        return folder.appending(path: app).appending(path: "yonder.sqlite")
    }

    /// Writes a line to the standard error.
    public static let logToStandardError: @Sendable (String) -> Void = { line in
        FileHandle.standardError.write(Data("YonderClient: \(line)\n".utf8))
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
