import Foundation
import Testing
import YonderCurl
import YonderLocation

@testable import YonderServer

struct PageTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs `body` against a server with the page of this checkout and a library folder of the test's own.
    private func serve(_ body: (TestServer) async throws -> Void) async throws {
        let vendor = NSTemporaryDirectory() + "yonder-vendor-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: vendor, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: vendor) }
        try Data("// a library".utf8).write(to: URL(fileURLWithPath: vendor + "/library.js"))
        try Data("secret".utf8).write(to: URL(fileURLWithPath: vendor + "/notes.private"))
        try await TestServer.run(configure: { configuration in
            configuration.page = PageFiles(web: Self.root.appendingPathComponent("Web").path, vendor: vendor)
        }) { server in
            try await body(server)
        }
    }

    @Test func `the page needs no token and says what it may load`() async throws {
        try await serve { server in
            let page = try await server.call("GET", "/").expect(200)
            #expect(page.text.hasPrefix("<!doctype html>"))
            #expect(page.header("content-type") == "text/html; charset=utf-8")
            let policy = try #require(page.header("content-security-policy"))
            #expect(policy.contains("default-src 'none'") && !policy.contains("'unsafe-eval'"))
            #expect(page.header("referrer-policy") == "no-referrer")
            #expect(page.header("x-content-type-options") == "nosniff")
            let script = try await server.call("GET", "/assets/app.js").expect(200)
            #expect(script.header("content-type") == "text/javascript; charset=utf-8")
            try await server.call("GET", "/assets/vendor/library.js").expect(200)
        }
    }

    @Test func `a file that has not changed is not sent again`() async throws {
        try await serve { server in
            let tag = try #require(try await server.call("GET", "/assets/app.js").header("etag"))
            let again = try await server.call(
                "GET", "/assets/app.js", headers: [(name: "If-None-Match", value: tag)])
            #expect(again.expect(304).response.body.isEmpty)
        }
    }

    @Test(arguments: [
        "/assets/", "/assets/nothing.js", "/assets/views", "/assets/../Package.swift",
        "/assets/%2e%2e/Package.swift", "/assets/..%2fPackage.swift", "/assets/vendor/notes.private",
        "/assets/vendor/..%2f..%2fetc/passwd", "/assets/%00app.js", "/assets//app.js/", "/index.html",
    ])
    func `no other file leaves the folders`(path: String) async throws {
        try await serve { server in
            let answer = try await server.call("GET", path)
            // nginx itself takes no zero byte.
            let isRefused = answer.status == 404 || answer.status == 400 && server.front != nil
            #expect(isRefused, "\(path): \(answer.status)")
        }
    }

    @Test func `tiles and styles of a map are served`() async throws {
        let folder = Self.root.appendingPathComponent(".cache/map").path
        let isThere = FileManager.default.fileExists(atPath: folder + "/helsinki.pmtiles")
        try #require(isThere || ProcessInfo.processInfo.environment["CI"] == nil, "run script/setup first")
        guard isThere else { return print("skipped: no map; run script/setup first") }
        try await TestServer.run(configure: { $0.mapFolder = folder }) { server in
            for appearance in ["light", "dark"] {
                let style = try await server.call("GET", "/map/style-\(appearance).json").expect(200)
                #expect(style.number("version") == 8 && style["glyphs"] == nil)
            }
            let path = "/tiles/helsinki/14/9326/4742.mvt"
            let plain = try await server.call("GET", path).expect(200)
            #expect(plain.header("content-encoding") == nil && plain.response.body.count > 1000)
            let packed = try await server.call(
                "GET", path, headers: [(name: "Accept-Encoding", value: "gzip")]
            ).expect(200)
            #expect(packed.header("content-encoding") == "gzip")
            #expect(packed.response.body.starts(with: [0x1F, 0x8B]))
            #expect(packed.response.body.count < plain.response.body.count)
            try await server.call("GET", "/tiles/helsinki/14/0/0.mvt").expect(204)
            for path in [
                "/tiles/nowhere/1/0/0.mvt", "/tiles/helsinki/14/9326/4742", "/tiles/helsinki/x/0/0.mvt",
                "/tiles/helsinki/14/9326/-.mvt",
            ] { try await server.call("GET", path).expect(404) }
            try await server.call("GET", "/tiles/helsinki/99/-1/0.mvt").expect(204)
        }
    }
}

struct DemoTests {
    @Test func `the walk is closed, small and has a name for its makers`() throws {
        let bytes = PackageResources.helsinki_walk_gpx
        #expect(bytes.count < 40_000)
        #expect(String(decoding: bytes, as: UTF8.self).contains("OpenStreetMap contributors"))
        let document = try GPXReader.read(Data(bytes))
        let points = document.tracks.flatMap(\.segments).flatMap(\.points)
        #expect(document.issues.isEmpty && points.count > 50)
        #expect(points.first?.coordinate == points.last?.coordinate)
    }

    @Test func `the demo has people, a channel and a walker who shares`() async throws {
        try await TestServer.run(configure: { $0.demo = true }) { server in
            let channel = try await server.call("GET", "/v1/channels/messaging:demo", as: "friend").expect(
                200)
            #expect(channel.number("member_count") == 3)
            let socket = try await TestSocket.connect(server.base, token: server.token("friend"))
            socket.send(#"{"op":"subscribe","id":1,"channels":["messaging:demo"]}"#)
            let moved = await eventually(within: 10) { socket.events("location.updated").count >= 3 }
            #expect(moved)
            let places = socket.events("location.updated").compactMap { $0.number("latitude") }
            #expect(Set(places).count == places.count)
            socket.close()
        }
    }
}
