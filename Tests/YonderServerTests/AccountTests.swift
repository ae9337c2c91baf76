import Foundation
import Testing
import YonderCurl
import YonderModel
import YonderRules
import YonderTestSupport

@testable import YonderServer

/// One user on several devices and in a browser, and the account's end.
struct AccountTests {
    private func bearer(_ token: String?) -> [(name: String, value: String)] {
        [("Authorization", "Bearer \(token ?? "")")]
    }

    @Test func `a token is renewed, a login code works once and for ten minutes`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            let renewed = try await server.call("POST", "/v1/token", as: "anna").expect(200).string("token")
            clock.advance(89 * 86_400)
            let me = try await server.call("GET", "/v1/users/me", headers: bearer(renewed)).expect(200)
            #expect(me.string("id") == "anna")
            clock.advance(86_401)
            try await server.call("GET", "/v1/users/me", headers: bearer(renewed)).expect(401)
            let made = try await server.call("POST", "/v1/users/me/login-links", as: "anna").expect(201)
            let code = try #require(made.string("code"))
            #expect(made.string("url") == "\(server.base)/#login=\(code)")
            #expect(made.string("expires_at") == clock.now.advanced(bySeconds: 600).rfc3339)
            let json = #"{"code":"\#(code)"}"#
            let entered = try await server.call("POST", "/v1/login", json: json).expect(200)
            #expect(entered.string("user", "id") == "anna")
            try await server.call("GET", "/v1/users/me", headers: bearer(entered.string("token"))).expect(200)
            try await server.call("POST", "/v1/login", json: json).expect(404, code: "not_found")
            let late = try await server.call("POST", "/v1/users/me/login-links", as: "anna").string("code")
            clock.advance(601)
            try await server.call("POST", "/v1/login", json: #"{"code":"\#(late ?? "")"}"#).expect(404)
        }
    }

    @Test func `a browser's session reads as it is, and writes with its header alone`() async throws {
        try await TestServer.run { server in
            let origin = (name: "Origin", value: server.base)
            let foreign = (name: "Origin", value: "https://evil.example")
            func session(_ headers: [(name: String, value: String)] = []) async throws -> Answer {
                try await server.call(
                    "POST", "/v1/session", headers: bearer(server.token("anna")) + headers)
            }
            try await session([foreign]).expect(403, code: "forbidden")
            let set = try #require(try await session([origin]).expect(204).header("set-cookie"))
            for part in ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=86"] {
                #expect(set.contains(part))
            }
            #expect(set.contains("Secure") == server.base.hasPrefix("https:"))
            let cookie = (name: "Cookie", value: String(set.prefix { $0 != ";" }))
            let mine = (name: "X-Yonder", value: "1")
            func call(
                _ method: String, _ path: String, _ headers: [(name: String, value: String)],
                json: String? = nil
            ) async throws -> Answer {
                try await server.call(method, path, json: json, headers: [cookie] + headers)
            }
            #expect(try await call("GET", "/v1/users/me", []).expect(200).string("id") == "anna")
            try await call("GET", "/v1/users/me", [foreign]).expect(403)
            let rename = #"{"name":"A"}"#
            try await call("PATCH", "/v1/users/me", [], json: rename).expect(403, code: "forbidden")
            try await call("PATCH", "/v1/users/me", [mine, foreign], json: rename).expect(403)
            try await call("PATCH", "/v1/users/me", [mine, origin], json: rename).expect(200)
            try await call("POST", "/v1/session", [mine]).expect(401)
            for headers in ["", "Origin: https://evil.example\r\n"] {
                await #expect(throws: TestSocket.Failed.self) {
                    try await TestSocket.connect(
                        server.base, headers: "Cookie: \(cookie.value)\r\n" + headers)
                }
            }
            let socket = try await TestSocket.connect(
                server.base, headers: "Cookie: \(cookie.value)\r\nOrigin: \(server.base)\r\n")
            #expect(await eventually { socket.events("hello").first?.string("user", "id") == "anna" })
            let other = try await TestSocket.connect(server.base, token: server.token("anna"))
            #expect(await eventually { !other.events("hello").isEmpty })
            try await call("DELETE", "/v1/session", [mine]).expect(204)
            #expect(await eventually { socket.closeCode == 4401 })
            #expect(other.closeCode == nil)
            try await call("GET", "/v1/users/me", []).expect(401, code: "unauthenticated")
            try await server.call("DELETE", "/v1/session", as: "anna").expect(404)
            other.close()
        }
    }

    @Test func `a session that is over is taken away, and in nobody's way`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            let invite = try await server.call(
                "POST", "/v1/channels/team:x/invites", as: "anna", json: "{}")
            let set = try await server.call("POST", "/v1/session", headers: bearer(server.token("bo")))
                .header("set-cookie")
            let cookie = (name: "Cookie", value: String(try #require(set).prefix { $0 != ";" }))
            let erased = try await server.call(
                "DELETE", "/v1/users/me", headers: [cookie, (name: "X-Yonder", value: "1")])
            #expect(erased.expect(204).header("set-cookie")?.contains("Max-Age=0") == true)
            let refused = try await server.call("GET", "/v1/users/me", headers: [cookie]).expect(401)
            #expect(refused.header("set-cookie")?.contains("Max-Age=0") == true)
            try await server.call(
                "POST", "/v1/invites/accept",
                json: """
                    {"code":"\(invite.string("code") ?? "")","name":"Bo","key":"0123456789abcdef"}
                    """, headers: [cookie, (name: "X-Yonder", value: "1")]
            ).expect(201)
            try await server.call("PUT", "/v1/channels/team:x/members/bo", as: "anna").expect(404)
        }
    }

    @Test func `what waits behind an account's erasure leaves no way in`() async throws {
        try await TestServer.run { server in
            let token = server.token("anna")
            for number in 0..<40 {
                try await server.call(
                    "POST", "/v1/channels", json: #"{"type":"team","id":"c\#(number)"}"#,
                    headers: bearer(token)
                ).expect(201)
            }
            let ways = ["/v1/token", "/v1/users/me/login-links", "/v1/session"]
            let responses = await withTaskGroup(of: [CurlResponse].self, returning: [CurlResponse].self) {
                group in
                for worker in 0..<8 {
                    group.addTask {
                        var made: [CurlResponse] = []
                        for number in 0..<90 {
                            let path = ways[(number + worker) % 3]
                            let answer = try? await server.call("POST", path, headers: bearer(token))
                            if let answer, answer.status < 400 { made.append(answer.response) }
                        }
                        return made
                    }
                }
                group.addTask {
                    try? await Task.sleep(for: .milliseconds(20))
                    _ = try? await server.call("DELETE", "/v1/users/me", headers: bearer(token))
                    return []
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            let answers = responses.map(Answer.init)
            #expect(!answers.isEmpty && answers.count < 720)
            try await Task.sleep(for: .seconds(1.1))
            for answer in answers {
                if let token = answer.string("token") {
                    try await server.call("GET", "/v1/users/me", headers: bearer(token)).expect(401)
                } else if let code = answer.string("code") {
                    try await server.call("POST", "/v1/login", json: #"{"code":"\#(code)"}"#).expect(404)
                } else if let cookie = answer.header("set-cookie")?.prefix(while: { $0 != ";" }) {
                    try await server.call("GET", "/v1/users/me", headers: [("Cookie", String(cookie))])
                        .expect(401)
                }
            }
        }
    }

    @Test func `over https a session's cookie is for https alone, and lasts as long as the token`()
        async throws
    {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }, configure: { $0.publicURL = "https://yonder.example" })
        {
            server in
            let made = try await server.call(
                "POST", "/v1/session",
                headers: bearer(server.token("anna", expiresIn: 60)) + [("Origin", "https://yonder.example")])
            let set = try #require(made.expect(204).header("set-cookie"))
            #expect(set.hasSuffix("; Secure") && set.contains("Max-Age=60;"))
            let cookie = [(name: "Cookie", value: "a=b; \(set.prefix { $0 != ";" })")]
            try await server.call("GET", "/v1/users/me", headers: cookie).expect(200)
            clock.advance(61)
            try await server.call("GET", "/v1/users/me", headers: cookie).expect(401, code: "token_expired")
        }
    }

    @Test func `an erased account leaves tombstones, no place, no name, and no way in`() async throws {
        let folder = NSTemporaryDirectory() + "yonder-erasure-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let name = "A Very Particular Name"
        try await TestServer.run(folder: folder) { server in
            try await server.makeChannel(["anna", "bo", "cy"])
            try await server.call("PATCH", "/v1/users/me", as: "anna", json: #"{"name":"\#(name)"}"#)
                .expect(200)
            try await server.call(
                "PUT", "/v1/channels/team:x/members/cy", as: "anna", json: #"{"role":"moderator"}"#
            ).expect(200)
            try await server.call("POST", "/v1/channels", as: "anna", json: #"{"type":"team","id":"mine"}"#)
                .expect(201)
            for number in 0..<450 {
                try await server.call(
                    "POST", "/v1/channels/team:x/messages", as: "anna",
                    json: #"{"id":"t\#(number)","text":"a particular text"}"#
                ).expect(201)
            }
            try await server.share("anna", id: "m").expect(201)
            let link = try await server.call("POST", "/v1/messages/m/links", as: "anna", json: "{}")
            let guest = try await TestSocket.connect(server.base, token: link.string("token") ?? "")
            let token = server.token("anna")
            let socket = try await TestSocket.connect(server.base, token: token)
            let friend = try await server.watch("bo")
            let login = try await server.call("POST", "/v1/users/me/login-links", as: "anna")
            try await server.call("DELETE", "/v1/users/me", headers: bearer(token)).expect(204)
            #expect(await eventually { socket.closeCode == 4403 })
            #expect(await eventually { guest.closeCode == 4401 })
            #expect(await eventually { friend.events("member.removed").count == 1 })
            let end = friend.events("location.ended").first
            #expect(end?.string("location", "ended_reason") == "deleted")
            #expect(end?.number("location", "latitude") == nil)
            #expect(friend.events("message.deleted").count == 451)
            #expect(friend.events("member.updated").first?.string("member", "user", "id") == "cy")
            try await server.call("GET", "/v1/users/me", headers: bearer(token)).expect(
                401, code: "unauthenticated")
            try await server.call("POST", "/v1/login", json: #"{"code":"\#(login.string("code") ?? "")"}"#)
                .expect(404)
            let channel = try await server.call("GET", "/v1/channels/team:x", as: "cy").expect(200)
            #expect((channel["capabilities"] as? [String])?.contains("update-channel") == true)
            try await server.call("PATCH", "/v1/channels/team:x", as: "cy", json: #"{"name":"Ours"}"#)
                .expect(200)
            let tomb = try await server.call("GET", "/v1/messages/m", as: "bo").expect(200)
            #expect(tomb.string("deleted_at") != nil && tomb.json["shared_location"] == nil)
            #expect(tomb.string("user", "name") == "Deleted account")
            friend.close()
        }
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let bytes = try Data(contentsOf: URL(filePath: folder).appending(path: file))
            for text in [name, "a particular text"] {
                #expect(bytes.range(of: Data(text.utf8)) == nil, "\(file) holds \(text)")
            }
        }
    }

    @Test func `a token made after the erasure begins anew, older ones stay refused after a restart`()
        async throws
    {
        let clock = TestClock()
        let folder = NSTemporaryDirectory() + "yonder-anew-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var old = ""
        try await TestServer.run(folder: folder, clock: { clock.now }) { server in
            old = server.token("anna")
            try await server.call("DELETE", "/v1/users/me", headers: bearer(old)).expect(204)
        }
        clock.advance(2)
        try await TestServer.run(folder: folder, clock: { clock.now }) { server in
            try await server.call("GET", "/v1/users/me", headers: bearer(old)).expect(401)
            let me = try await server.call("GET", "/v1/users/me", as: "anna").expect(200)
            #expect(me.string("name") == "anna")
            #expect(try await server.call("GET", "/v1/channels", as: "anna").count("channels") == 0)
        }
    }

    @Test func `an export holds what is mine and nothing of others`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "bo", json: #"{"id":"q","text":"bo's text"}"#
            ).expect(201)
            for number in 0..<600 {
                try await server.call(
                    "POST", "/v1/channels/team:x/messages", as: "anna",
                    json: #"{"id":"t\#(number)","text":"mine \#(number)","quoted_message_id":"q"}"#
                ).expect(201)
            }
            let end = Timestamp.now.advanced(bySeconds: 600).rfc3339
            try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "anna",
                json: """
                    {"id":"m","shared_location":{"latitude":60.17,"longitude":24.94,"end_at":"\(end)",
                    "device_id":"anna-phone","keep_trail":true}}
                    """
            ).expect(201)
            try await server.call("DELETE", "/v1/live-locations", as: "anna").expect(204)
            let export = try await server.call("GET", "/v1/users/me/export", as: "anna").expect(200)
            #expect(export.header("content-type") == "application/zip")
            let files = try Unzipped(export.response.body)
            #expect(
                Set(files.names) == ["account.json", "messages.json", "trails/m.gpx", "trails/m.geojson"])
            let messages = try #require(files.text("messages.json"))
            for number in [0, 1, 499, 500, 599] { #expect(messages.contains("\"mine \(number)\"")) }
            #expect(messages.contains("60.17") && !messages.contains("bo's text"))
            #expect(files.text("trails/m.gpx")?.contains(#"lat="60.17""#) == true)
            #expect(files.text("account.json")?.contains("anna-phone") == true)
        }
    }
}

/// A ZIP archive, read by the system's own Python.
struct Unzipped {
    let names: [String]
    private let texts: [String: String]

    init(_ bytes: [UInt8]) throws {
        let path = NSTemporaryDirectory() + "yonder-\(UUID().uuidString).zip"
        try Data(bytes).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let script = """
            import json, sys, zipfile
            z = zipfile.ZipFile(sys.argv[1])
            assert z.testzip() is None
            assert all(i.external_attr >> 16 == 0o100600 for i in z.infolist())
            print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))
            """
        let process = try ChildProcess(
            URL(filePath: "/usr/bin/python3"), ["-c", script, path], environment: [:])
        let deadline = ContinuousClock.now + .seconds(20)
        while process.isRunning, ContinuousClock.now < deadline { usleep(5_000) }
        texts = try JSONDecoder().decode([String: String].self, from: Data(process.text.utf8))
        names = Array(texts.keys)
    }

    func text(_ name: String) -> String? { texts[name] }
}
