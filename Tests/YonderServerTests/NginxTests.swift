import Foundation
import Testing
import YonderCurl
import YonderTestSupport

@testable import YonderServer

/// The way through nginx in short; `script/test-nginx` takes all tests along it.
@Suite(.enabled(if: Nginx.program != nil, "there is no nginx: run script/setup --nginx"))
struct NginxTests {
    private func serve(
        limits: Bool = false, _ body: (TestServer, Nginx) async throws -> Void
    ) async throws {
        try await TestServer.run(configure: { $0.limitsRates = limits }, isBehindNginx: true) { server in
            try await body(server, try #require(server.front))
        }
    }

    @Test func `writes and a WebSocket go through nginx with TLS`() async throws {
        try await serve { server, _ in
            try await server.makeChannel(["anna", "bo"])
            let watcher = try await server.watch("bo")
            try await server.share("anna", id: "m").expect(201)
            let fix = #"{"latitude":60.5,"longitude":24.9}"#
            let moved = try await server.call("PUT", "/v1/live-locations", as: "anna", json: fix)
            #expect(moved.expect(200).string("applied", "0") == "m")
            #expect(moved.header("strict-transport-security") != nil)
            let isSeen = await eventually {
                watcher.events("location.updated").first?.number("latitude") == 60.5
            }
            #expect(isSeen)
            watcher.send(#"{"op":"ping","id":7}"#)
            #expect(await eventually { watcher.events("ack").contains { $0.number("id") == 7 } })
            watcher.close()
        }
    }

    @Test func `a client without the certificate and one without TLS get nothing`() async throws {
        try await serve { server, nginx in
            let error = await #expect(throws: CurlError.self) {
                try await CurlHTTP().perform(CurlRequest(url: server.base + "/healthz"))
            }
            #expect(error?.code == .untrusted)
            let answer = try await CurlHTTP().perform(CurlRequest(url: nginx.plainBase + "/v1/users/me?a=b"))
            #expect(answer.status == 301)
            #expect(answer.header("location") == "https://yonder.example/v1/users/me?a=b")
        }
    }

    @Test func `an address that a client makes up is not believed`() async throws {
        try await serve(limits: true) { server, _ in
            for number in 0..<20 {
                try await server.call(
                    "POST", "/v1/devices", json: "{}",
                    headers: [(name: "X-Forwarded-For", value: "203.0.113.\(number)")]
                ).expect(401)
            }
            try await server.call(
                "POST", "/v1/devices", json: "{}", headers: [(name: "X-Forwarded-For", value: "203.0.113.99")]
            ).expect(429, code: "rate_limited")
        }
    }

    @Test func `the logs hold no query, no tile and no referrer`() async throws {
        let folder = NSTemporaryDirectory() + "yonder-nginx-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try await ServerProcess(folder: folder, isBehindNginx: true)
        let nginx = try #require(server.front)
        let http = CurlHTTP(caFile: TestCertificate.file.path())
        func get(_ path: String) async throws -> Int {
            try await http.perform(
                CurlRequest(
                    url: server.base + path, headers: [("Referer", "https://x/#hush"), ("X", "hush")])
            ).status
        }
        _ = try await get("/healthz?key=hush&lat=60.1701")
        _ = try await get("/tiles/helsinki/14/9326/4742.mvt")
        await server.killProgram()
        #expect(try await get("/healthz?key=hush&lat=60.1701") == 502)
        await nginx.stop()
        let lines = nginx.accessLog.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix("127.0.0.1 ["))
        #expect(lines[0].contains(#""GET /healthz" 200 "#) && lines[1].contains(#""GET /healthz" 502 "#))
        for word in ["hush", "60.1701", "9326"] {
            #expect(!nginx.accessLog.contains(word) && !nginx.errorLog.contains(word), "\(word)")
        }
    }

    @Test func `the page's files are packed for who takes that, and not sent again`() async throws {
        let web = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Web").path()
        try await TestServer.run(
            configure: { $0.page = PageFiles(web: web, vendor: web) }, isBehindNginx: true
        ) { server in
            let plain = try await server.call("GET", "/assets/app.js").expect(200)
            let packed = try await server.call(
                "GET", "/assets/app.js", headers: [(name: "Accept-Encoding", value: "gzip")]
            ).expect(200)
            #expect(packed.header("content-encoding") == "gzip")
            #expect(packed.response.body.count < plain.response.body.count)
            let tag = try #require(packed.header("etag"))
            try await server.call("GET", "/assets/app.js", headers: [(name: "If-None-Match", value: tag)])
                .expect(304)
        }
    }
}
