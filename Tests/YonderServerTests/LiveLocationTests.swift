import Foundation
import Synchronization
import Testing
import YonderModel
import YonderRules

@testable import YonderServer

/// A clock that stands until it is moved.
final class TestClock: Sendable {
    private let time = Mutex(Timestamp(milliseconds: 1_900_000_000_000))
    var now: Timestamp { time.withLock { $0 } }
    func advance(_ seconds: Double) {
        time.withLock { $0 = $0.advanced(byMilliseconds: Int64(seconds * 1000)) }
    }
}

struct LiveLocationTests {
    private func fix(
        _ latitude: Double, _ more: String = ""
    ) -> String { #"{"latitude":\#(latitude),"longitude":24.9,"device_id":"anna-phone"\#(more)}"# }

    @Test func `a fix moves the shares that its device feeds`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            try await server.share("anna", id: "m").expect(201)
            let answer = try await server.call("PUT", "/v1/live-locations", as: "anna", json: fix(60.5))
            #expect(answer.expect(200).string("applied", "0") == "m" && answer.count("skipped") == 0)
            let read = try await server.call("GET", "/v1/messages/m", as: "bo")
            #expect(read.number("shared_location", "latitude") == 60.5)
            #expect(read["shared_location", "accuracy"] == nil)
            #expect(read.string("updated_at") == read.string("created_at"))
            let mine = try await server.call("GET", "/v1/live-locations", as: "anna")
            #expect(mine.string("active_live_locations", "0", "message_id") == "m")
            #expect(mine.number("active_live_locations", "0", "audience") == 1)
        }
    }

    @Test func `another device, another share and another's share are not moved`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            try await server.call("POST", "/v1/devices", as: "anna", json: #"{"id":"tab","platform":"web"}"#)
                .expect(201)
            try await server.share("anna", id: "m").expect(201)
            try await server.share("bo", id: "b").expect(201)
            let other = try await server.call(
                "PUT", "/v1/live-locations", as: "anna",
                json: #"{"latitude":1,"longitude":1,"device_id":"tab"}"#)
            #expect(other.expect(200).count("applied") == 0 && other.count("skipped") == 0)
            let named = try await server.call(
                "PUT", "/v1/live-locations", as: "anna", json: fix(1, #","message_ids":["m","b","zz"]"#))
            #expect(named.string("applied", "0") == "m")
            #expect(named.string("skipped", "0", "reason") == "not_found" && named.count("skipped") == 2)
            try await server.call(
                "PUT", "/v1/live-locations", as: "anna",
                json: #"{"latitude":1,"longitude":1,"device_id":"nobody"}"#
            ).expect(422, code: "invalid_argument", field: "/device_id")
            let all = try await server.call(
                "PUT", "/v1/live-locations", as: "anna", json: #"{"latitude":2,"longitude":1}"#)
            #expect(all.string("applied", "0") == "m")
        }
    }

    @Test func `fixes are ordered by their time, never by their arrival`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            try await server.share("anna", id: "m").expect(201)
            func put(_ latitude: Double, at seconds: Int64) async throws -> String? {
                let time = clock.now.advanced(bySeconds: seconds).rfc3339
                let answer = try await server.call(
                    "PUT", "/v1/live-locations", as: "anna",
                    json: fix(latitude, #","recorded_at":"\#(time)""#))
                return answer.string("skipped", "0", "reason") ?? answer.string("applied", "0")
            }
            clock.advance(100)
            #expect(try await put(10, at: -50) == "m")
            #expect(try await put(11, at: -60) == "older")
            #expect(try await put(12, at: -50) == "duplicate")
            #expect(try await put(13, at: -106) == "before_start")
            #expect(try await put(14, at: 3600) == "m")
            #expect(try await put(15, at: 0) == "duplicate")
            clock.advance(1)
            #expect(try await put(16, at: 0) == "m")
            let read = try await server.call("GET", "/v1/messages/m", as: "anna")
            #expect(read.number("shared_location", "latitude") == 16)
        }
    }

    @Test func `a device is seen, to the minute, when a fix of it moves a share`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            try await server.call("POST", "/v1/devices", as: "anna", json: #"{"id":"other"}"#).expect(201)
            let start = clock.now
            try await server.share("anna", id: "m").expect(201)
            func seen() async throws -> [String?] {
                let list = try await server.call("GET", "/v1/devices", as: "anna").expect(200)
                return ["0", "1"].map { list.string("devices", $0, "last_seen_at") }
            }
            for (wait, age) in [(59.0, 0), (1, 60), (59, 60), (1, 120)] as [(Double, Int64)] {
                clock.advance(wait)
                try await server.call("PUT", "/v1/live-locations", as: "anna", json: fix(1 + wait)).expect(
                    200)
                #expect(try await seen() == [start.advanced(bySeconds: age).rfc3339, start.rfc3339])
            }
        }
    }

    @Test func `two fixes without a time in one millisecond both count`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            try await server.share("anna", id: "m").expect(201)
            clock.advance(10)
            for latitude in [1.0, 2, 3] {
                let answer = try await server.call(
                    "PUT", "/v1/live-locations", as: "anna", json: fix(latitude))
                #expect(answer.string("applied", "0") == "m")
            }
            let read = try await server.call("GET", "/v1/messages/m", as: "anna")
            #expect(read.number("shared_location", "latitude") == 3)
        }
    }

    @Test(arguments: [-600.0, -60, 0, 60, 600])
    func `a phone whose clock is wrong shares for just as long`(off: Double) async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            let phone = clock.now.advanced(byMilliseconds: Int64(off * 1000))
            let sent = try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "anna",
                json: """
                    {"id":"m","sent_at":"\(phone.rfc3339)","shared_location":{"latitude":1,"longitude":1,
                    "end_at":"\(phone.advanced(bySeconds: 900).rfc3339)","device_id":"anna-phone",
                    "recorded_at":"\(phone.advanced(bySeconds: -1).rfc3339)"}}
                    """
            ).expect(201)
            #expect(sent.string("shared_location", "end_at") == clock.now.advanced(bySeconds: 900).rfc3339)
            #expect(
                sent.string("shared_location", "recorded_at") == clock.now.advanced(bySeconds: -1).rfc3339)
        }
    }

    @Test func `a share ends at its time and nothing moves it afterwards`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            let sent = try await server.share("anna", id: "m", seconds: 60).expect(201)
            let end = sent.string("shared_location", "end_at")
            clock.advance(59.9)
            let last = try await server.call("GET", "/v1/messages/m", as: "anna")
            #expect(last["shared_location", "active"] as? Bool == true)
            clock.advance(0.1)
            let over = try await server.call("GET", "/v1/messages/m", as: "anna")
            #expect(over["shared_location", "active"] as? Bool == false)
            let ended = await eventually {
                let read = try? await server.call("GET", "/v1/messages/m", as: "anna")
                return read?.string("shared_location", "ended_reason") == "expired"
                    && read?.string("shared_location", "ended_at") == end
            }
            #expect(ended)
            let late = try await server.call(
                "PUT", "/v1/live-locations", as: "anna", json: fix(1, #","message_ids":["m"]"#))
            #expect(late.string("skipped", "0", "reason") == "ended" && late.count("applied") == 0)
        }
    }

    @Test func `a share that ended while the server was down ends at its time`() async throws {
        let clock = TestClock()
        let folder = NSTemporaryDirectory() + "yonder-restart-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var end: String?
        try await TestServer.run(folder: folder, clock: { clock.now }) { server in
            try await server.makeChannel(["anna", "bo"])
            end = try await server.share("anna", id: "m", seconds: 60)
                .string("shared_location", "end_at")
            try await server.share("bo", id: "b", seconds: 3600).expect(201)
        }
        clock.advance(1800)
        try await TestServer.run(folder: folder, clock: { clock.now }) { server in
            let over = try await server.call("GET", "/v1/messages/m", as: "bo").expect(200)
            #expect(over.string("shared_location", "ended_at") == end)
            #expect(over.string("shared_location", "ended_reason") == "expired")
            let moved = try await server.call(
                "PUT", "/v1/live-locations", as: "bo", json: #"{"latitude":7,"longitude":7}"#)
            #expect(moved.string("applied", "0") == "b")
        }
    }

    @Test func `stopping is for the owner and moderators, and twice is once`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo", "cy"])
            try await server.share("bo", id: "m").expect(201)
            let path = "/v1/messages/m/live-location"
            try await server.call("DELETE", path, as: "cy").expect(403, code: "forbidden")
            let first = try await server.call("DELETE", path, as: "bo").expect(200)
            #expect(first["active"] as? Bool == false && first.string("ended_reason") == "stopped")
            let second = try await server.call("DELETE", path, as: "anna").expect(200)
            #expect(second.string("ended_at") == first.string("ended_at"))
            try await server.share("bo", id: "n").expect(201)
            try await server.call("DELETE", "/v1/messages/n/live-location", as: "anna").expect(200)
            try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "anna", json: #"{"id":"t","text":"x"}"#)
            try await server.call("DELETE", "/v1/messages/t/live-location", as: "anna")
                .expect(409, code: "not_live")
        }
    }

    @Test func `a second share in a channel ends the first, and stop all ends the rest`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            try await server.share("anna", id: "a").expect(201)
            try await server.share("anna", id: "b").expect(201)
            let first = try await server.call("GET", "/v1/messages/a", as: "anna")
            #expect(first.string("shared_location", "ended_reason") == "replaced")
            #expect(
                try await server.call("GET", "/v1/live-locations", as: "anna").count("active_live_locations")
                    == 1)
            try await server.call("DELETE", "/v1/live-locations", as: "anna").expect(204)
            let second = try await server.call("GET", "/v1/messages/b", as: "anna")
            #expect(second.string("shared_location", "ended_reason") == "stopped")
            try await server.share("anna", id: "a").expect(409)
            #expect(
                try await server.call("GET", "/v1/live-locations", as: "anna").count("active_live_locations")
                    == 0)
        }
    }

    @Test func `a channel without locations takes none`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"], config: #"{"shared_locations":false}"#)
            try await server.share("anna", id: "m").expect(403, code: "location_sharing_disabled")
            let channel = try await server.call("GET", "/v1/channels/team:x", as: "anna")
            #expect(channel["capabilities"] as? [String] == ["send-message", "update-channel", "moderate"])
        }
    }

    @Test func `fixes that come at once never move a pin back`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            try await server.share("anna", id: "m").expect(201)
            let start = Timestamp.now
            await withDiscardingTaskGroup { group in
                for number in (1...60).shuffled() {
                    group.addTask {
                        let time = start.advanced(byMilliseconds: Int64(number)).rfc3339
                        _ = try? await server.call(
                            "PUT", "/v1/live-locations", as: "anna",
                            json: #"{"latitude":\#(number),"longitude":2,"recorded_at":"\#(time)"}"#)
                    }
                }
            }
            let read = try await server.call("GET", "/v1/messages/m", as: "anna")
            #expect(read.number("shared_location", "latitude") == 60)
        }
    }
}
