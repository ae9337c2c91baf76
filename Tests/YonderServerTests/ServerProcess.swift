import Foundation
import Testing
import YonderCurl
import YonderModel
import YonderRules

@testable import YonderServer

/// The built program `yonder serve` as a process of its own.
///
/// Sendable although `Process` is not: only its identifier and its end are used once it runs.
final class ServerProcess: @unchecked Sendable {
    let base: String
    private let process: Process
    private let http = CurlHTTP()
    private let signer = TokenSigner(secret: TestServer.secret)!

    /// Starts it on a free port and waits until it says where.
    init(folder: String) async throws {
        let process = Process()
        // Built beside the tests.
        let tests = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        process.executableURL = (tests ?? URL(filePath: CommandLine.arguments[0]))
            .deletingLastPathComponent().appending(path: "yonder")
        process.arguments = ["serve"]
        process.environment = [
            "YONDER_SECRET": String(decoding: TestServer.secret, as: UTF8.self),
            "YONDER_LISTEN": "127.0.0.1:0", "YONDER_DATA": folder,
            "YONDER_RATE_LIMIT": "off", "YONDER_MIN_LIVE_SECONDS": "1",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        self.process = process
        base = try await Self.address(output.fileHandleForReading)
    }

    private static func address(_ output: FileHandle) async throws -> String {
        let line = await Task.detached {
            var text = ""
            while !text.contains("\n") {
                let data = output.availableData
                guard !data.isEmpty else { break }
                text += String(decoding: data, as: UTF8.self)
            }
            return text
        }.value
        let word = line.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("http://") }
        return String(try #require(word, "the server did not say where it listens"))
    }

    /// Ends it as a power cut would.
    func killNow() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Asks it to end.
    ///
    /// - Returns: Its exit status.
    func stop() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -1
    }

    /// Makes one request; `nil` where there was no answer.
    func call(_ method: String, _ path: String, as user: String, json: String? = nil) async -> Answer? {
        let claims = TokenClaims(
            user: UserId(user)!, issuedAt: .now, expiresAt: Timestamp.now.advanced(bySeconds: 3600))
        let response = try? await http.perform(
            CurlRequest(
                method: method, url: base + path,
                headers: [
                    ("Authorization", "Bearer \(signer.token(claims))"), ("Content-Type", "application/json"),
                ],
                body: json.map { Array($0.utf8) }, timeout: .seconds(10)))
        return response.map(Answer.init)
    }
}
