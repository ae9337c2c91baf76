import Foundation
import Testing
import YonderCurl

@testable import YonderServer

/// Who a request comes from, as the limit for strangers sees it. Always without nginx between, since the
/// tests say themselves what a proxy would; `NginxTests` has the same through nginx.
struct ProxyTests {
    /// Writes without a token until one is refused for its number.
    ///
    /// - Returns: How many were not; at most 30.
    private func writes(to server: ServerProcess, forwardedFor address: String) async throws -> Int {
        let http = CurlHTTP()
        for count in 0..<30 {
            let response = try await http.perform(
                CurlRequest(
                    method: "POST", url: server.base + "/v1/devices",
                    headers: [(name: "X-Forwarded-For", value: address)], body: Array("{}".utf8)))
            if response.status == 429 { return count }
            #expect(response.status == 401)
        }
        return 30
    }

    private func serve(trusting proxy: String?, _ body: (ServerProcess) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "yonder-proxy-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var environment = ["YONDER_RATE_LIMIT": "on"]
        environment["YONDER_PROXY"] = proxy
        let server = try await ServerProcess(folder: folder, environment: environment, isBehindNginx: false)
        try await body(server)
        #expect(await server.stop() == 0)
    }

    private func check(_ server: ServerProcess, _ expected: KeyValuePairs<String, Int>) async throws {
        for (address, count) in expected {
            let done = try await writes(to: server, forwardedFor: address)
            #expect(done == count, "\(address)")
        }
    }

    @Test func `strangers behind a trusted proxy are limited each for themselves`() async throws {
        try await serve(trusting: "10.0.0.0/8,127.0.0.1") { server in
            try await check(
                server,
                [
                    "203.0.113.7": 20, "198.51.100.1, 203.0.113.7": 0, "203.0.113.8, 10.0.0.1": 20,
                    "2001:db8::1": 20, "2001:DB8:0::1": 0,
                ])
        }
    }

    @Test(arguments: [nil, "10.0.0.0/8"])
    func `nobody else chooses an address`(proxy: String?) async throws {
        try await serve(trusting: proxy) { server in
            try await check(server, ["203.0.113.7": 20, "203.0.113.8": 0])
        }
    }
}
