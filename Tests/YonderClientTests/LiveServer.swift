import Foundation
import Synchronization
import Testing
import YonderCurl
import YonderModel
import YonderRules
import YonderServer
import YonderTestSupport

@testable import YonderClient

/// A real server in this process, on a port of its own, that can be stopped and started again on what it has kept.
final class LiveServer: Sendable {
    private static let secret = Array("a secret of at least thirty-two bytes".utf8)

    let port: Int
    let clock: @Sendable () -> Timestamp
    private let folder = NSTemporaryDirectory() + "yonder-client-test-\(UUID().uuidString)"
    private let configure: @Sendable (inout ServerConfiguration) -> Void
    private let work = Mutex<Task<Void, any Error>?>(nil)
    private let signer = TokenSigner(secret: LiveServer.secret)!
    private let http = CurlHTTP()

    /// Runs `body` against one.
    ///
    /// - Parameters:
    ///   - clock: The server's.
    ///   - configure: What else is special.
    ///   - body: What is done with it.
    /// - Throws: What `body` throws, and what keeps the server from starting.
    static func run(
        clock: @escaping @Sendable () -> Timestamp = { .now },
        configure: @escaping @Sendable (inout ServerConfiguration) -> Void = { _ in },
        _ body: (LiveServer) async throws -> Void
    ) async throws {
        let server = LiveServer(port: try LoopbackPort.free(), clock: clock, configure: configure)
        defer { try? FileManager.default.removeItem(atPath: server.folder) }
        try await server.start()
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private init(
        port: Int, clock: @escaping @Sendable () -> Timestamp,
        configure: @escaping @Sendable (inout ServerConfiguration) -> Void
    ) {
        self.port = port
        self.clock = clock
        self.configure = configure
    }

    var url: String { "http://127.0.0.1:\(port)" }

    func start() async throws {
        var configuration = ServerConfiguration(dataFolder: folder, secret: Self.secret)
        configuration.port = port
        configuration.limitsRates = false
        configure(&configuration)
        let server = try YonderServer(configuration, log: Log { _ in }, clock: clock)
        let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            defer { isReady.finish() }
            try await server.run { _ in isReady.yield(()) }
        }
        work.withLock { $0 = task }
        guard await ready.first(where: { _ in true }) != nil else { return try await task.value }
    }

    func stop() async {
        let task = work.withLock { task in
            defer { task = nil }
            return task
        }
        task?.cancel()
        _ = try? await task?.value
    }

    func token(_ user: String, expiresIn seconds: Int64 = 86_400, issuedAgo age: Int64 = 0) -> Token {
        let now = clock()
        return Token(
            signer.token(
                TokenClaims(
                    user: UserId(user)!, issuedAt: now.advanced(bySeconds: -age),
                    expiresAt: now.advanced(bySeconds: seconds))))
    }

    /// A request beside all clients.
    @discardableResult
    func call(_ method: String, _ path: String, as user: String, json: String? = nil) async throws
        -> CurlResponse
    {
        try await http.perform(
            CurlRequest(
                method: method, url: url + path,
                headers: [
                    ("Authorization", "Bearer \(token(user).rawValue)"), ("Content-Type", "application/json"),
                ], body: json.map { Array($0.utf8) }))
    }

    func config(
        _ device: String? = nil, store: URL? = nil, interval: Duration = .milliseconds(100),
        onlyCurrentDevice: Bool = true, through port: Int? = nil,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) -> ChatClientConfig {
        ChatClientConfig(
            baseURL: URL(string: "http://127.0.0.1:\(port ?? self.port)")!,
            deviceId: device.map { DeviceId($0)! }, localStoreURL: store, minimumUpdateInterval: interval,
            onlyCurrentDevice: onlyCurrentDevice, log: log)
    }

    /// A client of a user's that is connected.
    func client(_ user: String, _ config: ChatClientConfig? = nil) async throws -> ChatClient {
        let client = ChatClient(config: config ?? self.config("\(user)-phone"))
        try await connect(client, user)
        return client
    }

    func connect(_ client: ChatClient, _ user: String) async throws {
        try await client.connectUser(userInfo: UserInfo(id: user), token: token(user))
    }

    /// Makes the channel `team:x` of the first of some users with all of them in it.
    func makeChannel(_ users: [String], config: String = "{}") async throws {
        for user in users { try await call("GET", "/v1/users/me", as: user) }
        let members = users.map { "\"\($0)\"" }.joined(separator: ",")
        let made = try await call(
            "POST", "/v1/channels", as: users[0],
            json: #"{"id":"x","type":"team","members":[\#(members)],"config":\#(config)}"#)
        try #require(made.status == 201)
    }
}

let teamX = ChannelId(type: "team", id: "x")

func place(_ latitude: Double, _ longitude: Double = 10) -> LocationInfo {
    LocationInfo(latitude: latitude, longitude: longitude)
}

/// Waits until something is so; a test that waits in vain has an issue.
func eventually(
    _ what: Comment, within limit: Duration = .seconds(10), sourceLocation: SourceLocation = #_sourceLocation,
    _ isSo: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try await !isSo() {
        guard .now < end else {
            Issue.record(what, sourceLocation: sourceLocation)
            return
        }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// A folder for one test's local stores.
func withStoreFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appending(
        path: "yonder-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
}

/// Counts from any task.
final class ManualCounter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    func add() { value.withLock { $0 += 1 } }
}
