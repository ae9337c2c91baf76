import Foundation
import YonderCurl
import YonderModel
import YonderRules
import YonderServer
import YonderTestSupport

/// `yonder serve` with its data in a folder of its own, and a channel in which everybody shares.
struct YonderProcess {
    static let channel = "team:bench"

    private(set) var server: Server
    private let folder: URL
    private let tick: Int
    private let http = CurlHTTP()
    private let signer: TokenSigner
    private static let secret = "a secret of thirty-two or more bytes"

    /// Starts one.
    ///
    /// - Parameter tick: Milliseconds for which positions are gathered.
    /// - Throws: `Failure` where it does not start.
    init(tick: Int) async throws {
        self.tick = tick
        signer = TokenSigner(secret: Array(Self.secret.utf8))!
        // Beside the program: a temporary folder may lie in memory.
        folder = Server.program("benchmark-data-\(UUID().uuidString)")
        server = try await Self.start(on: folder, tick: tick)
    }

    /// Kills it and starts it again on what it has left on the disk.
    mutating func restart() async throws {
        await server.kill()
        server = try await Self.start(on: folder, tick: tick)
    }

    private static func start(on folder: URL, tick: Int) async throws -> Server {
        let port = try LoopbackSocket.freePort()
        let process = try ChildProcess(
            Server.program("yonder"), ["serve"],
            environment: [
                "YONDER_SECRET": secret, "YONDER_LISTEN": "127.0.0.1:\(port)", "YONDER_DATA": folder.path(),
                "YONDER_RATE_LIMIT": "off", "YONDER_TICK_MILLISECONDS": String(tick),
            ])
        for _ in 0..<500 where !process.text.contains("\n") {
            guard process.isRunning else { throw Failure("yonder did not start: \(process.problemText)") }
            try await Task.sleep(for: .milliseconds(10))
        }
        return Server(port: port, process: process)
    }

    func end() async {
        await server.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    func token(_ user: String) -> String {
        signer.token(
            TokenClaims(
                user: UserId(user)!, issuedAt: .now, expiresAt: Timestamp.now.advanced(bySeconds: 86_400)))
    }

    /// Lets `count` people, `sharer-0` and so on, share live in one channel, as messages `s0` and so on;
    /// `viewer` owns it.
    func share(count: Int) async throws {
        let names = (0..<count).map { "sharer-\($0)" }
        for name in names { try await post("/v1/devices", as: name, #"{"id":"d","platform":"linux"}"#) }
        let members = names.map { #""\#($0)""# }.joined(separator: ",")
        try await post(
            "/v1/channels", as: "viewer", #"{"type":"team","id":"bench","members":[\#(members)]}"#)
        let end = Timestamp.now.advanced(bySeconds: 3_600).rfc3339
        for (index, name) in names.enumerated() {
            try await post(
                "/v1/channels/\(Self.channel)/messages", as: name,
                #"""
                {"id":"s\#(index)","shared_location":{"latitude":60,"longitude":25,"device_id":"d",\#
                "end_at":"\#(end)"}}
                """#)
        }
    }

    /// Lets the owner say something in the channel.
    func say(_ text: String) async throws {
        try await post("/v1/channels/\(Self.channel)/messages", as: "viewer", #"{"text":"\#(text)"}"#)
    }

    /// Lets `count` people share live in channels of ten, fed by a device that has a key; theirs, in order.
    func connectApps(count: Int) async throws -> [String] {
        var keys: [String] = []
        let end = Timestamp.now.advanced(bySeconds: 3_600).rfc3339
        for group in stride(from: 0, to: count, by: 10) {
            let names = (group..<min(count, group + 10)).map { "sharer-\($0)" }
            for name in names { try await post("/v1/devices", as: name, #"{"id":"d"}"#) }
            let members = names.map { #""\#($0)""# }.joined(separator: ",")
            try await post(
                "/v1/channels", as: names[0], #"{"type":"team","id":"g\#(group)","members":[\#(members)]}"#)
            for name in names {
                try await post(
                    "/v1/channels/team:g\(group)/messages", as: name,
                    #"""
                    {"id":"m-\#(name)","shared_location":{"latitude":60,"longitude":25,"device_id":"d",\#
                    "end_at":"\#(end)"}}
                    """#)
                let made = try await post("/v1/devices/d/ingest-key", as: name, "{}")
                let answer = try JSONSerialization.jsonObject(with: Data(made)) as? [String: String]
                keys.append(answer?["key"] ?? "")
            }
        }
        return keys
    }

    /// The times of a sharer's trail, milliseconds since 1970.
    func trailTimes(of user: String) async throws -> Set<Int64> {
        let bytes = try await ask("GET", "/v1/messages/m-\(user)/trail", as: user, expecting: 200)
        let trail = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        let times = (trail?["properties"] as? [String: Any])?["coordTimes"] as? [String] ?? []
        return Set(times.compactMap { Timestamp(rfc3339: $0)?.milliseconds })
    }

    @discardableResult
    private func post(_ path: String, as user: String, _ json: String) async throws -> [UInt8] {
        try await ask("POST", path, as: user, json, expecting: 201)
    }

    private func ask(
        _ method: String, _ path: String, as user: String, _ json: String? = nil, expecting status: Int
    ) async throws -> [UInt8] {
        let response = try await http.perform(
            CurlRequest(
                method: method, url: "http://127.0.0.1:\(server.port)\(path)",
                headers: [
                    ("Authorization", "Bearer \(token(user))"), ("Content-Type", "application/json"),
                ],
                body: json.map { Array($0.utf8) }))
        guard response.status == status else {
            throw Failure("\(path): \(response.status) \(String(decoding: response.body, as: UTF8.self))")
        }
        return response.body
    }
}
