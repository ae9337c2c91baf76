import Foundation
import Testing
import YonderModel

@testable import YonderServer

/// Rules of events and of times, one by one, that no other suite meets on its way.
struct EventRuleTests {
    private let path = "/v1/channels/team:x/messages"

    @Test func `a token stands in a header or the subprotocol, never in the address`() async throws {
        try await TestServer.run { server in
            let token = server.token("anna")
            let socket = try await TestSocket.connect(
                server.base, headers: "Authorization: Bearer \(token)\r\n")
            #expect(await eventually { socket.events("hello").first?.string("user", "id") == "anna" })
            socket.close()
            for path in ["/v1/events?token=\(token)", "/v1/events?access_token=\(token)"] {
                await #expect(throws: TestSocket.Failed.self) {
                    try await TestSocket.connect(server.base, path: path, headers: "")
                }
            }
            try await server.call("GET", "/v1/users/me?token=\(token)").expect(401, code: "unauthenticated")
        }
    }

    @Test func `a message over 64 KiB closes with 1009, one of that size does not`() async throws {
        try await TestServer.run { server in
            let socket = try await TestSocket.connect(server.base, token: server.token("anna"))
            func ping(_ bytes: Int) -> String {
                let start = #"{"op":"ping","id":1,"x":""#
                return start + String(repeating: "x", count: bytes - start.utf8.count - 2) + #""}"#
            }
            socket.send(ping(65_536))
            #expect(await eventually { socket.events("ack").count == 1 })
            socket.send(ping(65_537))
            #expect(await eventually { socket.closeCode == 1009 })
        }
    }

    @Test func `who missed a thousand events gets them, who missed more reads the channel again`()
        async throws
    {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            for number in 0...1_000 {
                try await server.call("POST", path, as: "anna", json: #"{"text":"\#(number)"}"#).expect(201)
            }
            for (since, replayed, resyncs) in [(1, 1_000, 0), (0, 0, 1), (1_001, 0, 0), (1_002, 0, 1)] {
                let socket = try await TestSocket.connect(server.base, token: server.token("anna"))
                socket.send(
                    #"{"op":"subscribe","id":1,"channels":["team:x"],"since":{"team:x":\#(since)}}"#)
                #expect(await eventually(within: 20) { !socket.events("channel.state").isEmpty })
                #expect(socket.events("message.new").count == replayed)
                #expect(socket.events("resync").count == resyncs)
                #expect(socket.events("channel.state").first?.number("seq") == 1_001)
                socket.close()
            }
        }
    }

    @Test func `a wrong clock is corrected by the time of sending, wherever one stands`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            try await server.share("anna", id: "m").expect(201)
            let socket = try await TestSocket.connect(server.base, token: server.token("anna"))
            // A phone that is an hour ahead.
            func phone(_ seconds: Int64) -> String {
                Timestamp.now.advanced(bySeconds: 3_600 + seconds).rfc3339
            }
            func recorded() async throws -> Date? {
                let message = try await server.call("GET", "/v1/messages/m", as: "anna").expect(200)
                return message.string("shared_location", "recorded_at").flatMap(Timestamp.init(rfc3339:))?
                    .date
            }
            let fix = #""latitude":3,"longitude":4,"recorded_at":"\#(phone(0))","sent_at":"\#(phone(0))""#
            try await server.call("PUT", "/v1/live-locations", as: "anna", json: "{\(fix)}").expect(200)
            let first = try #require(try await recorded())
            #expect(abs(first.timeIntervalSinceNow) < 3)
            try await Task.sleep(for: .milliseconds(1_100))
            let second = #""latitude":5,"longitude":4,"recorded_at":"\#(phone(0))","sent_at":"\#(phone(0))""#
            socket.send("{\"op\":\"fix\",\"id\":1,\(second)}")
            #expect(await eventually { socket.events("ack").first?.json["applied"] as? [String] == ["m"] })
            #expect(try await recorded().map { $0 > first && abs($0.timeIntervalSinceNow) < 3 } == true)
            let changed = try await server.call(
                "PATCH", "/v1/messages/m/live-location", as: "anna",
                json: #"{"end_at":"\#(phone(700))","sent_at":"\#(phone(0))"}"#
            ).expect(200)
            let end = try #require(changed.string("end_at").flatMap(Timestamp.init(rfc3339:)))
            #expect(abs(end.date.timeIntervalSinceNow - 700) < 3)
            socket.close()
        }
    }

    @Test func `a share ends by itself, is told within a second, and takes no change after`() async throws {
        try await TestServer.run(configure: { $0.minimumLiveSeconds = 1 }) { server in
            try await server.makeChannel(["anna", "bo"])
            let socket = try await server.watch("bo")
            try await server.share("anna", id: "m", seconds: 2).expect(201)
            #expect(await eventually { !socket.events("location.ended").isEmpty })
            let location = socket.events("location.ended").first
            #expect(location?.string("location", "ended_reason") == "expired")
            #expect(location?.string("location", "ended_at") == location?.string("location", "end_at"))
            let end = location?.string("location", "end_at").flatMap(Timestamp.init(rfc3339:))
            let late = try #require(end).date.timeIntervalSinceNow
            #expect(late <= 0 && late > -1.5)
            let later = Timestamp.now.advanced(bySeconds: 100).rfc3339
            try await server.call(
                "PATCH", "/v1/messages/m/live-location", as: "anna", json: #"{"end_at":"\#(later)"}"#
            ).expect(409, code: "live_location_ended")
            socket.close()
        }
    }

    @Test func `my shares are listed over all channels, the newest first`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            try await server.call("POST", "/v1/channels", as: "anna", json: #"{"type":"team","id":"y"}"#)
                .expect(201)
            try await server.share("anna", id: "m").expect(201)
            let end = Timestamp.now.advanced(bySeconds: 600).rfc3339
            try await server.call(
                "POST", "/v1/channels/team:y/messages", as: "anna",
                json: """
                    {"id":"n","shared_location":{"latitude":1,"longitude":2,"device_id":"anna-phone",
                    "end_at":"\(end)"}}
                    """
            ).expect(201)
            let list = try await server.call("GET", "/v1/live-locations", as: "anna").expect(200)
            #expect(list.string("active_live_locations", "0", "message_id") == "n")
            #expect(list.number("active_live_locations", "0", "audience") == 0)
            #expect(list.string("active_live_locations", "1", "message_id") == "m")
            #expect(list.number("active_live_locations", "1", "audience") == 1)
            try await server.call(
                "PATCH", "/v1/messages/m/live-location", as: "anna", json: #"{"fed_by":"anna-phone"}"#
            ).expect(422, code: "invalid_argument")
        }
    }

    @Test func `a channel without replies still takes quotes, and one that was left cannot be watched`()
        async throws
    {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"], config: #"{"replies":false}"#)
            try await server.call("POST", path, as: "anna", json: #"{"id":"m","text":"a"}"#).expect(201)
            try await server.call("POST", path, as: "bo", json: #"{"text":"b","parent_id":"m"}"#).expect(403)
            let quote = try await server.call(
                "POST", path, as: "bo", json: #"{"text":"b","quoted_message_id":"m"}"#)
            #expect(quote.expect(201).string("quoted_message", "text") == "a")
            try await server.call("DELETE", "/v1/channels/team:x/members/bo", as: "bo").expect(204)
            let socket = try await TestSocket.connect(server.base, token: server.token("bo"))
            socket.send(#"{"op":"subscribe","id":1,"channels":["team:x"]}"#)
            #expect(
                await eventually { socket.events("ack").first?.string("channels", "team:x") == "not_found" })
            socket.close()
        }
    }
}
