import Foundation
import Testing
import YonderModel
import YonderRules
import YonderSQLite

@testable import YonderServer

/// View links: one share for people without an account.
struct LinkTests {
    private func link(
        _ server: TestServer, _ id: String = "m", json: String = "{}"
    ) async throws -> (id: String, token: String, answer: Answer) {
        let made = try await server.call("POST", "/v1/messages/\(id)/links", as: "anna", json: json)
        made.expect(201)
        return (made.string("id") ?? "", made.string("token") ?? "", made)
    }

    private func read(_ server: TestServer, _ path: String, _ token: String) async throws -> Answer {
        try await server.call("GET", path, headers: [("Authorization", "Bearer \(token)")])
    }

    @Test func `a link shows its share and nothing else`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "bo", json: #"{"id":"q","text":"secret"}"#
            ).expect(201)
            let end = Timestamp.now.advanced(bySeconds: 600)
            try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "anna",
                json: """
                    {"id":"m","text":"here","quoted_message_id":"q","shared_location":{"latitude":60.17,
                    "longitude":24.94,"end_at":"\(end.rfc3339)","device_id":"anna-phone","keep_trail":true}}
                    """
            ).expect(201)
            let made = try await link(server)
            #expect(made.answer.string("url") == "\(server.base)/s/m#\(made.token)")
            #expect(made.token.count == 27 && made.answer.string("expires_at") == end.rfc3339)
            let seen = try await read(server, "/v1/messages/m", made.token).expect(200)
            #expect(seen.number("shared_location", "latitude") == 60.17)
            #expect(seen.string("text") == "here" && seen.string("user", "id") == "anna")
            for hidden in ["secret", "anna-phone", "keep_trail", "quoted"] {
                #expect(!seen.text.contains(hidden), "\(hidden)")
            }
            for path in [
                "/v1/messages/q", "/v1/messages/m/trail", "/v1/messages/m/replies", "/v1/channels",
                "/v1/channels/team:x", "/v1/users/me", "/v1/messages/m/links", "/v1/live-locations",
            ] { try await read(server, path, made.token).expect(404, code: "not_found") }
            try await read(server, "/v1/messages/m", made.token + "x").expect(401, code: "unauthenticated")
        }
    }

    @Test func `a guest watches the share until it ends`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            try await server.share("anna", id: "m").expect(201)
            let made = try await link(server)
            let owner = try await TestSocket.connect(server.base, token: server.token("anna"))
            let guest = try await TestSocket.connect(server.base, token: made.token)
            #expect(await eventually { guest.events("hello").count == 1 })
            #expect(guest.events("hello").first?.json["user"] == nil)
            for (command, code) in [
                (#"{"op":"subscribe","id":1,"channels":["team:x"]}"#, "invalid_argument"),
                (#"{"op":"subscribe","id":2,"share":"q"}"#, "not_found"),
                (#"{"op":"fix","id":3,"latitude":1,"longitude":1}"#, "not_found"),
            ] {
                guest.send(command)
                #expect(await eventually { guest.events("error").last?.string("code") == code })
            }
            guest.send(#"{"op":"subscribe","id":4,"share":"m"}"#)
            #expect(await eventually { guest.events("share.state").count == 1 })
            #expect(guest.events("ack").first?.number("id") == 4)
            #expect(guest.events("share.state").first?.number("location", "latitude") == 60.17)
            // Watchers are told of once in five seconds at most.
            #expect(
                await eventually(within: 12) { owner.events("location.watchers").last?.number("count") == 1 })
            try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "bo", json: #"{"text":"not for guests"}"#
            ).expect(201)
            try await server.call(
                "PUT", "/v1/live-locations", as: "anna", json: #"{"latitude":61,"longitude":24}"#
            ).expect(200)
            #expect(await eventually { guest.events("location.updated").last?.number("latitude") == 61 })
            let end = Timestamp.now.advanced(bySeconds: 1_200).rfc3339
            try await server.call(
                "PATCH", "/v1/messages/m/live-location", as: "anna", json: #"{"end_at":"\#(end)"}"#
            ).expect(200)
            #expect(
                await eventually {
                    guest.events("location.changed").last?.string("location", "end_at") == end
                }
            )
            #expect(try await read(server, "/v1/messages/m", made.token).status == 200)
            try await server.call("DELETE", "/v1/live-locations", as: "anna").expect(204)
            #expect(await eventually { guest.closeCode == 4401 })
            #expect(guest.events("location.ended").count == 1)
            #expect(
                !guest.events().contains {
                    ["message.new", "member.added", "channel.state"].contains($0.name)
                })
            try await read(server, "/v1/messages/m", made.token).expect(401, code: "token_expired")
            await #expect(throws: TestSocket.Failed.self) {
                try await TestSocket.connect(server.base, token: made.token)
            }
            owner.close()
        }
    }

    @Test func `a link ends when it is revoked, at its own time, and with its message`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            try await server.share("anna", id: "m").expect(201)
            let revoked = try await link(server)
            let short = try await link(
                server, json: #"{"expires_at":"\#(clock.now.advanced(bySeconds: 60).rfc3339)"}"#)
            let guests = [
                try await TestSocket.connect(server.base, token: revoked.token),
                try await TestSocket.connect(server.base, token: short.token),
            ]
            let list = try await server.call("GET", "/v1/messages/m/links", as: "anna").expect(200)
            let ids = (0..<2).map { list.string("links", String($0), "id") }
            #expect(Set(ids) == [revoked.id, short.id] && list.count("links") == 2)
            #expect(!list.text.contains(revoked.token))
            try await server.call("DELETE", "/v1/messages/m/links/\(revoked.id)", as: "anna").expect(204)
            #expect(await eventually { guests[0].closeCode == 4401 })
            try await server.call("DELETE", "/v1/messages/m/links/\(revoked.id)", as: "anna").expect(404)
            try await read(server, "/v1/messages/m", revoked.token).expect(401, code: "token_expired")
            clock.advance(61)
            try await read(server, "/v1/messages/m", short.token).expect(401, code: "token_expired")
            #expect(await eventually { guests[1].closeCode == 4401 })
            #expect(try await server.call("GET", "/v1/messages/m/links", as: "anna").count("links") == 0)
            // A static location's link lasts seven days, and ends with its message.
            try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "anna",
                json: #"{"id":"s","shared_location":{"latitude":1.5,"longitude":2}}"#
            ).expect(201)
            let fixed = try await link(server, "s")
            let week = clock.now.advanced(bySeconds: 7 * 86_400)
            #expect(fixed.answer.string("expires_at") == week.rfc3339)
            let guest = try await TestSocket.connect(server.base, token: fixed.token)
            guest.send(#"{"op":"subscribe","id":1,"share":"s"}"#)
            #expect(await eventually { guest.events("share.state").count == 1 })
            try await server.call("DELETE", "/v1/messages/s", as: "anna").expect(200)
            #expect(await eventually { guest.closeCode == 4401 })
            try await read(server, "/v1/messages/s", fixed.token).expect(401, code: "token_expired")
        }
    }

    @Test func `a dead link is known for thirty days, and every link outlives a restart`() async throws {
        let clock = TestClock()
        let folder = NSTemporaryDirectory() + "yonder-links-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var tokens: [String] = []
        func run(_ body: (TestServer) async throws -> Void) async throws {
            try await TestServer.run(folder: folder, clock: { clock.now }, body)
        }
        try await run { server in
            try await server.makeChannel(["anna"])
            try await server.share("anna", id: "m").expect(201)
            tokens.append(try await link(server).token)
        }
        try await run { server in
            let guest = try await TestSocket.connect(server.base, token: tokens[0])
            guest.send(#"{"op":"subscribe","id":1,"share":"m"}"#)
            #expect(await eventually { guest.events("share.state").count == 1 })
            try await server.call(
                "PUT", "/v1/live-locations", as: "anna", json: #"{"latitude":61,"longitude":24}"#
            ).expect(200)
            #expect(await eventually { guest.events("location.updated").count == 1 })
            guest.close()
        }
        clock.advance(700)
        for (days, code) in [(29.0, "token_expired"), (2, "unauthenticated")] {
            clock.advance(days * 86_400)
            try await run { server in
                let isSo = await eventually {
                    (try? await read(server, "/v1/messages/m", tokens[0]))?.string("code") == code
                }
                #expect(isSo, "\(code)")
            }
        }
    }

    @Test func `a static location's link goes when its maker leaves, its cell with the position`()
        async throws
    {
        let clock = TestClock()
        let folder = NSTemporaryDirectory() + "yonder-cells-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var token = ""
        func run(_ body: (TestServer) async throws -> Void) async throws {
            try await TestServer.run(
                folder: folder, clock: { clock.now }, configure: { $0.retention.staticDays = 1 }, body)
        }
        try await run { server in
            try await server.makeChannel(["bo", "anna"])
            for id in ["s", "t"] {
                try await server.call(
                    "POST", "/v1/channels/team:x/messages", as: "anna",
                    json: #"{"id":"\#(id)","shared_location":{"latitude":1.5,"longitude":2}}"#
                ).expect(201)
            }
            token = try await link(
                server, "s", json: #"{"expires_at":"2100-01-01T00:00:00Z","precision":"approximate"}"#
            ).token
        }
        clock.advance(2 * 86_400)
        try await run { server in
            let isErased = await eventually {
                (try? await read(server, "/v1/messages/s", token))?["shared_location", "erased"] as? Bool
                    == true
            }
            #expect(isErased)
            let database = try Connection(
                path: folder + "/yonder.sqlite", access: .readOnly, busyMilliseconds: 5_000)
            let cells = try database.query("SELECT count(*) FROM links WHERE latitude IS NOT NULL") { row in
                try row.step() ? row.value(0) as Int : -1
            }
            #expect(cells == 0)
            let other = try await link(server, "t")
            try await server.call("DELETE", "/v1/channels/team:x/members/anna", as: "bo").expect(204)
            for token in [token, other.token] {
                try await read(server, "/v1/messages/s", token).expect(401, code: "token_expired")
            }
        }
    }

    @Test func `links whose time has come make room for others`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            try await server.share("anna", id: "m").expect(201)
            for _ in 0..<25 {
                let end = clock.now.advanced(byMilliseconds: 500).rfc3339
                _ = try await link(server, json: #"{"expires_at":"\#(end)"}"#)
                clock.advance(1)
            }
        }
    }

    @Test func `only the share's owner looks after its links, within bounds`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            try await server.share("anna", id: "m").expect(201)
            try await server.call("POST", "/v1/messages/m/links", as: "bo", json: "{}").expect(403)
            try await server.call("GET", "/v1/messages/m/links", as: "bo").expect(403)
            try await server.call("GET", "/v1/messages/m/audience", as: "bo").expect(403)
            try await server.call("POST", "/v1/messages/m/links", as: "cy", json: "{}").expect(404)
            for (json, field) in [
                (#"{"expires_at":"2020-01-01T00:00:00Z"}"#, "/expires_at"),
                (#"{"expires_at":"tomorrow"}"#, "/expires_at"), (#"{"precision":"vague"}"#, "/precision"),
            ] {
                try await server.call("POST", "/v1/messages/m/links", as: "anna", json: json)
                    .expect(422, code: "invalid_argument", field: field)
            }
            for _ in 0..<20 { _ = try await link(server) }
            try await server.call("POST", "/v1/messages/m/links", as: "anna", json: "{}")
                .expect(409, code: "conflict")
            let audience = try await server.call("GET", "/v1/messages/m/audience", as: "anna").expect(200)
            #expect(audience.number("count") == 21 && audience.count("links") == 20)
            #expect(audience.string("members", "0", "id") == "bo" && audience.count("members") == 1)
            let mine = try await server.call("GET", "/v1/live-locations", as: "anna").expect(200)
            #expect(mine.number("active_live_locations", "0", "audience") == 21)
            try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "anna", json: #"{"id":"t","text":"x"}"#
            )
            .expect(201)
            try await server.call("POST", "/v1/messages/t/links", as: "anna", json: "{}")
                .expect(409, code: "not_live")
            try await server.call("DELETE", "/v1/live-locations", as: "anna").expect(204)
            try await server.call("POST", "/v1/messages/m/links", as: "anna", json: "{}")
                .expect(409, code: "live_location_ended")
        }
    }
}
