import Foundation
import Testing
import YonderModel
import YonderRules
import YonderTestSupport

@testable import YonderServer

/// What OwnTracks shows on its own map, and its encryption, held against PyNaCl.
struct OwnTracksTests {
    /// The messages of an answer.
    private func messages(_ text: String) throws -> [[String: Any]] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]], "\(text)")
    }

    private func location(_ latitude: Double, _ more: String = "") -> String {
        #"{"_type":"location","lat":\#(latitude),"lon":24.95,"tid":"XX"\#(more)}"#
    }

    @Test func `two people see each other while both share, and whoever has ended is not seen`() async throws
    {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let key = try await IngestWorld.connect("bo", server).key
            try await server.call("PATCH", "/v1/users/me", as: "bo", json: #"{"name":"Bo Berg"}"#).expect(200)
            func anna(_ latitude: Double) async throws -> [[String: Any]] {
                try messages(try await world.post("owntracks", location(latitude)).expect(200).text)
            }
            func bo(_ latitude: Double, _ more: String = "") async throws -> [[String: Any]] {
                let answer = try await world.post("owntracks", location(latitude, more), key: key, user: "bo")
                return try messages(answer.expect(200).text)
            }
            // Bo shares nothing yet, and sees Anna.
            #expect(try await anna(60.2).isEmpty)
            #expect(try await bo(60.5).compactMap { $0["_type"] as? String } == ["location", "card"])
            try await world.share("bo-live", by: "bo")
            let time = server.now.wholeSecond.advanced(bySeconds: 2)
            _ = try await bo(
                60.6, #","tst":\#(time.seconds),"acc":12,"alt":30,"vel":36,"cog":90,"batt":55"#)
            let seen = try await anna(60.21)
            #expect(seen.count == 2)
            let place = seen[0]
            #expect(place["_type"] as? String == "location" && place["tid"] as? String == "BB")
            #expect(place["lat"] as? Double == 60.6 && place["lon"] as? Double == 24.95)
            #expect((place["tst"] as? NSNumber)?.int64Value == time.seconds)
            for (key, value) in ["acc": 12, "alt": 30, "vel": 36, "cog": 90, "batt": 55] {
                #expect((place[key] as? NSNumber)?.intValue == value, "\(key)")
            }
            let card = seen[1]
            #expect(card["_type"] as? String == "card" && card["tid"] as? String == "BB")
            #expect(card["name"] as? String == "Bo Berg" && card["face"] == nil)
            #expect(try await bo(60.61).first?["lat"] as? Double == 60.21)

            try await server.call("DELETE", "/v1/messages/live/live-location", as: "anna").expect(200)
            #expect(try await bo(60.62).isEmpty)
            #expect(try await anna(60.22).count == 2)
            try await server.call("DELETE", "/v1/messages/bo-live/live-location", as: "bo").expect(200)
            #expect(try await anna(60.23).isEmpty)
        }
    }

    @Test func `who is in no channel with them sees nobody, and one who has left no more`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let eve = try await IngestWorld.connect("eve", server).key
            let bo = try await IngestWorld.connect("bo", server).key
            #expect(
                try await world.post("owntracks", location(1), key: eve, user: "eve").expect(200).text == "[]"
            )
            #expect(
                try await world.post("owntracks", location(1), key: bo, user: "bo").expect(200).text != "[]")
            try await server.call("DELETE", "/v1/channels/team:x/members/bo", as: "bo").expect(204)
            #expect(
                try await world.post("owntracks", location(1), key: bo, user: "bo").expect(200).text == "[]")
        }
    }

    @Test func `an approximate share stays that on a friend's map`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server, precision: "approximate")
            let bo = try await IngestWorld.connect("bo", server).key
            var places: Set<String> = []
            for step in 0..<20 {
                let latitude = 60.171234 + Double(step) / 100_000
                try await world.post("owntracks", location(latitude, #","vel":36,"cog":90,"alt":31"#)).expect(
                    200)
                let answer = try await world.post("owntracks", location(1), key: bo, user: "bo").expect(200)
                #expect(!answer.text.contains("60.1712") && !answer.text.contains("24.95"))
                let place = try #require(try messages(answer.text).first)
                #expect(place["vel"] == nil && place["cog"] == nil && place["alt"] == nil)
                #expect((place["acc"] as? NSNumber)?.doubleValue ?? 0 > 500)
                places.insert("\(place["lat"] ?? "") \(place["lon"] ?? "")")
            }
            #expect(places.count == 1)
        }
    }

    @Test func `a picture is the card's face where the app can draw it`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let bo = try await IngestWorld.connect("bo", server).key
            func face() async throws -> String? {
                let answer = try await world.post("owntracks", location(1), key: bo, user: "bo").expect(200)
                return try messages(answer.text).last?["face"] as? String
            }
            let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]).base64EncodedString()
            let webp = (Data("RIFF....WEBP".utf8)).base64EncodedString()
            for (image, expected) in [("image/png;base64,\(png)", png), ("image/webp;base64,\(webp)", nil)] {
                try await server.call(
                    "PATCH", "/v1/users/me", as: "anna", json: #"{"image":"data:\#(image)"}"#
                ).expect(200)
                #expect(try await face() == expected)
            }
            // A picture that the app has is not sent again and again; its card would take it away.
            try await server.call(
                "PATCH", "/v1/users/me", as: "anna", json: #"{"image":"data:image/png;base64,\#(png)"}"#
            ).expect(200)
            #expect(try await face() == png)
            let answer = try await world.post("owntracks", location(1), key: bo, user: "bo").expect(200)
            #expect(try messages(answer.text).map { $0["_type"] as? String } == ["location"])
        }
    }

    @Test(arguments: [
        (["Anna Berg", "Bo", "Älva Öst"], ["AB", "BO", "ÄÖ"]),
        (["Anna Berg", "Adam Beck", "Ada Bell"], ["AB", "AD", "AA"]),
        (["", "x", "李 小龙", "🦊", "משה כהן", "𝒜e\u{301} क्षि"], ["?A", "XA", "李小", "?B", "מכ", "?C"]),
    ])
    func `friends have two letters each, and no two the same`(names: [String], expected: [String]) throws {
        let people = names.enumerated().map { number, name in
            User(id: UserId("u\(number)")!, name: name, role: .user, createdTime: .now)
        }
        let marks = OwnTracksFriends.marks(of: people)
        #expect(people.map { marks[$0.id] } == expected)
    }

    @Test func `a friend keeps their letters, whoever else shares`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let zoe = try await IngestWorld.connect("zoe", server).key
            try await server.call(
                "POST", "/v1/channels", as: "zoe", json: #"{"type":"team","id":"y","members":["bo"]}"#
            ).expect(201)
            try await server.call("PUT", "/v1/channels/team:x/members/zoe", as: "anna").expect(201)
            for user in ["anna", "bo"] {
                try await server.call("PATCH", "/v1/users/me", as: user, json: #"{"name":"Ann"}"#).expect(200)
            }
            func marks() async throws -> [String: Double] {
                let answer = try await world.post("owntracks", location(1), key: zoe, user: "zoe").expect(200)
                let places = try messages(answer.text).filter { $0["_type"] as? String == "location" }
                return Dictionary(
                    uniqueKeysWithValues: places.map { ($0["tid"] as! String, $0["lat"] as! Double) })
            }
            #expect(try await marks() == ["AN": 60.17])
            _ = try await IngestWorld.connect("bo", server)
            let end = server.now.advanced(bySeconds: 600).rfc3339
            try await server.call(
                "POST", "/v1/channels/team:y/messages", as: "bo",
                json: """
                    {"id":"bo-y","shared_location":{"latitude":61,"longitude":24,"device_id":"bo-phone",
                    "end_at":"\(end)"}}
                    """
            ).expect(201)
            #expect(try await marks() == ["AN": 60.17, "AA": 61])
            try await server.call("DELETE", "/v1/live-locations", as: "anna").expect(204)
            #expect(try await marks() == ["AA": 61])
            try await server.call("DELETE", "/v1/live-locations", as: "bo").expect(204)
            try await world.share("anna-again", by: "anna")
            #expect(try await marks() == ["AN": 60.17])
        }
    }

    @Test func `1,000 people of one name have marks of their own`() throws {
        let people = (0..<1_000).map {
            User(id: UserId("u\($0)")!, name: "Ann", role: .user, createdTime: .now)
        }
        let marks = OwnTracksFriends.marks(of: people)
        #expect(marks.count == 1_000 && Set(marks.values).count == 1_000)
        #expect(marks.values.allSatisfy { $0.count == 2 })
    }

    /// Runs PyNaCl with a passphrase as OwnTracks pads it.
    private func nacl(_ passphrase: String, _ expression: String, _ text: String) async throws -> String {
        let python = URL(fileURLWithPath: ".cache/venv/bin/python")
        let process = try ChildProcess(
            python,
            [
                "-c",
                """
                import base64, sys, nacl.secret
                box = nacl.secret.SecretBox(sys.argv[1].encode().ljust(32, b"\\0"))
                sys.stdout.write(\(expression))
                """, passphrase, text,
            ], environment: [:])
        #expect(await process.status() == 0, "\(process.problemText)")
        return process.text
    }

    private func sealed(_ text: String, _ passphrase: String) async throws -> String {
        let data = try await nacl(
            passphrase, "base64.b64encode(box.encrypt(sys.argv[2].encode())).decode()", text)
        return #"{"_type":"encrypted","data":"\#(data)"}"#
    }

    private func opened(_ answer: Answer, _ passphrase: String) async throws -> String {
        let data = try #require(answer.string("data"))
        #expect(answer.string("_type") == "encrypted")
        return try await nacl(passphrase, "box.decrypt(base64.b64decode(sys.argv[2])).decode()", data)
    }

    @Test func `what PyNaCl has encrypted is read, and PyNaCl reads the answer`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            _ = try await IngestWorld.connect("bo", server)
            try await world.share("bo-live", by: "bo")
            let fix = try await sealed(location(60.25), world.passphrase)
            let answer = try await world.post("owntracks", fix).expect(200)
            #expect(try await world.location().number("shared_location", "latitude") == 60.25)
            let friends = try messages(try await opened(answer, world.passphrase))
            #expect(friends.compactMap { $0["_type"] as? String } == ["location", "card"])
            #expect(!answer.text.contains("60.17"))
            for text in [#"{"_type":"lwt","tst":1}"#, "", "{", #"{"_type":"encrypted","data":""}"#] {
                let answer = try await world.post("owntracks", try await sealed(text, world.passphrase))
                #expect(try await opened(answer.expect(200), world.passphrase) == "[]", "\(text)")
            }
        }
    }

    @Test func `another passphrase is counted and answered, and nothing moves`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let wrong = try await sealed(location(60.25), "another passphrase")
            #expect(try await world.post("owntracks", wrong).expect(200).text == "[]")
            #expect(try await world.counted("owntracks", "undecipherable") == 1)
            #expect(try await world.location().number("shared_location", "latitude") == 60.17)
            #expect(try await world.trailCount() == 1)
            // The passphrase of before is another one, too.
            let before = try await sealed(location(60.25), world.passphrase)
            let key = try await IngestWorld.connect("anna", server).key
            #expect(try await world.post("owntracks", before, key: key).expect(200).text == "[]")
            #expect(try await world.location().number("shared_location", "latitude") == 60.17)
        }
    }
}
