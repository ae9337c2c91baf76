import Foundation
import Testing
import YonderModel
import YonderRules

@testable import YonderServer

/// Invites: joining a channel from a link, with an account or without one.
struct InviteTests {
    private let path = "/v1/channels/team:x/invites"

    private func accept(
        _ server: TestServer, _ code: String, name: String? = nil, key: String? = nil, as user: String? = nil
    ) async throws -> Answer {
        let fields = [("code", code), ("name", name), ("key", key)]
            .compactMap { key, value in value.map { "\"\(key)\":\"\($0)\"" } }
        return try await server.call(
            "POST", "/v1/invites/accept", as: user, json: "{\(fields.joined(separator: ","))}")
    }

    @Test func `somebody new comes in by an invite, once, and is told of`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            let socket = try await server.watch("anna")
            let made = try await server.call("POST", path, as: "anna", json: "{}").expect(201)
            let code = try #require(made.string("code"))
            #expect(made.string("url") == "\(server.base)/join#\(code)" && made.number("uses") == 1)
            let week = try #require(made.string("expires_at").flatMap(Timestamp.init(rfc3339:)))
            #expect(abs(week.date.timeIntervalSinceNow - 604_800) < 5)
            let joined = try await accept(server, code, name: "Zoë", key: "0123456789abcdef").expect(201)
            let id = try #require(joined.string("user", "id"))
            let token = try #require(joined.string("token"))
            #expect(joined.string("user", "name") == "Zoë")
            #expect(await eventually { socket.events("member.added").count == 1 })
            #expect(socket.events("member.added").first?.string("member", "user", "id") == id)
            let bearer = [(name: "Authorization", value: "Bearer \(token)")]
            let channels = try await server.call("GET", "/v1/channels", headers: bearer).expect(200)
            #expect(channels.string("channels", "0", "id") == "team:x")
            // The answer was lost: the same code and key give the same user, another key gives nobody.
            let again = try await accept(server, code, name: "Zoë", key: "0123456789abcdef").expect(200)
            #expect(again.string("user", "id") == id && again.string("token") != nil)
            try await accept(server, code, name: "Eve", key: "another key, as long").expect(404)
            #expect(try await server.call("GET", path, as: "anna").expect(200).count("invites") == 0)
            socket.close()
        }
    }

    @Test func `with a token one joins as oneself, and a member's joining uses nothing up`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let made = try await server.call("POST", path, as: "anna", json: #"{"uses":2}"#).expect(201)
            let code = try #require(made.string("code"))
            for user in ["bo", "cy", "cy", "dee"] {
                let joined = try await accept(server, code, as: user).expect(200)
                #expect(joined.string("user", "id") == user && joined.json["token"] == nil)
            }
            try await accept(server, code, as: "eve").expect(404, code: "not_found")
            let members = try await server.call("GET", "/v1/channels/team:x/members", as: "anna")
            #expect(members.count("members") == 4)
            let expired = server.token("anna", expiresIn: -1)
            try await server.call(
                "POST", "/v1/invites/accept", json: #"{"code":"\#(code)"}"#,
                headers: [("Authorization", "Bearer \(expired)")]
            ).expect(401, code: "token_expired")
        }
    }

    @Test func `an invite that is revoked, over or made up lets nobody in`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna", "bo"])
            let first = try await server.call("POST", path, as: "anna", json: #"{"uses":5}"#).expect(201)
            let second = try await server.call(
                "POST", path, as: "anna", json: #"{"uses":5,"expires_in_seconds":60}"#
            ).expect(201)
            let list = try await server.call("GET", path, as: "anna").expect(200)
            #expect(list.count("invites") == 2 && list.number("invites", "0", "used") == 0)
            #expect(!list.text.contains(first.string("code") ?? "?"))
            let id = first.string("id") ?? ""
            try await server.call("DELETE", "\(path)/\(id)", as: "anna").expect(204)
            try await server.call("DELETE", "\(path)/\(id)", as: "anna").expect(404)
            clock.advance(61)
            for code in [first.string("code"), second.string("code"), "made up"] {
                try await accept(server, code ?? "", name: "Eve", key: "0123456789abcdef").expect(
                    404, code: "not_found")
            }
        }
    }

    @Test func `the owner and moderators invite, others do not, and wrong values are named`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo", "cy"])
            try await server.call(
                "PUT", "/v1/channels/team:x/members/bo", as: "anna", json: #"{"role":"moderator"}"#
            ).expect(200)
            try await server.call("POST", path, as: "bo", json: "{}").expect(201)
            try await server.call("POST", path, as: "cy", json: "{}").expect(403, code: "forbidden")
            try await server.call("GET", path, as: "cy").expect(403)
            try await server.call("POST", path, as: "dee", json: "{}").expect(404)
            for (json, field) in [
                (#"{"uses":0}"#, "/uses"), (#"{"uses":1001}"#, "/uses"),
                (#"{"expires_in_seconds":59}"#, "/expires_in_seconds"),
                (#"{"expires_in_seconds":1e9}"#, "/expires_in_seconds"),
            ] {
                try await server.call("POST", path, as: "anna", json: json).expect(
                    422, code: "invalid_argument", field: field)
            }
            let code = try await server.call("POST", path, as: "anna", json: "{}").string("code") ?? ""
            try await accept(server, code, key: "0123456789abcdef").expect(422, field: "/name")
            try await accept(server, code, name: "", key: "0123456789abcdef").expect(422, field: "/name")
            try await accept(server, code, name: "Eve", key: "short").expect(422, field: "/key")
            try await accept(server, code, name: "Eve").expect(422, field: "/key")
            try await server.call("POST", "/v1/invites/accept", json: "{}").expect(422, field: "/code")
        }
    }

    @Test func `who is removed or no moderator any more lets nobody in, least of all oneself`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo", "cy"])
            var codes: [String] = []
            for user in ["bo", "cy"] {
                try await server.call(
                    "PUT", "/v1/channels/team:x/members/\(user)", as: "anna", json: #"{"role":"moderator"}"#
                ).expect(200)
                codes.append(
                    try await server.call("POST", path, as: user, json: #"{"uses":9}"#).string("code") ?? "")
            }
            try await server.call("DELETE", "/v1/channels/team:x/members/bo", as: "anna").expect(204)
            try await server.call(
                "PUT", "/v1/channels/team:x/members/cy", as: "anna", json: #"{"role":"member"}"#
            ).expect(200)
            for code in codes { try await accept(server, code, as: "bo").expect(404) }
        }
    }

    @Test func `invites that are used up make room for others`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            for number in 0..<101 {
                let made = try await server.call("POST", path, as: "anna", json: "{}").expect(201)
                try await accept(server, made.string("code") ?? "", as: "user\(number)").expect(200)
            }
            for _ in 0..<100 { try await server.call("POST", path, as: "anna", json: "{}").expect(201) }
            try await server.call("POST", path, as: "anna", json: "{}").expect(409, code: "conflict")
        }
    }

    @Test func `two who come by the last use at once are one`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            let code = try await server.call("POST", path, as: "anna", json: #"{"uses":3}"#).string("code")
            let statuses = await withTaskGroup(of: Int?.self, returning: [Int].self) { group in
                for number in 0..<12 {
                    group.addTask {
                        try? await accept(
                            server, code ?? "", name: "P\(number)", key: "key of somebody \(number)"
                        ).status
                    }
                }
                return await group.reduce(into: []) { $0.append($1 ?? 0) }
            }
            #expect(statuses.filter { $0 == 201 }.count == 3 && statuses.filter { $0 == 404 }.count == 9)
        }
    }
}
