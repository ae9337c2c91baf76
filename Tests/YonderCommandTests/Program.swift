import Foundation
import Synchronization
import Testing
import YonderCurl

/// The built program as a process of its own, its output gathered line by line.
///
/// Sendable although `Process` is not: once it runs, only its number and its end are used.
final class Program: @unchecked Sendable {
    private let process = Process()
    private let output = Mutex("")
    private let problems = Mutex("")

    /// Where the built program lies: beside the tests.
    private static var url: URL {
        let tests = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        return (tests ?? URL(filePath: CommandLine.arguments[0])).deletingLastPathComponent()
            .appending(path: "yonder")
    }

    init(_ arguments: [String], environment: [String: String] = [:], readsOutput: Bool = true) throws {
        process.executableURL = Self.url
        process.arguments = arguments
        process.environment = environment
        if readsOutput {
            process.standardOutput = gather { [weak self] text in self?.output.withLock { $0 += text } }
        } else {
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            process.standardOutput = pipe
        }
        process.standardError = gather { [weak self] text in self?.problems.withLock { $0 += text } }
        try process.run()
    }

    private func gather(_ take: @escaping @Sendable (String) -> Void) -> Pipe {
        let pipe = Pipe()
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            take(String(decoding: data, as: UTF8.self))
        }
        return pipe
    }

    var text: String { output.withLock { $0 } }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
    var problemText: String { problems.withLock { $0 } }

    /// Waits until the output holds something, so many times.
    func waits(for part: String, times: Int = 1, in seconds: Double = 10) async throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while text.ranges(of: part).count < times {
            try #require(ContinuousClock.now < deadline, "no '\(part)' in: \(text) \(problemText)")
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Waits until standard error holds something: it may arrive after the process has ended.
    func says(_ part: String, in seconds: Double = 2) async throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while !problemText.contains(part), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits for its end.
    ///
    /// - Returns: Its exit status; -1 after a signal.
    func status() async throws -> Int32 {
        let deadline = ContinuousClock.now + .seconds(20)
        while process.isRunning {
            if ContinuousClock.now > deadline { send(SIGKILL) }
            try await Task.sleep(for: .milliseconds(10))
        }
        return process.terminationReason == .exit ? process.terminationStatus : -1
    }
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

    private static let secret = ["YONDER_SECRET": "a secret of at least thirty-two bytes"]

    /// Starts a server on a folder's data.
    static func serve(in folder: URL, at address: String) throws -> Program {
        try Program(
            ["serve", "--listen", address, "--data", folder.appending(path: "data").path()],
            environment: secret)
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
