import Synchronization
import YonderModel

/// Makes devices known to the server; this one before its first live share.
final class DeviceRegistration: Sendable {
    private let api: ServerAPI
    private let id: DeviceId
    private let isKnown = Mutex(false)

    init(api: ServerAPI, id: DeviceId) {
        self.api = api
        self.id = id
    }

    /// Makes this device known, once a session.
    func ensure() async throws(ClientError) {
        if isKnown.withLock({ $0 }) { return }
        try await add(id, name: nil, attempts: 1)
        isKnown.withLock { $0 = true }
    }

    /// A device is known no more.
    func removed(_ id: DeviceId) {
        if id == self.id { isKnown.withLock { $0 = false } }
    }

    /// Makes a device known; this one with what it runs, another with what is said of it.
    @discardableResult
    func add(
        _ id: DeviceId, name: String?, platform: Platform? = nil, attempts: Int = ServerAPI.maxAttempts
    ) async throws(ClientError) -> Device {
        let platform = platform ?? (id == self.id ? .current : nil)
        return try await api.call("POST", "/v1/devices", as: Device.self, attempts: attempts) {
            WireJSON.encode(DeviceBody(id: id, name: name, platform: platform))
        }
    }
}

extension Platform {
    /// What this device runs.
    static var current: Platform {
        #if os(iOS)
            .ios
        #elseif os(Linux)
            .linux
        #else
            .other
        #endif
    }
}
