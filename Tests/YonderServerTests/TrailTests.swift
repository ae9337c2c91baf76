import Foundation
import Testing
import YonderModel
import YonderRules
import YonderTestSupport

@testable import YonderServer

/// The path of a live share: who sees it, from when, for how long, and in which form.
struct TrailTests {
    private func fix(
        _ latitude: Double, _ longitude: Double = 24.9, at time: Timestamp, more: String = ""
    ) -> String {
        #"{"latitude":\#(latitude),"longitude":\#(longitude),"recorded_at":"\#(time.rfc3339)"\#(more)}"#
    }

    private func share(
        _ server: TestServer, _ more: String, id: String = "m", end: Timestamp
    ) async throws {
        try await server.call(
            "POST", "/v1/channels/team:x/messages", as: "anna",
            json: """
                {"id":"\(id)","shared_location":{"latitude":60,"longitude":24.9,"device_id":"anna-phone",
                "end_at":"\(end.rfc3339)"\(more)}}
                """
        ).expect(201)
    }

    private func coordinates(_ answer: Answer) -> [[Double]] {
        (answer["geometry", "coordinates"] as? [[NSNumber]])?.map { $0.map(\.doubleValue) } ?? []
    }

    @Test func `a fix that comes late joins the trail and leaves the pin`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna", "bo"])
            try await share(server, "", end: clock.now.advanced(bySeconds: 7_200))
            let start = clock.now
            clock.advance(1_001)
            // 1,000 first, then a queue from before it.
            for (seconds, skipped) in [
                (1_000, nil), (400, "older"), (500, "older"), (999, "older"), (500, "duplicate"),
            ] {
                let answer = try await server.call(
                    "PUT", "/v1/live-locations", as: "anna",
                    json: fix(
                        60 + Double(seconds) / 10_000, at: start.advanced(bySeconds: Int64(seconds)),
                        more: #","altitude":12.5"#)
                ).expect(200)
                #expect(answer.string("skipped", "0", "reason") == skipped)
            }
            let message = try await server.call("GET", "/v1/messages/m", as: "bo").expect(200)
            #expect(message.number("shared_location", "latitude") == 60.1)
            let trail = try await server.call("GET", "/v1/messages/m/trail", as: "bo").expect(200)
            #expect(trail.header("content-type") == "application/geo+json")
            #expect(trail.string("type") == "Feature" && trail.string("geometry", "type") == "LineString")
            #expect(coordinates(trail).map { $0[1] } == [60, 60.04, 60.05, 60.0999, 60.1])
            #expect(coordinates(trail).map(\.count) == [2, 3, 3, 3, 3])
            #expect(
                trail["properties", "coordTimes"] as? [String]
                    == [0, 400, 500, 999, 1_000].map { start.advanced(bySeconds: $0).rfc3339 })
        }
    }

    @Test func `a trail goes with its share, unless its owner keeps it`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }, configure: { $0.retention.days = 3 }) { server in
            try await server.makeChannel(["anna", "bo"])
            for (id, more) in [("kept", #","keep_trail":true"#), ("gone", "")] {
                try await share(server, more, id: id, end: clock.now.advanced(bySeconds: 600))
                clock.advance(5)
                try await server.call(
                    "PUT", "/v1/live-locations", as: "anna", json: fix(60.2, at: clock.now)
                ).expect(200)
                let seen = try await server.call("GET", "/v1/messages/\(id)", as: "bo").expect(200)
                #expect(seen["shared_location", "keep_trail"] as? Bool == (id == "kept" ? true : nil))
                #expect(try await server.call("GET", "/v1/messages/\(id)/trail", as: "bo").status == 200)
                try await server.call("DELETE", "/v1/messages/\(id)/live-location", as: "anna").expect(200)
            }
            try await server.call("GET", "/v1/messages/gone/trail", as: "anna").expect(404, code: "not_found")
            let kept = try await server.call("GET", "/v1/messages/kept/trail", as: "bo").expect(200)
            #expect(coordinates(kept).count == 2)
            try await server.call("DELETE", "/v1/messages/kept", as: "anna").expect(200)
            try await server.call("GET", "/v1/messages/kept/trail", as: "anna").expect(404)
        }
    }

    @Test func `members see a trail from when they joined, its owner sees all of it`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            try await share(server, "", end: clock.now.advanced(bySeconds: 7_200))
            for step in 1...6 {
                clock.advance(10)
                try await server.call(
                    "PUT", "/v1/live-locations", as: "anna",
                    json: fix(60 + Double(step) / 100, at: clock.now)
                ).expect(200)
                if step == 3 {
                    _ = try await server.call("GET", "/v1/users/me", as: "bo")
                    clock.advance(1)
                    try await server.call("PUT", "/v1/channels/team:x/members/bo", as: "anna").expect(201)
                }
            }
            let whole = try await server.call("GET", "/v1/messages/m/trail", as: "anna").expect(200)
            #expect(coordinates(whole).count == 7)
            let part = try await server.call("GET", "/v1/messages/m/trail", as: "bo").expect(200)
            #expect(coordinates(part).map { $0[1] } == [60.04, 60.05, 60.06])
            // Who joins now has nothing to see yet; who left sees nothing at all.
            _ = try await server.call("GET", "/v1/users/me", as: "cy")
            clock.advance(1)
            try await server.call("PUT", "/v1/channels/team:x/members/cy", as: "anna").expect(201)
            let none = try await server.call("GET", "/v1/messages/m/trail", as: "cy").expect(200)
            #expect(none.string("type") == "Feature" && none.json["geometry"] is NSNull)
            try await server.call("DELETE", "/v1/channels/team:x/members/bo", as: "bo").expect(204)
            try await server.call("GET", "/v1/messages/m/trail", as: "bo").expect(404)
        }
    }

    @Test func `a trail of one point is a Point, one over the 180th meridian is cut there`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            try await share(server, "", end: clock.now.advanced(bySeconds: 7_200))
            let one = try await server.call("GET", "/v1/messages/m/trail", as: "anna").expect(200)
            #expect(one.string("geometry", "type") == "Point")
            #expect(one["geometry", "coordinates"] as? [Double] == [24.9, 60])
            #expect(one.count("properties", "coordTimes") == 1)
            try await server.call("DELETE", "/v1/messages/m", as: "anna").expect(200)
            try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "anna",
                json: """
                    {"id":"n","shared_location":{"latitude":-17,"longitude":179.9,"device_id":"anna-phone",
                    "end_at":"\(clock.now.advanced(bySeconds: 600).rfc3339)"}}
                    """
            ).expect(201)
            let start = clock.now
            for longitude in [179.98, -179.98, -179.9] {
                clock.advance(10)
                try await server.call(
                    "PUT", "/v1/live-locations", as: "anna", json: fix(-17, longitude, at: clock.now)
                ).expect(200)
            }
            let trail = try await server.call("GET", "/v1/messages/n/trail", as: "anna").expect(200)
            #expect(trail.string("geometry", "type") == "MultiLineString")
            let lines = trail["geometry", "coordinates"] as? [[[Double]]]
            #expect(lines?.map { $0.map { $0[0] } } == [[179.9, 179.98, 180], [-180, -179.98, -179.9]])
            let times = trail["properties", "coordTimes"] as? [[String]]
            #expect(times?.map(\.count) == [3, 3])
            #expect(times?[0][2] == start.advanced(bySeconds: 15).rfc3339 && times?[0][2] == times?[1][0])
        }
    }

    @Test func `a trail comes as GPX and with fewer points, as asked`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            try await share(server, "", end: clock.now.advanced(bySeconds: 7_200))
            for step in 1...20 {
                clock.advance(10)
                try await server.call(
                    "PUT", "/v1/live-locations", as: "anna",
                    json: fix(60 + Double(step) * 1e-5, at: clock.now)
                ).expect(200)
            }
            let path = "/v1/messages/m/trail"
            let simple = try await server.call("GET", path + "?simplify=5", as: "anna").expect(200)
            #expect(coordinates(simple).map { $0[1] } == [60, 60 + 20 * 1e-5])
            let gpx = try await server.call("GET", path + "?format=gpx", as: "anna").expect(200)
            #expect(gpx.header("content-type") == "application/gpx+xml")
            #expect(gpx.text.contains(#"<trkpt lat="60.0" lon="24.9">"#))
            #expect(gpx.text.components(separatedBy: "<trkpt ").count == 22)
            for (query, field) in [
                ("simplify=0", "?simplify"), ("simplify=-1", "?simplify"), ("simplify=x", "?simplify"),
                ("simplify=nan", "?simplify"), ("simplify=1e9", "?simplify"), ("format=kml", "?format"),
            ] {
                try await server.call("GET", "\(path)?\(query)", as: "anna").expect(
                    422, code: "invalid_argument", field: field)
            }
            try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "anna", json: #"{"id":"t","text":"x"}"#
            )
            .expect(201)
            try await server.call("GET", "/v1/messages/t/trail", as: "anna").expect(404)
        }
    }

    @Test func `a batch moves the pin to its newest and fills the trail, each fix once`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna", "bo"])
            try await share(server, "", end: clock.now.advanced(bySeconds: 7_200))
            let start = clock.now
            clock.advance(300)
            let socket = try await server.watch("bo")
            let good = [30, 10, 20].map { fix(60 + Double($0) / 1000, at: start.advanced(bySeconds: $0)) }
            let bad = [
                #"{"latitude":91,"longitude":0}"#, #"{"longitude":0}"#, "7",
                #"{"latitude":1,"longitude":0,"device_id":"nobody"}"#,
                fix(1, at: start.advanced(bySeconds: -10)),
            ]
            let body = "{\"fixes\":[\((good + bad + [good[0]]).joined(separator: ","))]}"
            let answer = try await server.call("POST", "/v1/live-locations/batch", as: "anna", json: body)
                .expect(200)
            #expect(answer.number("accepted") == 5 && answer.number("applied") == 3)
            #expect(answer.count("rejected") == 4)
            for (place, index, field) in [
                ("0", 3, "/latitude"), ("1", 4, "/latitude"), ("2", 5, ""), ("3", 6, "/device_id"),
            ] {
                #expect(answer.number("rejected", place, "index") == Double(index))
                #expect(answer.string("rejected", place, "code") == "invalid_argument")
                #expect(answer.string("rejected", place, "field") == field)
            }
            #expect(await eventually { socket.events("location.updated").count == 1 })
            #expect(socket.events("location.updated").first?.number("latitude") == 60.03)
            let trail = try await server.call("GET", "/v1/messages/m/trail", as: "bo").expect(200)
            #expect(coordinates(trail).map { $0[1] } == [60, 60.01, 60.02, 60.03])
            let again = try await server.call("POST", "/v1/live-locations/batch", as: "anna", json: body)
            #expect(again.expect(200).number("applied") == 0)
            socket.close()
        }
    }

    @Test func `what is no batch is refused as a whole`() async throws {
        try await TestServer.run { server in
            func send(_ json: String) async throws -> Answer {
                try await server.call("POST", "/v1/live-locations/batch", as: "anna", json: json)
            }
            let fix = #"{"latitude":1,"longitude":1}"#
            for (json, field) in [
                ("{}", "/fixes"), (#"{"fixes":7}"#, "/fixes"), ("[]", ""),
                (#"{"fixes":[],"sent_at":"noon"}"#, "/sent_at"), (#"{"fixes":[],"sent_at":7}"#, "/sent_at"),
                ("{\"fixes\":[\(Array(repeating: fix, count: 1_001).joined(separator: ","))]}", "/fixes"),
            ] {
                try await send(json).expect(422, code: "invalid_argument", field: field)
            }
            for json in [#"{"fixes":[}"#, "", #"{"fixes":[{"latitude":1,}]}"#] {
                try await send(json).expect(400, code: "invalid_json")
            }
            let whole = Array(repeating: fix, count: 1_000).joined(separator: ",")
            try await send("{\"fixes\":[\(whole)]}").expect(200)
            try await send("{\"fixes\":[\(String(repeating: " ", count: 1_048_576))]}").expect(
                413, code: "payload_too_large")
        }
    }

    @Test func `a batch that is sent again counts once, also where only one way was slow`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            try await share(server, "", end: clock.now.advanced(bySeconds: 7_200))
            clock.advance(100)
            let fixes = (1...5).map {
                fix(60 + Double($0) / 100, at: clock.now.advanced(bySeconds: -Int64($0)))
            }
            for (delay, applied) in [(3.0, 5), (0, 0), (1, 0)] {
                let sent = clock.now
                clock.advance(delay)
                let answer = try await server.call(
                    "POST", "/v1/live-locations/batch", as: "anna",
                    json: "{\"fixes\":[\(fixes.joined(separator: ","))],\"sent_at\":\"\(sent.rfc3339)\"}"
                ).expect(200)
                #expect(answer.number("applied") == Double(applied))
            }
            let trail = try await server.call("GET", "/v1/messages/m/trail", as: "anna").expect(200)
            #expect(coordinates(trail).count == 6)
        }
    }

    @Test func `fixes from tomorrow count as they arrive, each of them`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            try await share(server, "", end: clock.now.advanced(bySeconds: 7_200))
            clock.advance(10)
            let fixes = (1...3).map {
                fix(60 + Double($0) / 100, at: clock.now.advanced(bySeconds: 86_400 + Int64($0)))
            }
            let body = "{\"fixes\":[\(fixes.joined(separator: ","))]}"
            for applied in [3.0, 0] {
                let answer = try await server.call(
                    "POST", "/v1/live-locations/batch", as: "anna", json: body)
                #expect(answer.expect(200).number("applied") == applied)
            }
            let trail = try await server.call("GET", "/v1/messages/m/trail", as: "anna").expect(200)
            #expect(coordinates(trail).map { $0[1] } == [60, 60.01, 60.02, 60.03])
        }
    }

    @Test func `a repeated fix of a wrong clock counts once, however late the repeat`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            try await share(server, "", end: clock.now.advanced(bySeconds: 7_200))
            // A phone that is an hour slow; the way takes another time at each attempt.
            let phone = clock.now.advanced(bySeconds: -3_600)
            for delay in [1.003, 2.471, 0.2] {
                clock.advance(delay)
                let sent = clock.now.advanced(bySeconds: -3_600).advanced(byMilliseconds: -Int64(delay * 10))
                let answer = try await server.call(
                    "PUT", "/v1/live-locations", as: "anna",
                    json: fix(60.5, at: phone, more: #","sent_at":"\#(sent.rfc3339)""#)
                ).expect(200)
                #expect(answer.count("applied") == (delay == 1.003 ? 1 : 0))
            }
            let trail = try await server.call("GET", "/v1/messages/m/trail", as: "anna").expect(200)
            #expect(coordinates(trail).count == 2)
        }
    }

    /// Eight hours of one person, as a phone without a network would send them at last: 10,000 fixes, shuffled
    /// over batches, some twice, by a clock that is an hour and a half slow.
    @Test(.timeLimit(.minutes(3)))
    func `eight hours come in whole and in order, the pin at the newest`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna", "bo"])
            try await share(server, "", end: clock.now.advanced(bySeconds: 28_800))
            let start = clock.now
            let phoneOffset: Int64 = -5_400
            let count = 10_000
            let step: Int64 = 2_870
            clock.advance(28_790)
            var random = SplitMix(seed: 8)
            var order = Array(1...count)
            order += (0..<1_500).map { _ in Int.random(in: 1...count, using: &random) }
            order.shuffle(using: &random)
            let begun = ContinuousClock.now
            for batch in stride(from: 0, to: order.count, by: 500) {
                let sent = clock.now.advanced(bySeconds: phoneOffset)
                let fixes = order[batch..<min(batch + 500, order.count)].map { number in
                    fix(
                        60 + Double(number) * 1e-5,
                        at: start.advanced(bySeconds: phoneOffset).advanced(
                            byMilliseconds: Int64(number) * step))
                }
                try await server.call(
                    "POST", "/v1/live-locations/batch", as: "anna",
                    json: "{\"fixes\":[\(fixes.joined(separator: ","))],\"sent_at\":\"\(sent.rfc3339)\"}"
                ).expect(200)
            }
            let took = begun.duration(to: .now)
            print("eight hours, \(order.count) fixes in batches of 500: \(took)")
            let message = try await server.call("GET", "/v1/messages/m", as: "bo").expect(200)
            #expect(message.number("shared_location", "latitude") == 60 + Double(count) * 1e-5)
            let trail = try await server.call("GET", "/v1/messages/m/trail", as: "bo").expect(200)
            // JSONSerialization does not read every number to its last digit.
            #expect(coordinates(trail).map { Int((($0[1] - 60) * 1e5).rounded()) } == Array(0...count))
            let times = try #require(trail["properties", "coordTimes"] as? [String])
            #expect(
                times == (0...count).map { start.advanced(byMilliseconds: Int64($0) * step).rfc3339 })
        }
    }
}
