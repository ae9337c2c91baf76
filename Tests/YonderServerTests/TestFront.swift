import Foundation
import YonderTestSupport

/// What stands between the tests and their servers: nothing, or nginx with TLS as `docs/DEPLOY.md` has it.
enum TestFront {
    /// Whether all tests go through nginx: `script/test-nginx` says so.
    static let isAsked = ProcessInfo.processInfo.environment["YONDER_TEST_PROXY"] == "nginx"

    /// Whose word the server takes on where a request comes from; that of the nginx of the tests.
    static let proxy = "127.0.0.1"

    /// A public URL for a server that is about to have nginx in front.
    static func publicURL() throws -> String { "https://127.0.0.1:\(try LoopbackPort.free())" }

    /// Puts nginx in front of a server.
    ///
    /// - Parameters:
    ///   - server: Where the server listens, `http://127.0.0.1:PORT`.
    ///   - publicURL: What the server takes itself to be, see ``publicURL()``; `nil` = no nginx.
    /// - Returns: The nginx; `nil` = the tests talk to the server itself.
    /// - Throws: `NginxFailure`.
    static func start(before server: String, at publicURL: String?) async throws -> Nginx? {
        guard let securePort = publicURL.flatMap({ URL(string: $0)?.port }),
            let port = URL(string: server)?.port
        else { return nil }
        return try await Nginx(before: port, securePort: securePort)
    }
}
