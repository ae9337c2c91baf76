import Foundation
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
            #expect(method.header("allow") == "GET, PATCH, DELETE")
            // `me` is the caller, no user whom an admin could put.
            try await server.call("PUT", "/v1/users/me", as: "root", role: .admin, json: "{}").expect(405)
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

    /// The smallest PNG: one pixel.
    private static let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

    @Test func `an image is kept, shown with the user wherever one stands, and taken away`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let image = "data:image/png;base64,\(Self.png)"
            let me = try await server.call(
                "PATCH", "/v1/users/me", as: "anna", json: #"{"image":"\#(image)"}"#)
            #expect(me.expect(200).string("image") == image)
            let message = try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "anna", json: #"{"text":"hi"}"#
            ).expect(201)
            #expect((message.json["user"] as? [String: Any])?["image"] as? String == image)
            let members = try await server.call("GET", "/v1/channels/team:x/members", as: "bo").expect(200)
            let users = (members.json["members"] as? [[String: Any]])?.map { $0["user"] as? [String: Any] }
            #expect(users?.compactMap { $0?["image"] as? String } == [image])
            let socket = try await TestSocket.connect(server.base, token: server.token("anna"))
            #expect(await eventually { socket.events("hello").first?.string("user", "image") == image })
            socket.close()
            // A new name leaves the image as it is; an empty one takes it away.
            let renamed = try await server.call("PATCH", "/v1/users/me", as: "anna", json: #"{"name":"A"}"#)
            #expect(renamed.expect(200).string("image") == image)
            let bare = try await server.call("PATCH", "/v1/users/me", as: "anna", json: #"{"image":""}"#)
            #expect(bare.expect(200).string("image") == nil)
        }
    }

    @Test func `an image is a small PNG, JPEG or WebP and nothing else`() async throws {
        try await TestServer.run { server in
            let large = Data([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 32_766)).base64EncodedString()
            let fits = Data([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 32_765)).base64EncodedString()
            for image in [
                "https://example.org/a.png", "data:image/svg+xml;base64,PHN2Zz4=", "data:image/png;base64,%%",
                "data:image/jpeg;base64,\(Self.png)", "data:image/png,\(Self.png)", "x",
                "data:image/jpeg;base64,\(large)", "data:image/png\u{37E}base64,\(Self.png)",
            ] {
                try await server.call("PATCH", "/v1/users/me", as: "anna", json: #"{"image":"\#(image)"}"#)
                    .expect(422, code: "invalid_argument", field: "/image")
            }
            let webp = Data("RIFF....WEBP".utf8).base64EncodedString()
            for image in ["data:image/webp;base64,\(webp)", "data:image/jpeg;base64,\(fits)"] {
                try await server.call("PATCH", "/v1/users/me", as: "anna", json: #"{"image":"\#(image)"}"#)
                    .expect(200)
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
