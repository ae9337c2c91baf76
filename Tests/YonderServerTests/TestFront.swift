import Foundation
import YonderTestSupport

/// What stands between the tests and their servers: nothing, or nginx with TLS as `docs/DEPLOY.md` has it.
enum TestFront {
    /// Whether all tests go through nginx: `script/test-nginx` says so.
    static let isAsked = ProcessInfo.processInfo.environment["YONDER_TEST_PROXY"] == "nginx"

    /// Whose word the server takes on where a request comes from; that of the nginx of the tests.
    static let proxy = "127.0.0.1"

    /// Puts nginx in front of a server.
    ///
    /// - Parameters:
    ///   - server: Where the server listens, `http://127.0.0.1:PORT`.
    ///   - isWanted: Whether to.
    /// - Returns: The nginx; `nil` = the tests talk to the server itself.
    /// - Throws: `NginxFailure`.
    static func start(before server: String, if isWanted: Bool) async throws -> Nginx? {
        guard isWanted, let port = URL(string: server)?.port else { return nil }
        return try await Nginx(before: port)
    }
}
