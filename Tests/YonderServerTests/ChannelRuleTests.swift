import Foundation
import Testing

@testable import YonderServer

/// Rules of devices, channels and members, one by one, that no other suite meets on its way.
struct ChannelRuleTests {
    private let path = "/v1/channels/team:x/messages"

    @Test func `bodies are small where they are no messages, and strict JSON everywhere`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            let padding = String(repeating: " ", count: 65_600)
            for (method, route) in [
                ("PUT", "/v1/live-locations"), ("POST", "/v1/devices"), ("POST", "/v1/channels"),
            ] {
                try await server.call(method, route, as: "anna", json: "{\(padding)}").expect(
                    413, code: "payload_too_large")
                try await server.call(method, route, as: "anna", json: #"{"name":"a",}"#).expect(
                    400, code: "invalid_json")
            }
        }
    }

    @Test func `devices are each user's own, and a repeat updates one`() async throws {
        try await TestServer.run { server in
            for user in ["anna", "bo"] {
                try await server.call("POST", "/v1/devices", as: user, json: #"{"id":"phone"}"#).expect(201)
            }
            let named = try await server.call(
                "POST", "/v1/devices", as: "anna", json: #"{"id":"phone","name":"Mine","platform":"ios"}"#)
            #expect(named.expect(200).string("name") == "Mine")
            let made = try await server.call("POST", "/v1/devices", as: "anna", json: #"{"name":"2"}"#)
                .expect(201)
            #expect(made.string("id")?.isEmpty == false)
            #expect(try await server.call("GET", "/v1/devices", as: "anna").count("devices") == 2)
            let others = try await server.call("GET", "/v1/devices", as: "bo")
            #expect(
                others.string("devices", "0", "id") == "phone" && others.string("devices", "0", "name") == nil
            )
            try await server.call("DELETE", "/v1/devices/nobody", as: "anna").expect(404)
            for (json, field) in [
                (#"{"id":"a b"}"#, "/id"), (#"{"id":""}"#, "/id"), (#"{"platform":"win"}"#, "/platform"),
                (#"{"name":""}"#, "/name"),
            ] {
                try await server.call("POST", "/v1/devices", as: "anna", json: json).expect(
                    422, code: "invalid_argument", field: field)
            }
        }
    }

    @Test func `a channel is made once, with what was left out by default, and listed for its members alone`()
        async throws
    {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            try await server.call("POST", "/v1/channels", as: "bo", json: #"{"type":"team","id":"x"}"#)
                .expect(
                    409, code: "conflict")
            for (json, field) in [
                (#"{"id":"y"}"#, "/type"), (#"{"type":"T","id":"y"}"#, "/type"),
                (#"{"type":"t","id":"a b"}"#, "/id"),
                (#"{"type":"t","id":"y","name":""}"#, "/name"),
                (#"{"type":"t","id":"y","config":{"max_live_seconds":"9"}}"#, "/config/max_live_seconds"),
            ] {
                try await server.call("POST", "/v1/channels", as: "anna", json: json).expect(
                    422, code: "invalid_argument", field: field)
            }
            let later = try await server.call(
                "POST", "/v1/channels", as: "anna", json: #"{"type":"team","id":"y","members":["bo","bo"]}"#
            ).expect(201)
            #expect(later.string("created_by") == "anna")
            #expect(later.number("member_count") == 2)
            #expect(later.number("config", "max_live_seconds") == 28_800)
            #expect(
                later["config", "shared_locations"] as? Bool == true
                    && later["config", "replies"] as? Bool == true)
            func list(_ user: String) async throws -> [String] {
                let answer = try await server.call("GET", "/v1/channels", as: user).expect(200)
                return (answer.json["channels"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
            }
            #expect(try await list("bo") == ["team:y", "team:x"])
            // Newest activity first; a moving pin is none.
            try await server.share("anna", id: "m").expect(201)
            #expect(try await list("bo") == ["team:x", "team:y"])
            try await server.call("POST", "/v1/channels/team:y/messages", as: "bo", json: #"{"text":"a"}"#)
                .expect(201)
            try await server.call(
                "PUT", "/v1/live-locations", as: "anna", json: #"{"latitude":1,"longitude":2}"#
            )
            .expect(200)
            #expect(try await list("anna") == ["team:y", "team:x"])
            #expect(try await list("eve") == [])
        }
    }

    @Test func `a moderator tends to members and messages, but not to moderators or the owner`() async throws
    {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "mo", "max", "bo"])
            let members = "/v1/channels/team:x/members"
            let socket = try await server.watch("bo")
            for name in ["mo", "max"] {
                try await server.call("PUT", "\(members)/\(name)", as: "anna", json: #"{"role":"moderator"}"#)
                    .expect(200)
            }
            #expect(await eventually { socket.events("member.updated").count == 2 })
            #expect(socket.events("member.updated").last?.string("member", "role") == "moderator")
            // Without a role it stays as it is.
            try await server.call("PUT", "\(members)/mo", as: "anna", json: "{}").expect(200)
            let list = try await server.call("GET", members, as: "bo").expect(200)
            let roles = (list.json["members"] as? [[String: Any]] ?? []).compactMap { $0["role"] as? String }
            #expect(roles.sorted() == ["member", "moderator", "moderator", "owner"])
            #expect(list.string("members", "0", "joined_at") != nil)

            try await server.call("DELETE", "\(members)/max", as: "mo").expect(403, code: "forbidden")
            try await server.call("DELETE", "\(members)/anna", as: "mo").expect(409, code: "conflict")
            try await server.call("PUT", "\(members)/bo", as: "mo", json: #"{"role":"moderator"}"#).expect(
                403, code: "forbidden")
            try await server.call("PUT", "\(members)/nobody", as: "mo").expect(404)
            try await server.share("bo", id: "m").expect(201)
            try await server.call("DELETE", "/v1/messages/m/live-location", as: "mo").expect(200)
            try await server.call("PATCH", "/v1/messages/m/live-location", as: "mo", json: #"{"fed_by":"x"}"#)
                .expect(
                    403, code: "forbidden")
            try await server.call("DELETE", "/v1/messages/m", as: "mo").expect(200)
            try await server.call("DELETE", "\(members)/bo", as: "mo").expect(204)

            func abilities(_ user: String) async throws -> Set<String> {
                let answer = try await server.call("GET", "/v1/channels/team:x", as: user).expect(200)
                return Set(answer.json["capabilities"] as? [String] ?? [])
            }
            #expect(
                try await abilities("anna") == [
                    "send-message", "share-location", "update-channel", "moderate",
                ])
            #expect(try await abilities("mo") == ["send-message", "share-location", "moderate"])
            // Nothing more comes to who was removed, also after coming back, without a new `subscribe`.
            #expect(await eventually { socket.events("member.removed").count == 1 })
            try await server.call("PUT", "\(members)/bo", as: "anna").expect(201)
            let other = try await server.watch("mo")
            try await server.call("POST", path, as: "anna", json: #"{"text":"a"}"#).expect(201)
            #expect(await eventually { !other.events("message.new").isEmpty })
            other.close()
            socket.send(#"{"op":"ping","id":9}"#)
            #expect(await eventually { socket.events("ack").last?.number("id") == 9 })
            #expect(socket.events().last { $0.name != "ack" }?.name == "member.removed")
            #expect(try await abilities("bo") == ["send-message", "share-location"])
            socket.close()
        }
    }

    @Test func `deleting a channel ends its shares first, and nobody can watch it any more`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let socket = try await server.watch("bo")
            try await server.share("anna", id: "m").expect(201)
            try await server.call("DELETE", "/v1/channels/team:x", as: "bo").expect(403)
            try await server.call("DELETE", "/v1/channels/team:x", as: "anna").expect(204)
            #expect(await eventually { !socket.events("channel.deleted").isEmpty })
            #expect(socket.events().map(\.name).suffix(2) == ["location.ended", "channel.deleted"])
            let ended = socket.events("location.ended").first
            #expect(ended?.string("location", "ended_reason") == "deleted")
            #expect(ended?.number("location", "latitude") == nil)
            socket.send(#"{"op":"subscribe","id":2,"channels":["team:x"]}"#)
            #expect(
                await eventually { socket.events("ack").last?.string("channels", "team:x") == "not_found" })
            socket.close()
        }
    }

    @Test func `a page of messages is thirty where nothing is said, and one to a hundred`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            for number in 0..<32 {
                try await server.call("POST", path, as: "anna", json: #"{"text":"\#(number)"}"#).expect(201)
            }
            let page = try await server.call("GET", path, as: "anna").expect(200)
            #expect(page.count("messages") == 30)
            #expect(
                page.string("messages", "0", "text") == "2" && page.string("messages", "29", "text") == "31")
            #expect(
                try await server.call("GET", path + "?limit=1", as: "anna").string("messages", "0", "text")
                    == "31")
            #expect(try await server.call("GET", path + "?limit=100", as: "anna").count("messages") == 32)
            for limit in ["0", "101", "x", "-1", ""] {
                try await server.call("GET", path + "?limit=\(limit)", as: "anna").expect(
                    422, code: "invalid_argument", field: "?limit")
            }
            try await server.call("GET", path + "?before=nobody", as: "anna").expect(
                422, code: "invalid_argument", field: "?before")
        }
    }
}
