import Foundation
import Testing
import YonderModel
import YonderRules

@testable import YonderServer

struct MessageTests {
    private let path = "/v1/channels/team:x/messages"

    @Test func `a message is sent and read`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let text = "on my way! <img onerror=…> \u{202E}🗺️"
            let sent = try await server.call(
                "POST", path, as: "anna", json: #"{"id":"m-1","text":"\#(text)"}"#
            )
            .expect(201)
            #expect(sent.string("id") == "m-1" && sent.string("user", "id") == "anna")
            let read = try await server.call("GET", "/v1/messages/m-1", as: "bo").expect(200)
            #expect(read.string("text") == text && read.string("channel_id") == "team:x")
            #expect(read.number("reply_count") == 0)
        }
    }

    @Test func `a retry is answered with the stored message and another body is a conflict`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let json = #"{"id":"m","text":"a"}"#
            try await server.call("POST", path, as: "anna", json: json).expect(201)
            try await server.call("POST", path, as: "anna", json: json).expect(200)
            let late = #"{"id":"m","text":"a","sent_at":"2026-01-01T00:00:00Z"}"#
            try await server.call("POST", path, as: "anna", json: late).expect(200)
            for (user, json) in [("anna", #"{"id":"m","text":"b"}"#), ("bo", json)] {
                try await server.call("POST", path, as: user, json: json).expect(409, code: "conflict")
            }
            #expect(try await server.call("GET", path, as: "bo").count("messages") == 1)
        }
    }

    @Test func `pages go back and forth without gaps`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            for number in 0..<7 {
                try await server.call("POST", path, as: "anna", json: #"{"id":"m\#(number)","text":"t"}"#)
                    .expect(201)
            }
            func ids(_ query: String) async throws -> [String?] {
                let page = try await server.call("GET", path + query, as: "anna").expect(200)
                return (0..<(page.count("messages") ?? 0)).map { page.string("messages", String($0), "id") }
            }
            #expect(try await ids("") == ["m0", "m1", "m2", "m3", "m4", "m5", "m6"])
            #expect(try await ids("?limit=2") == ["m5", "m6"])
            #expect(try await ids("?limit=3&before=m5") == ["m2", "m3", "m4"])
            #expect(try await ids("?limit=2&after=m1") == ["m2", "m3"])
            #expect(try await ids("?before=m0") == [])
            for (query, field) in [
                ("?limit=0", "?limit"), ("?limit=101", "?limit"), ("?limit=x", "?limit"),
                ("?before=nope", "?before"), ("?after=a%20b", "?after"),
            ] {
                try await server.call("GET", path + query, as: "anna")
                    .expect(422, code: "invalid_argument", field: field)
            }
        }
    }

    static let refused: [(json: String, code: String, field: String)] = [
        ("{}", "invalid_argument", "/text"), (#"{"text":""}"#, "invalid_argument", "/text"),
        (#"{"text":1}"#, "invalid_argument", "/text"),
        (#"{"id":"a b","text":"x"}"#, "invalid_argument", "/id"),
        (#"{"id":"🗺️","text":"x"}"#, "invalid_argument", "/id"), ("[]", "invalid_argument", ""),
        (#"{"shared_location":{"longitude":1}}"#, "invalid_argument", "/shared_location/latitude"),
        (
            #"{"shared_location":{"latitude":"1","longitude":1}}"#, "invalid_argument",
            "/shared_location/latitude"
        ),
        (
            #"{"shared_location":{"latitude":1,"longitude":180.1}}"#, "invalid_argument",
            "/shared_location/longitude"
        ),
        (
            #"{"shared_location":{"latitude":1e400,"longitude":1}}"#, "invalid_argument",
            "/shared_location/latitude"
        ),
        (
            #"{"shared_location":{"latitude":1,"longitude":1,"recorded_at":"2026-11-30T12:00:00"}}"#,
            "invalid_argument", "/shared_location/recorded_at"
        ),
        (
            #"{"shared_location":{"latitude":1,"longitude":1,"device_id":"nobody"}}"#,
            "invalid_argument", "/shared_location/device_id"
        ),
        (
            #"{"shared_location":{"latitude":1,"longitude":1,"fed_by":"anna-phone"}}"#,
            "invalid_argument", "/shared_location/fed_by"
        ),
        (
            #"{"shared_location":{"latitude":1,"longitude":1,"end_at":"2099-01-01T00:00:00Z"}}"#,
            "device_required", "/shared_location/device_id"
        ),
        (
            #"{"shared_location":{"latitude":1,"longitude":1,"end_at":"2099-01-01T00:00:00Z","device_id":"anna-phone"}}"#,
            "invalid_argument", "/shared_location/end_at"
        ),
        (
            #"{"shared_location":{"latitude":1,"longitude":1,"end_at":"2020-01-01T00:00:00Z","device_id":"anna-phone"}}"#,
            "invalid_argument", "/shared_location/end_at"
        ),
        (
            #"{"parent_id":"m","shared_location":{"latitude":1,"longitude":1}}"#, "location_in_thread",
            "/shared_location"
        ),
    ]

    @Test func `a wrong value is named and nothing is stored`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            for (json, code, field) in Self.refused {
                try await server.call("POST", path, as: "anna", json: json)
                    .expect(422, code: code, field: field)
            }
            let long = String(repeating: "x", count: 20_001)
            try await server.call("POST", path, as: "anna", json: #"{"text":"\#(long)"}"#)
                .expect(422, code: "invalid_argument", field: "/text")
            for json in ["", "{", "{\"text\":\"a\"} x", #"{"shared_location":{"latitude":NaN}}"#] {
                try await server.call("POST", path, as: "anna", json: json).expect(400, code: "invalid_json")
            }
            let invalid = Array(#"{"text":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
            try await server.call("POST", path, as: "anna", json: "", body: invalid)
                .expect(400, code: "invalid_json")
            try await server.call(
                "POST", path, as: "anna", body: Array("text=a".utf8),
                headers: [(name: "Content-Type", value: "text/plain")]
            ).expect(415, code: "unsupported_media_type")
            let huge = [UInt8](repeating: 0x20, count: 300_000)
            try await server.call("POST", path, as: "anna", body: huge).expect(413, code: "payload_too_large")
            #expect(try await server.call("GET", path, as: "anna").count("messages") == 0)
        }
    }

    @Test func `text of 20,000 characters is taken whole`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            let long = String(repeating: "🗺", count: 20_000)
            try await server.call("POST", path, as: "anna", json: #"{"id":"m","text":"\#(long)"}"#).expect(
                201)
            #expect(try await server.call("GET", "/v1/messages/m", as: "anna").string("text") == long)
        }
    }

    @Test func `a static location is stored to the last digit and never moves`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            try await server.call(
                "POST", path, as: "anna",
                json: """
                    {"id":"m","shared_location":{"latitude":-0.30000000000000004,"longitude":179.99999999999997,
                    "accuracy":0,"heading":360,"speed":-1,"device_id":"anna-phone"}}
                    """
            ).expect(201)
            try await server.call(
                "PUT", "/v1/live-locations", as: "anna", json: #"{"latitude":1,"longitude":1}"#
            ).expect(200)
            let read = try await server.call("GET", "/v1/messages/m", as: "anna")
            // Byte for byte: JSONSerialization itself rounds.
            let text = read.text
            #expect(text.contains(#""latitude":-0.30000000000000004"#))
            #expect(text.contains(#""longitude":179.99999999999997"#))
            #expect(read.number("shared_location", "heading") == 0)
            #expect(read["shared_location", "accuracy"] == nil && read["shared_location", "speed"] == nil)
            #expect(read["shared_location", "end_at"] == nil)
            #expect(read["shared_location", "active"] as? Bool == false)
        }
    }
}
