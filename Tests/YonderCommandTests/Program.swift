import Foundation
import Testing
import YonderCurl
import YonderTestSupport

/// The built program as a process of its own.
final class Program: Sendable {
    private let process: ChildProcess

    init(_ arguments: [String], environment: [String: String] = [:], readsOutput: Bool = true) throws {
        process = try ChildProcess(
            ChildProcess.yonder, arguments, environment: environment,
            output: readsOutput ? .file : .closedPipe)
    }

    var text: String { process.text }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
    var problemText: String { process.problemText }

    /// Waits until the output holds something, so many times.
    func waits(for part: String, times: Int = 1, in seconds: Double = 20) async throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while text.ranges(of: part).count < times {
            try #require(ContinuousClock.now < deadline, "no '\(part)' in: \(text) \(problemText)")
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    func send(_ signal: Int32) { process.send(signal) }

    /// Waits for its end.
    ///
    /// - Returns: Its exit status; -1 after a signal.
    func status() async throws -> Int32 { await process.status() }
}

/// A server, two users and the channel that both are in.
struct Place {
    let folder: URL
    let server: Program
    let base: String
    let anna: String
    let bob: String

    /// The environment of a user's command.
    func environment(_ token: String) -> [String: String] {
        ["YONDER_SERVER": base, "YONDER_TOKEN": token, "YONDER_CHANNEL": "messaging:berlin"]
    }

    func call(_ method: String, _ path: String, _ token: String, _ json: String? = nil) async throws
        -> [String: Any]
    {
        let answer = try await CurlHTTP().perform(
            CurlRequest(
                method: method, url: base + path,
                headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
                body: json.map { Array($0.utf8) }))
        return try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any] ?? [:]
    }

    static let secret = ["YONDER_SECRET": "a secret of at least thirty-two bytes"]

    /// Starts a server on a folder's data.
    static func serve(in folder: URL, at address: String) throws -> Program {
        try Program(
            ["serve", "--listen", address, "--data", folder.appending(path: "data").path()],
            environment: secret.merging(["YONDER_RATE_LIMIT": "off"]) { $1 })
    }

    /// Ends the server and starts it again on the same data and address.
    func restart() async throws -> Program {
        server.send(SIGKILL)
        #expect(try await server.status() == -1)
        let again = try Self.serve(in: folder, at: String(base.dropFirst("http://".count)))
        try await again.waits(for: "\n")
        return again
    }

    /// Runs `body` beside a server of its own.
    static func run(_ body: (Place) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "yonder-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try serve(in: folder, at: "127.0.0.1:0")
        defer { server.send(SIGKILL) }
        try await server.waits(for: "\n")
        let base = try #require(
            server.text.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("http://") })
        var tokens: [String] = []
        for user in ["anna", "bob"] {
            let token = try Program(["token", "--user", user], environment: secret)
            #expect(try await token.status() == 0)
            try await token.waits(for: "\n")
            tokens.append(token.lines[0])
        }
        let place = Place(folder: folder, server: server, base: String(base), anna: tokens[0], bob: tokens[1])
        _ = try await place.call("GET", "/v1/users/me", place.bob)
        let made = try await place.call(
            "POST", "/v1/channels", place.anna, #"{"type":"messaging","id":"berlin","members":["bob"]}"#)
        #expect(made["id"] as? String == "messaging:berlin")
        try await body(place)
    }
}
