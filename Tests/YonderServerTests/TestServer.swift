import Foundation
import Synchronization
import Testing
import YonderCurl
import YonderModel
import YonderRules
import YonderTestSupport

@testable import YonderServer

/// A whole server on a free port with its data in a folder of its own.
final class TestServer: Sendable {
    static let secret = Array("a secret of at least thirty-two bytes".utf8)

    let base: String
    let folder: String
    /// What it has logged so far.
    let log: @Sendable () -> String
    let front: Nginx?
    private let clock: @Sendable () -> Timestamp
    private let http: CurlHTTP
    private let signer = TokenSigner(secret: TestServer.secret)!

    private init(
        base: String, folder: String, front: Nginx?, log: @escaping @Sendable () -> String,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.log = log
        self.clock = clock
        self.base = front?.base ?? base
        self.folder = folder
        self.front = front
        http = CurlHTTP(caFile: TestCertificate.file(for: self.base))
    }

    /// Runs `body` against a server, then stops it: against the built program, or, where a test needs a clock
    /// or a configuration of its own and under a sanitizer, against the same server in this process.
    static func run(
        folder: String? = nil, clock: (@Sendable () -> Timestamp)? = nil,
        configure: ((inout ServerConfiguration) -> Void)? = nil, isBehindNginx: Bool = TestFront.isAsked,
        _ body: (TestServer) async throws -> Void
    ) async throws {
        let data = folder ?? NSTemporaryDirectory() + "yonder-test-\(UUID().uuidString)"
        defer { if folder == nil { try? FileManager.default.removeItem(atPath: data) } }
        let isSanitized = ProcessInfo.processInfo.environment["YONDER_SANITIZED"] != nil
        if clock == nil, configure == nil, !isSanitized {
            try await runProgram(folder: data, isBehindNginx: isBehindNginx, body)
        } else {
            var configuration = ServerConfiguration(dataFolder: data, secret: secret)
            configuration.port = 0
            configuration.limitsRates = false
            let publicURL = isBehindNginx ? try TestFront.publicURL() : nil
            configuration.publicURL = publicURL
            configure?(&configuration)
            let isTrusting = !isBehindNginx || configuration.trust(proxies: TestFront.proxy)
            try #require(isTrusting)
            try await runHere(configuration, clock: clock ?? { .now }, front: publicURL, body)
        }
    }

    private static func runProgram(
        folder: String, isBehindNginx: Bool, _ body: (TestServer) async throws -> Void
    ) async throws {
        let process = try await ServerProcess(
            folder: folder, minimumLiveSeconds: 60, isBehindNginx: isBehindNginx)
        try await body(
            TestServer(base: process.base, folder: folder, front: process.front, log: { process.log }) {
                .now
            })
        #expect(await process.stop() == 0)
        expectNoErrors(in: process.log.split(separator: "\n").map(String.init))
    }

    private static func runHere(
        _ configuration: ServerConfiguration, clock: @escaping @Sendable () -> Timestamp,
        front publicURL: String?, _ body: (TestServer) async throws -> Void
    ) async throws {
        let lines = Lines()
        let server = try YonderServer(configuration, log: Log { lines.append($0) }, clock: clock)
        let (stream, continuation) = AsyncStream.makeStream(of: YonderServer.Ready.self)
        let task = Task {
            defer { continuation.finish() }
            try await server.run { continuation.yield($0) }
        }
        guard let ready = await stream.first(where: { _ in true }) else {
            try await task.value
            throw CocoaError(.featureUnsupported)
        }
        do {
            let front = try await TestFront.start(before: ready.address, at: publicURL)
            try await body(
                TestServer(
                    base: ready.address, folder: configuration.dataFolder, front: front,
                    log: { lines.all.joined(separator: "\n") }, clock: clock))
            task.cancel()
            try await task.value
            await front?.stop()
        } catch {
            task.cancel()
            _ = try? await task.value
            throw error
        }
        expectNoErrors(in: lines.all)
    }

    private static func expectNoErrors(in log: [String]) {
        #expect(log.filter { $0.contains(" error ") } == [], "the server's log holds errors")
    }

    /// What its clock says.
    var now: Timestamp { clock() }

    func token(
        _ user: String, role: UserRole = .user, expiresIn seconds: Int64? = 86_400
    ) -> String {
        let now = clock()
        return signer.token(
            TokenClaims(
                user: UserId(user)!, role: role, issuedAt: now,
                expiresAt: seconds.map { now.advanced(bySeconds: $0) }))
    }

    /// Makes one request as a user.
    @discardableResult
    func call(
        _ method: String, _ path: String, as user: String? = nil, role: UserRole = .user,
        json: String? = nil, body: [UInt8]? = nil, headers: [(name: String, value: String)] = []
    ) async throws -> Answer {
        var headers = headers
        if let user { headers.append(("Authorization", "Bearer \(token(user, role: role))")) }
        if json != nil { headers.append(("Content-Type", "application/json")) }
        let response = try await http.perform(
            CurlRequest(
                method: method, url: base + path, headers: headers, body: body ?? json.map { Array($0.utf8) })
        )
        return Answer(response)
    }

    /// Makes users `names`, with a device `<name>-phone` each, and a channel `team:x` of the first with all.
    func makeChannel(_ names: [String], config: String = "{}") async throws {
        for name in names {
            try await call("POST", "/v1/devices", as: name, json: #"{"id":"\#(name)-phone"}"#)
                .expect(201)
        }
        let members = names.map { "\"\($0)\"" }.joined(separator: ",")
        try await call(
            "POST", "/v1/channels", as: names[0],
            json: #"{"type":"team","id":"x","name":"X","members":[\#(members)],"config":\#(config)}"#
        ).expect(201)
    }

    /// Connects as a user and watches `team:x`.
    func watch(_ user: String) async throws -> TestSocket {
        let socket = try await TestSocket.connect(base, token: token(user))
        socket.send(#"{"op":"subscribe","id":1,"channels":["team:x"]}"#)
        #expect(await eventually { !socket.events("channel.state").isEmpty })
        return socket
    }

    /// Starts a live share of `user` in `team:x`.
    func share(_ user: String, id: String, seconds: Int64 = 600) async throws -> Answer {
        let end = clock().advanced(bySeconds: seconds).rfc3339
        return try await call(
            "POST", "/v1/channels/team:x/messages", as: user,
            json: """
                {"id":"\(id)","shared_location":{"latitude":60.17,"longitude":24.94,"accuracy":5,
                "end_at":"\(end)","device_id":"\(user)-phone"}}
                """)
    }
}

/// Log lines, kept.
private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func append(_ line: String) { lines.withLock { $0.append(line) } }
}

/// An answer, read as JSON.
struct Answer {
    let status: Int
    let response: CurlResponse
    let json: [String: Any]

    init(_ response: CurlResponse) {
        self.response = response
        status = response.status
        let value = try? JSONSerialization.jsonObject(with: Data(response.body))
        json = value as? [String: Any] ?? [:]
    }

    @discardableResult
    func expect(
        _ status: Int, code: String? = nil, field: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Answer {
        #expect(self.status == status, "\(text)", sourceLocation: sourceLocation)
        if let code {
            #expect(json["code"] as? String == code, "\(text)", sourceLocation: sourceLocation)
            #expect(
                response.header("content-type") == "application/problem+json", sourceLocation: sourceLocation)
        }
        if let field { #expect(json["field"] as? String == field, "\(text)", sourceLocation: sourceLocation) }
        return self
    }

    var text: String { String(decoding: response.body, as: UTF8.self) }
    func header(_ name: String) -> String? { response.header(name) }

    /// A value deep inside, by keys and indexes.
    subscript(path: String...) -> Any? { Self.value(json, path[...]) }

    static func value(_ root: Any?, _ path: ArraySlice<String>) -> Any? {
        guard let key = path.first else { return root }
        let next: Any? =
            if let list = root as? [Any] {
                Int(key).flatMap { list.indices.contains($0) ? list[$0] : nil }
            } else {
                (root as? [String: Any])?[key]
            }
        return value(next, path.dropFirst())
    }

    func string(_ path: String...) -> String? { Self.value(json, path[...]) as? String }
    func number(_ path: String...) -> Double? { (Self.value(json, path[...]) as? NSNumber)?.doubleValue }
    func count(_ path: String...) -> Int? { (Self.value(json, path[...]) as? [Any])?.count }
}

/// Waits until something is so; at most some seconds.
func eventually(
    within seconds: Double = 5, _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return try await condition()
}
