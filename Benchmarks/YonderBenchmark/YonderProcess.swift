import Foundation
import YonderCurl
import YonderModel
import YonderRules
import YonderServer
import YonderTestSupport

/// `yonder serve` with its data in a folder of its own, and a channel in which everybody shares.
struct YonderProcess {
    static let channel = "team:bench"

    let server: Server
    private let folder: URL
    private let http = CurlHTTP()
    private let signer: TokenSigner

    /// Starts one.
    ///
    /// - Parameter tick: Milliseconds for which positions are gathered.
    /// - Throws: `Failure` where it does not start.
    init(tick: Int) async throws {
        let secret = "a secret of thirty-two or more bytes"
        signer = TokenSigner(secret: Array(secret.utf8))!
        // Beside the program: a temporary folder may lie in memory.
        folder = Server.program("benchmark-data-\(UUID().uuidString)")
        let port = try LoopbackSocket.freePort()
        let process = try ChildProcess(
            Server.program("yonder"), ["serve"],
            environment: [
                "YONDER_SECRET": secret, "YONDER_LISTEN": "127.0.0.1:\(port)", "YONDER_DATA": folder.path(),
                "YONDER_RATE_LIMIT": "off", "YONDER_TICK_MILLISECONDS": String(tick),
            ])
        server = Server(port: port, process: process)
        for _ in 0..<500 where !process.text.contains("\n") {
            guard process.isRunning else { throw Failure("yonder did not start: \(process.problemText)") }
            try await Task.sleep(for: .milliseconds(10))
        }
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

    private func post(_ path: String, as user: String, _ json: String) async throws {
        let response = try await http.perform(
            CurlRequest(
                method: "POST", url: "http://127.0.0.1:\(server.port)\(path)",
                headers: [
                    ("Authorization", "Bearer \(token(user))"), ("Content-Type", "application/json"),
                ],
                body: Array(json.utf8)))
        guard response.status == 201 else {
            throw Failure("\(path): \(response.status) \(String(decoding: response.body, as: UTF8.self))")
        }
    }
}
