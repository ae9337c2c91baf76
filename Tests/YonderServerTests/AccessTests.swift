import Testing
import YonderModel

@testable import YonderServer

struct AccessTests {
    private static let routes = [
        ("GET", "/v1/users/me"), ("PATCH", "/v1/users/me"), ("PUT", "/v1/users/anna"), ("GET", "/v1/devices"),
        ("POST", "/v1/devices"), ("GET", "/v1/channels"), ("POST", "/v1/channels"),
        ("GET", "/v1/channels/team:x"), ("GET", "/v1/channels/team:x/members"),
        ("PUT", "/v1/channels/team:x/members/anna"), ("DELETE", "/v1/channels/team:x/members/anna"),
        ("GET", "/v1/channels/team:x/messages"), ("POST", "/v1/channels/team:x/messages"),
        ("GET", "/v1/messages/m"), ("PUT", "/v1/live-locations"), ("GET", "/v1/live-locations"),
        ("DELETE", "/v1/live-locations"), ("DELETE", "/v1/messages/m/live-location"), ("GET", "/v1/events"),
    ]

    @Test func `without a valid token nothing is told`() async throws {
        try await TestServer.run { server in
            let expired = server.token("anna", expiresIn: -1)
            let good = server.token("anna")
            for (method, path) in Self.routes {
                try await server.call(method, path).expect(401, code: "unauthenticated")
                for (value, code) in [
                    ("Bearer \(expired)", "token_expired"), ("Bearer \(good)x", "unauthenticated"),
                    ("Bearer", "unauthenticated"), ("Basic \(good)", "unauthenticated"),
                    (good, "unauthenticated"),
                ] {
                    let answer = try await server.call(
                        method, path, headers: [(name: "Authorization", value: value)])
                    answer.expect(401, code: code)
                    #expect(answer.header("www-authenticate") == "Bearer")
                }
            }
        }
    }

    @Test func `a valid token whose user is unknown makes that user`() async throws {
        try await TestServer.run { server in
            let me = try await server.call("GET", "/v1/users/me", as: "new.user@x").expect(200)
            #expect(me.string("id") == "new.user@x" && me.string("name") == "new.user@x")
            #expect(me.string("role") == "user" && me.string("created_at") != nil)
        }
    }

    @Test func `only an admin makes users`() async throws {
        try await TestServer.run { server in
            try await server.call("PUT", "/v1/users/bo", as: "anna", json: "{}").expect(
                403, code: "forbidden")
            let made = try await server.call(
                "PUT", "/v1/users/bo", as: "root", role: .admin, json: #"{"name":"Bo"}"#)
            made.expect(201)
            #expect(made.string("name") == "Bo")
            try await server.call("PUT", "/v1/users/bo", as: "root", role: .admin, json: #"{"name":"Bo B"}"#)
                .expect(200)
            try await server.call("PUT", "/v1/users/b%20o", as: "root", role: .admin, json: "{}").expect(404)
        }
    }

    @Test func `every answer has an id, and an unknown address or method says so`() async throws {
        try await TestServer.run { server in
            let missing = try await server.call("GET", "/v1/nothing", as: "anna").expect(
                404, code: "not_found")
            #expect(missing.header("x-request-id") == missing.string("request_id"))
            let method = try await server.call("POST", "/v1/users/me", as: "anna")
                .expect(405, code: "method_not_allowed")
            #expect(method.header("allow") == "GET, PATCH, PUT")
            for path in ["/healthz", "/readyz"] {
                let health = try await server.call("GET", path).expect(200)
                #expect(health.string("status") == "ok" && health.header("x-request-id") != nil)
            }
        }
    }

    @Test func `a channel that is not mine does not exist for me`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            try await server.share("anna", id: "m").expect(201)
            for (method, path) in Self.routes
            where path.contains("team:x") || path.contains("messages/m") {
                let json = method == "POST" ? #"{"text":"hi"}"# : nil
                try await server.call(method, path, as: "eve", json: json).expect(404, code: "not_found")
            }
        }
    }

    @Test func `names are set and checked`() async throws {
        try await TestServer.run { server in
            let long = String(repeating: "ä", count: 200)
            let me = try await server.call("PATCH", "/v1/users/me", as: "anna", json: #"{"name":"\#(long)"}"#)
            #expect(me.expect(200).string("name") == long)
            for json in [#"{"name":""}"#, #"{"name":"\#(long)x"}"#, #"{"name":7}"#, "{}"] {
                try await server.call("PATCH", "/v1/users/me", as: "anna", json: json)
                    .expect(422, code: "invalid_argument", field: "/name")
            }
        }
    }
}
