import Foundation
import Testing
import YonderCurl
import YonderModel
import YonderRules
import YonderTestSupport

@testable import YonderServer

/// The built program `yonder serve` as a process of its own.
final class ServerProcess: Sendable {
    /// Where its clients go.
    let base: String
    /// What stands before it.
    let front: Nginx?
    private let process: ChildProcess
    private let http: CurlHTTP
    private let signer = TokenSigner(secret: TestServer.secret)!

    /// Starts it on a free port and waits until it says where.
    ///
    /// - Parameters:
    ///   - folder: For its data.
    ///   - minimumLiveSeconds: Shortest live share. Default 1, so that tests see one end.
    ///   - environment: Further settings, or others.
    ///   - isBehindNginx: Whether nginx stands before it. Default: where all tests go through nginx.
    /// - Throws: Where it does not start.
    init(
        folder: String, minimumLiveSeconds: Int = 1, environment: [String: String] = [:],
        isBehindNginx: Bool = TestFront.isAsked
    ) async throws {
        var environment = environment
        let publicURL = isBehindNginx ? try TestFront.publicURL() : nil
        if let publicURL {
            environment.merge(["YONDER_PROXY": TestFront.proxy, "YONDER_PUBLIC_URL": publicURL]) { $1 }
        }
        let process = try ChildProcess(
            ChildProcess.yonder, ["serve"],
            environment: [
                "YONDER_SECRET": String(decoding: TestServer.secret, as: UTF8.self),
                "YONDER_LISTEN": "127.0.0.1:0", "YONDER_DATA": folder, "YONDER_RATE_LIMIT": "off",
                "YONDER_MIN_LIVE_SECONDS": String(minimumLiveSeconds),
            ].merging(environment) { $1 })
        self.process = process
        _ = await eventually(within: 20) { process.text.contains("\n") || !process.isRunning }
        let word = process.text.split { $0.isWhitespace || $0 == ")" }.first { $0.hasPrefix("http://") }
        let plain = String(
            try #require(word, "the server did not say where it listens: \(process.problemText)"))
        front = try await TestFront.start(before: plain, at: publicURL)
        base = front?.base ?? plain
        http = CurlHTTP(caFile: TestCertificate.file(for: base))
    }

    /// Its log so far.
    var log: String { process.problemText }

    /// Ends it as a power cut would.
    func killNow() async {
        await killProgram()
        await front?.stop()
    }

    /// The same, but leaves standing what stands before it.
    func killProgram() async {
        process.send(SIGKILL)
        _ = await process.status()
    }

    /// Asks it to end.
    ///
    /// - Returns: Its exit status.
    func stop() async -> Int32 {
        process.send(SIGTERM)
        let status = await process.status()
        await front?.stop()
        return status
    }

    /// Makes one request; `nil` where there was no answer.
    func call(
        _ method: String, _ path: String, as user: String, json: String? = nil, over client: CurlHTTP? = nil
    ) async
        -> Answer?
    {
        let claims = TokenClaims(
            user: UserId(user)!, issuedAt: .now, expiresAt: Timestamp.now.advanced(bySeconds: 3600))
        let response = try? await (client ?? http).perform(
            CurlRequest(
                method: method, url: base + path,
                headers: [
                    ("Authorization", "Bearer \(signer.token(claims))"), ("Content-Type", "application/json"),
                ],
                body: json.map { Array($0.utf8) }, timeout: .seconds(10)))
        // The way in which nginx says that there was no answer.
        if front != nil, let status = response?.status, [502, 504].contains(status) { return nil }
        return response.map(Answer.init)
    }
}
