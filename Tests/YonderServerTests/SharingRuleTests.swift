import Foundation
import Testing
import YonderModel

@testable import YonderServer

/// Rules of sharing, one by one, that no other suite meets on its way.
struct SharingRuleTests {
    private let path = "/v1/channels/team:x/messages"

    private func live(_ device: String, seconds: Int64 = 600, more: String = "") -> String {
        let end = Timestamp.now.advanced(bySeconds: seconds).rfc3339
        return #"{"shared_location":{"latitude":1.5,"longitude":2.5,"device_id":"\#(device)","# + more
            + #""end_at":"\#(end)"}}"#
    }

    @Test(arguments: [
        (#"{"shared_location":{"latitude":"1","longitude":2.5}}"#, "/shared_location/latitude"),
        (
            #"{"shared_location":{"latitude":1.5,"longitude":2.5,"recorded_at":"x"}}"#,
            "/shared_location/recorded_at"
        ),
        (#"{"shared_location":{"latitude":1.5,"longitude":2.5,"speed":"x"}}"#, "/shared_location/speed"),
        (#"{"shared_location":{"latitude":1.5,"longitude":2.5},"text":7}"#, "/text"),
        (
            #"{"shared_location":{"latitude":1.5,"longitude":2.5,"precision":"vague"}}"#,
            "/shared_location/precision"
        ),
    ])
    func `the wrong field is named beside a position in fractions`(json: String, field: String) async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            try await server.call("POST", path, as: "anna", json: json).expect(
                422, code: "invalid_argument", field: field)
        }
    }

    @Test func `a second live share replaces the first, in that order, also when both come at once`()
        async throws
    {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let socket = try await server.watch("bo")
            try await server.share("anna", id: "a").expect(201)
            try await server.share("anna", id: "b").expect(201)
            #expect(await eventually { socket.events("location.started").count == 2 })
            #expect(
                socket.events().map(\.name).suffix(5) == [
                    "message.new", "location.started", "location.ended", "message.new", "location.started",
                ])
            #expect(socket.events("location.ended").first?.string("location", "ended_reason") == "replaced")
            try await withThrowingTaskGroup(of: Int.self) { group in
                for id in ["c", "d", "e"] {
                    group.addTask { try await server.share("anna", id: id).expect(201).status }
                }
                try await group.waitForAll()
            }
            let active = try await server.call("GET", "/v1/live-locations", as: "anna").expect(200)
            #expect(active.count("active_live_locations") == 1)
            socket.close()
        }
    }

    @Test func `sends of one id at once make one message, and an id is taken everywhere`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            try await server.call("POST", "/v1/channels", as: "anna", json: #"{"type":"team","id":"y"}"#)
                .expect(201)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await server.call("POST", path, as: "anna", json: #"{"id":"m","text":"a"}"#)
                            .status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200, 200, 200, 200, 200, 200, 200, 201])
            try await server.call(
                "POST", "/v1/channels/team:y/messages", as: "anna", json: #"{"id":"m","text":"a"}"#
            ).expect(409, code: "conflict")
            let made = try await server.call("POST", path, as: "anna", json: #"{"text":"b"}"#).expect(201)
            #expect(UUID(uuidString: made.string("id") ?? "") != nil)
        }
    }

    @Test func `a retried live send is what it was, whatever became of the share`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            let json = #"{"id":"m","# + live("anna-phone").dropFirst()
            try await server.call("POST", path, as: "anna", json: json).expect(201)
            try await server.call(
                "PUT", "/v1/live-locations", as: "anna", json: #"{"latitude":3,"longitude":4}"#
            ).expect(200)
            let moved = try await server.call("POST", path, as: "anna", json: json).expect(200)
            #expect(moved.number("shared_location", "latitude") == 3)
            try await server.call("DELETE", "/v1/messages/m/live-location", as: "anna").expect(200)
            try await server.call(
                "PATCH", "/v1/channels/team:x", as: "anna", json: #"{"config":{"shared_locations":false}}"#
            ).expect(200)
            try await server.call("DELETE", "/v1/devices/anna-phone", as: "anna").expect(204)
            let ended = try await server.call("POST", path, as: "anna", json: json).expect(200)
            #expect(ended.string("shared_location", "ended_reason") == "stopped")
            // A new one, live or static, is refused.
            for json in [live("anna-phone"), #"{"shared_location":{"latitude":1,"longitude":2}}"#] {
                try await server.call("POST", path, as: "anna", json: json).expect(
                    403, code: "location_sharing_disabled")
            }
        }
    }

    @Test func `a live share is from a device of one's own, in no thread, and not too long`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"], config: #"{"max_live_seconds":120}"#)
            try await server.call("POST", path, as: "anna", json: #"{"id":"p","text":"a"}"#).expect(201)
            for (json, code, field) in [
                (live("bo-phone"), "invalid_argument", "/shared_location/device_id"),
                (
                    live("anna-phone", more: #""fed_by":"bo-phone","#), "invalid_argument",
                    "/shared_location/fed_by"
                ),
                (
                    #"{"parent_id":"p","# + live("anna-phone").dropFirst(), "location_in_thread",
                    "/shared_location"
                ),
                (live("anna-phone", seconds: 130), "invalid_argument", "/shared_location/end_at"),
                (live("anna-phone", seconds: 50), "invalid_argument", "/shared_location/end_at"),
            ] {
                try await server.call("POST", path, as: "anna", json: json).expect(
                    422, code: code, field: field)
            }
            let json = #"{"id":"m","# + live("anna-phone", seconds: 121).dropFirst()
            try await server.call("POST", path, as: "anna", json: json).expect(201)
            let late = Timestamp.now.advanced(bySeconds: 200).rfc3339
            try await server.call(
                "PATCH", "/v1/messages/m/live-location", as: "anna", json: #"{"end_at":"\#(late)"}"#
            ).expect(422, code: "invalid_argument", field: "/end_at")
            try await server.call("PATCH", "/v1/messages/m/live-location", as: "anna", json: "{}").expect(422)
            try await server.call(
                "PATCH", "/v1/messages/p/live-location", as: "anna", json: #"{"fed_by":"anna-phone"}"#
            ).expect(409, code: "not_live")
        }
    }

    @Test func `a fix says why a share that it names does not move`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            try await server.call(
                "POST", path, as: "anna",
                json: #"{"id":"static","shared_location":{"latitude":1,"longitude":2}}"#
            ).expect(201)
            try await server.share("bo", id: "foreign").expect(201)
            for id in ["deleted", "ended", "live"] { try await server.share("anna", id: id).expect(201) }
            try await server.call("DELETE", "/v1/messages/deleted", as: "anna").expect(200)
            let fix =
                #""latitude":3.5,"longitude":4.5,"battery":0.5,"altitude":-2,"altitude_accuracy":3,"next_within":60"#
            let names = ["static", "foreign", "deleted", "ended", "live", "unknown"]
            let ids = names.map { "\"\($0)\"" }.joined(separator: ",")
            let answer = try await server.call(
                "PUT", "/v1/live-locations", as: "anna", json: "{\(fix),\"message_ids\":[\(ids)]}"
            ).expect(200)
            let skipped = answer.json["skipped"] as? [[String: String]] ?? []
            let reasons = Dictionary(uniqueKeysWithValues: skipped.map { ($0["message_id"]!, $0["reason"]!) })
            #expect(answer.json["applied"] as? [String] == ["live"])
            #expect(
                reasons == [
                    "static": "not_found", "foreign": "not_found", "deleted": "not_found", "ended": "ended",
                    "unknown": "not_found",
                ])
            let share = try await server.call("GET", "/v1/messages/live", as: "bo").expect(200)
            for (key, value) in [
                ("battery", 0.5), ("altitude", -2), ("altitude_accuracy", 3), ("next_within", 60),
            ] {
                #expect(share.number("shared_location", key) == value)
            }
            #expect(share.string("shared_location", "precision") == "exact")
            // Over the socket the same, and an unknown device is an error that leaves the socket open.
            let socket = try await TestSocket.connect(server.base, token: server.token("anna"))
            socket.send("{\"op\":\"fix\",\"id\":1,\(fix),\"message_ids\":[\"ended\",\"live\"]}")
            socket.send("{\"op\":\"fix\",\"id\":2,\(fix),\"device_id\":\"nobody\"}")
            #expect(await eventually { !socket.events("error").isEmpty && !socket.events("ack").isEmpty })
            let ack = socket.events("ack").first
            #expect(ack?.json["applied"] as? [String] == ["live"])
            #expect(ack?.string("skipped", "0", "reason") == "ended")
            #expect(socket.events("error").first?.string("code") == "invalid_argument")
            #expect(await eventually { socket.events("location.updated").last?.number("battery") == 0.5 })
            socket.close()
        }
    }

    @Test func `changes of a message and of a share are told`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let watcher = try await TestSocket.connect(server.base, token: server.token("bo"))
            let own = try await TestSocket.connect(server.base, token: server.token("anna"))
            watcher.send(#"{"op":"subscribe","id":1,"channels":["team:x"],"since":{"team:x":null}}"#)
            #expect(await eventually { !watcher.events("channel.state").isEmpty && !own.events().isEmpty })
            try await server.share("anna", id: "m").expect(201)
            let edited = try await server.call(
                "PATCH", "/v1/messages/m", as: "anna", json: #"{"text":"here"}"#)
            #expect(edited.expect(200).number("shared_location", "latitude") == 60.17)
            let end = Timestamp.now.advanced(bySeconds: 900).rfc3339
            try await server.call(
                "PATCH", "/v1/messages/m/live-location", as: "anna", json: #"{"end_at":"\#(end)"}"#
            ).expect(200)
            #expect(await eventually { !watcher.events("location.changed").isEmpty })
            #expect(watcher.events().map(\.name).suffix(2) == ["message.updated", "location.changed"])
            #expect(watcher.events("message.updated").first?.string("message", "text") == "here")
            #expect(watcher.events("location.changed").first?.string("location", "end_at") == end)
            #expect(await eventually { !own.events("location.changed").isEmpty })
            try await server.call("DELETE", "/v1/devices/anna-phone", as: "anna").expect(204)
            #expect(await eventually { own.events("location.ended").count == 1 })
            for socket in [watcher, own] { socket.close() }
        }
    }
}
