import Foundation
import Testing
import YonderModel
import YonderRules

@testable import YonderServer

struct ChangeTests {
    private let path = "/v1/channels/team:x/messages"

    @Test func `its author changes a message, others do not`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            try await server.call("POST", path, as: "bo", json: #"{"id":"m","text":"a"}"#).expect(201)
            let changed = try await server.call("PATCH", "/v1/messages/m", as: "bo", json: #"{"text":"b"}"#)
            #expect(changed.expect(200).string("text") == "b")
            try await server.call("PATCH", "/v1/messages/m", as: "anna", json: #"{"text":"c"}"#)
                .expect(403, code: "forbidden")
            try await server.call("PATCH", "/v1/messages/m", as: "eve", json: #"{"text":"c"}"#).expect(404)
            for json in [#"{"text":""}"#, "{}", #"{"text":5}"#] {
                try await server.call("PATCH", "/v1/messages/m", as: "bo", json: json)
                    .expect(422, code: "invalid_argument", field: "/text")
            }
        }
    }

    @Test func `deleting leaves a tombstone and nothing else, once and twice`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let json = #"{"id":"m","text":"a secret place","shared_location":{"latitude":1.5,"longitude":2}}"#
            try await server.call("POST", path, as: "bo", json: json).expect(201)
            let first = try await server.call("DELETE", "/v1/messages/m", as: "anna").expect(200)
            #expect(first.string("text") == "" && first["shared_location"] == nil)
            let second = try await server.call("DELETE", "/v1/messages/m", as: "bo").expect(200)
            #expect(second.string("deleted_at") == first.string("deleted_at"))
            let retry = try await server.call("POST", path, as: "bo", json: json).expect(200)
            #expect(retry.string("deleted_at") == first.string("deleted_at"))
            try await server.call("PATCH", "/v1/messages/m", as: "bo", json: #"{"text":"b"}"#).expect(404)
            #expect(try await server.call("GET", path, as: "bo").string("messages", "0", "text") == "")
        }
    }

    @Test func `a deleted live share has ended first, and no position of it is told again`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let socket = try await server.watch("bo")
            try await server.share("anna", id: "m").expect(201)
            try await server.call("DELETE", "/v1/messages/m", as: "anna").expect(200)
            #expect(await eventually { !socket.events("message.deleted").isEmpty })
            #expect(socket.events().map(\.name).suffix(2) == ["location.ended", "message.deleted"])
            let ended = socket.events("location.ended").first
            #expect(ended?.string("location", "ended_reason") == "deleted")
            #expect(ended?.number("location", "latitude") == nil)
            try await server.call("DELETE", "/v1/messages/m/live-location", as: "anna").expect(
                409, code: "not_live")
            let late = try await TestSocket.connect(server.base, token: server.token("bo"))
            late.send(#"{"op":"subscribe","id":1,"channels":["team:x"],"since":{"team:x":0}}"#)
            #expect(await eventually { !late.events("channel.state").isEmpty })
            #expect(
                late.events().map(\.name) == [
                    "hello", "ack", "message.new", "location.started", "location.ended", "message.deleted",
                    "channel.state",
                ])
            #expect(late.events().allSatisfy { !"\($0.json)".contains("60.17") })
            for socket in [socket, late] { socket.close() }
        }
    }

    @Test func `a share is extended, shortened and handed to another device by its owner`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna", "bo"])
            try await server.call("POST", "/v1/devices", as: "anna", json: #"{"id":"watch"}"#)
            try await server.share("anna", id: "m", seconds: 600).expect(201)
            let path = "/v1/messages/m/live-location"
            func change(_ json: String, as user: String = "anna") async throws -> Answer {
                try await server.call("PATCH", path, as: user, json: json)
            }
            let end = clock.now.advanced(bySeconds: 7200).rfc3339
            #expect(try await change(#"{"end_at":"\#(end)"}"#).expect(200).string("end_at") == end)
            #expect(try await change(#"{"fed_by":"watch"}"#).expect(200).string("fed_by") == "watch")
            let phone = try await server.call(
                "PUT", "/v1/live-locations", as: "anna",
                json: #"{"latitude":1,"longitude":1,"device_id":"anna-phone","message_ids":["m"]}"#)
            #expect(phone.string("skipped", "0", "reason") == "not_found")
            try await change(#"{"fed_by":"bo-phone"}"#).expect(
                422, code: "invalid_argument", field: "/fed_by")
            let far = clock.now.advanced(bySeconds: 28_803).rfc3339
            try await change(#"{"end_at":"\#(far)"}"#).expect(422, code: "invalid_argument", field: "/end_at")
            try await change(#"{"end_at":"\#(end)"}"#).expect(422, code: "invalid_argument", field: "/end_at")
            try await change("{}").expect(422, code: "invalid_argument")
            try await change(#"{"fed_by":"anna-phone"}"#, as: "bo").expect(403, code: "forbidden")
            let now = try await change(#"{"end_at":"\#(clock.now.rfc3339)"}"#).expect(200)
            #expect(now["active"] as? Bool == false && now.string("ended_reason") == "stopped")
            try await change(#"{"end_at":"\#(end)"}"#).expect(409, code: "live_location_ended")
        }
    }

    @Test func `a device that is forgotten ends what it made and gives back what it fed`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            try await server.call("POST", "/v1/devices", as: "anna", json: #"{"id":"watch"}"#)
            try await server.share("anna", id: "m").expect(201)
            try await server.call(
                "PATCH", "/v1/messages/m/live-location", as: "anna", json: #"{"fed_by":"watch"}"#
            ).expect(200)
            try await server.call("DELETE", "/v1/devices/watch", as: "anna").expect(204)
            let back = try await server.call("GET", "/v1/messages/m", as: "anna")
            #expect(back.string("shared_location", "fed_by") == "anna-phone")
            let fix = #"{"latitude":1,"longitude":1,"device_id":"anna-phone"}"#
            let moved = try await server.call("PUT", "/v1/live-locations", as: "anna", json: fix)
            #expect(moved.string("applied", "0") == "m")
            try await server.call("DELETE", "/v1/devices/anna-phone", as: "anna").expect(204)
            let over = try await server.call("GET", "/v1/messages/m", as: "anna")
            #expect(over.string("shared_location", "ended_reason") == "stopped")
            try await server.call("DELETE", "/v1/devices/anna-phone", as: "anna").expect(404)
        }
    }

    @Test func `an owner changes a channel and what is live in it ends with it`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let socket = try await server.watch("bo")
            try await server.share("anna", id: "m").expect(201)
            try await server.call("PATCH", "/v1/channels/team:x", as: "bo", json: #"{"name":"Z"}"#).expect(
                403)
            let changed = try await server.call(
                "PATCH", "/v1/channels/team:x", as: "anna",
                json: #"{"name":"Y","config":{"shared_locations":false}}"#
            ).expect(200)
            #expect(changed.string("name") == "Y" && changed.number("config", "max_live_seconds") == 28_800)
            #expect(changed.count("active_live_locations") == 0)
            #expect(await eventually { !socket.events("channel.updated").isEmpty })
            #expect(socket.events().map(\.name).suffix(2) == ["location.ended", "channel.updated"])
            #expect(socket.events("location.ended").first?.string("location", "ended_reason") == "disabled")
            try await server.share("anna", id: "n").expect(403, code: "location_sharing_disabled")
            try await server.call(
                "PATCH", "/v1/channels/team:x", as: "anna", json: #"{"config":{"max_live_seconds":59}}"#
            )
            .expect(422, code: "invalid_argument", field: "/config/max_live_seconds")
            for json in [#"{"config":{"max_live_seconds":1e19}}"#, #"{"config":{"max_live_seconds":60.5}}"#] {
                try await server.call("PATCH", "/v1/channels/team:x", as: "anna", json: json)
                    .expect(422, code: "invalid_argument", field: "/config/max_live_seconds")
            }
            try await server.call("DELETE", "/v1/channels/team:x", as: "bo").expect(403)
            try await server.call("DELETE", "/v1/channels/team:x", as: "anna").expect(204)
            #expect(await eventually { !socket.events("channel.deleted").isEmpty })
            try await server.call("GET", "/v1/channels/team:x", as: "anna").expect(404)
            try await server.call("GET", "/v1/messages/m", as: "anna").expect(404)
            let seqs = socket.events().compactMap { $0.number("seq") }
            #expect(seqs == seqs.sorted() && Set(seqs).count == seqs.count)
            socket.close()
        }
    }

    @Test func `a moderator adds and removes members, again and again`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "mod", "bo"])
            let members = "/v1/channels/team:x/members"
            try await server.call("PUT", "\(members)/mod", as: "anna", json: #"{"role":"moderator"}"#).expect(
                200)
            try await server.call("GET", "/v1/users/me", as: "cy").expect(200)
            try await server.call("PUT", "\(members)/cy", as: "mod").expect(201)
            try await server.call("PUT", "\(members)/cy", as: "mod").expect(200)
            try await server.call("PUT", "\(members)/cy", as: "mod", json: #"{"role":"moderator"}"#).expect(
                403)
            try await server.call("PUT", "\(members)/cy", as: "bo").expect(403)
            try await server.call("PUT", "\(members)/cy", as: "anna", json: #"{"role":"owner"}"#)
                .expect(422, code: "invalid_argument", field: "/role")
            try await server.call("DELETE", "\(members)/cy", as: "mod").expect(204)
            try await server.call("DELETE", "\(members)/cy", as: "mod").expect(404)
            try await server.call("DELETE", "\(members)/bo", as: "bo").expect(204)
        }
    }
}
