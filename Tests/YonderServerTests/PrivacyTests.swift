import Foundation
import Synchronization
import Testing
import YonderCurl
import YonderGeo
import YonderModel
import YonderRules
import YonderTestSupport

@testable import YonderServer

/// Nothing finer than what was shared leaves by any path.
///
/// Every way out is walked, and all that comes out is searched for what may not: each digit of the places where
/// the sharer really was, and how fast, how high and which way. New routes join by themselves.
struct PrivacyTests {
    /// Where the sharer really is, fix by fix; numbers that stand nowhere by chance.
    private static let truth: [(latitude: Double, longitude: Double)] = [
        (60.171_234_561, 24.941_357_913), (60.172_469_135, 24.943_827_156), (60.183_692_581, 24.957_146_925),
        (60.195_814_726, 24.971_925_838),
    ]
    private static let heading = 123.456_789, speed = 7.891_234_5, altitude = 456.789_123

    /// What may stand in no answer: the numbers to seven digits, as text and as SQLite keeps them.
    private static let needles: [Data] = {
        let numbers = truth.flatMap { [$0.latitude, $0.longitude] } + [heading, speed, altitude]
        let texts = numbers.map { Data(String($0.description.prefix(8)).utf8) }
        let bytes = numbers.map { number in
            withUnsafeBytes(of: number.bitPattern.bigEndian) { Data($0) }
        }
        return texts + bytes
    }()

    private static func place(_ index: Int) -> String {
        """
        "latitude":\(truth[index].latitude),"longitude":\(truth[index].longitude),"accuracy":4,
        "heading":\(heading),"speed":\(speed),"altitude":\(altitude)
        """
    }

    /// All that came out.
    private final class Haul: Sendable {
        private let items = Mutex<[(way: String, bytes: Data)]>([])

        func add(_ way: String, _ bytes: Data) { items.withLock { $0.append((way, bytes)) } }

        func add(_ way: String, _ socket: TestSocket) {
            let events = socket.events()
            items.withLock { items in
                for event in events {
                    guard let data = try? JSONSerialization.data(withJSONObject: event.json) else { continue }
                    items.append((way, data))
                }
            }
        }

        /// Ways by which something came out that may not, and how many ways there were.
        func leaks() -> (ways: [String], count: Int) {
            items.withLock { items in
                let leaking = items.filter { item in
                    PrivacyTests.needles.contains { item.bytes.range(of: $0) != nil }
                }
                return (leaking.map(\.way), Set(items.map(\.way)).count)
            }
        }
    }

    private func share(_ server: TestServer, precision: String, more: String = "") async throws {
        let end = Timestamp.now.advanced(bySeconds: 600).rfc3339
        try await server.call(
            "POST", "/v1/channels/team:x/messages", as: "anna",
            json: """
                {"id":"m","text":"here","shared_location":{\(Self.place(0)),"device_id":"anna-phone",
                "end_at":"\(end)","precision":"\(precision)"\(more)}}
                """
        ).expect(201)
    }

    /// Moves by a PUT, by the socket, by a batch with an older fix.
    private func move(_ server: TestServer) async throws {
        try await server.call("PUT", "/v1/live-locations", as: "anna", json: "{\(Self.place(1))}").expect(200)
        let socket = try await TestSocket.connect(server.base, token: server.token("anna"))
        socket.send("{\"op\":\"fix\",\"id\":1,\(Self.place(2))}")
        #expect(await eventually { socket.events("ack").first?.json["applied"] as? [String] == ["m"] })
        socket.close()
        let fixes = [(3, Int64(0)), (1, -2)].map { index, offset in
            let time = Timestamp.now.advanced(bySeconds: offset).rfc3339
            return "{\(Self.place(index)),\"recorded_at\":\"\(time)\"}"
        }
        try await server.call(
            "POST", "/v1/live-locations/batch", as: "anna",
            json: "{\"fixes\":[\(fixes.joined(separator: ","))]}"
        ).expect(200)
    }

    /// Moves by a phone app; a friend's app asks who shares with it.
    private func moveByApp(_ server: TestServer, _ haul: Haul) async throws {
        func key(_ user: String) async throws -> String {
            let made = try await server.call("POST", "/v1/devices/\(user)-phone/ingest-key", as: user)
            return made.expect(201).string("key") ?? ""
        }
        let place = Self.truth[2]
        let moved = try await server.call(
            "GET",
            """
            /ingest/osmand?id=\(try await key("anna"))&lat=\(place.latitude)&lon=\(place.longitude)&\
            altitude=\(Self.altitude)&bearing=\(Self.heading)
            """)
        haul.add("an app's answer", Data(moved.expect(200).response.body))
        let friends = try await server.call(
            "POST", "/ingest/owntracks", json: #"{"_type":"location","lat":1,"lon":2}"#,
            headers: headers(try await key("bo")))
        #expect(friends.expect(200).text.contains(#""location""#))
        haul.add("a friend's OwnTracks", Data(friends.response.body))
    }

    /// Asks every route that reads, with all that the names in it can stand for.
    private func readEverything(
        _ server: TestServer, _ haul: Haul, _ who: String, _ headers: [(name: String, value: String)]
    ) async throws {
        for row in AuthorisationTests.table where row.method == "GET" {
            let path = row.pattern.replacing("{cid}", with: "team:x").replacing("{id}", with: "m")
                .replacing("{user}", with: "anna")
            for query in ["", "?format=gpx", "?simplify=1", "?limit=100"] {
                let answer = try await server.call("GET", path + query, headers: headers)
                haul.add("\(who): \(row.name)", Data(answer.response.body))
                for (name, value) in answer.response.headers {
                    haul.add("\(who): \(row.name)", Data("\(name): \(value)".utf8))
                }
                if answer.header("content-type") == "application/zip" {
                    let files = try Unzipped(answer.response.body)
                    for name in files.names {
                        haul.add("\(who): \(name)", Data((files.text(name) ?? "").utf8))
                    }
                }
            }
        }
    }

    private func headers(_ token: String) -> [(name: String, value: String)] {
        [("Authorization", "Bearer \(token)")]
    }

    @Test func `an approximate share's exact place comes out nowhere, not even in the data folder`()
        async throws
    {
        let haul = Haul()
        let folder = NSTemporaryDirectory() + "yonder-privacy-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func addFolder(_ way: String) throws {
            for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
                haul.add(
                    "\(way): \(file)", try Data(contentsOf: URL(filePath: folder).appending(path: file)))
            }
        }
        try await TestServer.run(folder: folder) { server in
            try await server.makeChannel(["anna", "bo"])
            let sockets = [try await server.watch("anna"), try await server.watch("bo")]
            try await share(server, precision: "approximate", more: #","keep_trail":true"#)
            // A link that asks for more gets no more.
            let link = try await server.call(
                "POST", "/v1/messages/m/links", as: "anna", json: #"{"precision":"exact"}"#
            ).expect(201)
            haul.add("the link's making", Data(link.response.body))
            let token = link.string("token") ?? ""
            let guest = try await TestSocket.connect(server.base, token: token)
            guest.send(#"{"op":"subscribe","id":1,"share":"m"}"#)
            #expect(await eventually { !guest.events("share.state").isEmpty })
            try await move(server)
            try await moveByApp(server, haul)
            #expect(await eventually { guest.events("location.updated").count >= 1 })
            #expect(await eventually { sockets[1].events("location.updated").count >= 1 })
            try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "bo",
                json: #"{"id":"quote","text":"q","quoted_message_id":"m"}"#
            ).expect(201)
            let repeated = try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "anna",
                json: #"{"id":"m","text":"other","shared_location":{\#(Self.place(0))}}"#)
            haul.add("a conflict", Data(repeated.response.body))
            let wrong = try await server.call(
                "PUT", "/v1/live-locations", as: "anna", json: "{\(Self.place(0)),\"battery\":7}")
            haul.add("a refusal", Data(wrong.expect(422).response.body))
            let seen = try await server.call("GET", "/v1/messages/m", as: "bo").expect(200)
            #expect(seen.string("shared_location", "precision") == "approximate")
            #expect((seen.number("shared_location", "accuracy") ?? 0) > 700)
            try await server.call("GET", "/v1/messages/m/trail", as: "bo").expect(404)
            let trail = try await server.call("GET", "/v1/messages/m/trail", as: "anna").expect(200)
            #expect((trail.count("geometry", "coordinates") ?? 0) >= 2)
            for (who, token) in [
                ("owner", server.token("anna")), ("member", server.token("bo")), ("guest", token),
                ("admin", server.token("root", role: .admin)),
            ] { try await readEverything(server, haul, who, headers(token)) }
            try addFolder("data, running")
            let changed = Timestamp.now.advanced(bySeconds: 900).rfc3339
            let extended = try await server.call(
                "PATCH", "/v1/messages/m/live-location", as: "anna", json: #"{"end_at":"\#(changed)"}"#)
            haul.add("an extension", Data(extended.expect(200).response.body))
            let late = try await replay(server, "bo")
            let ended = try await server.call("DELETE", "/v1/messages/m/live-location", as: "anna")
            haul.add("a stop", Data(ended.expect(200).response.body))
            #expect(await eventually { guest.closeCode == 4401 })
            for (number, socket) in (sockets + [guest, late, try await replay(server, "bo")]).enumerated() {
                haul.add("socket \(number)", socket)
                socket.close()
            }
            haul.add("the log", Data(server.log().utf8))
        }
        try addFolder("data, stopped")
        let (ways, count) = haul.leaks()
        #expect(ways == [], "the exact place came out by \(Set(ways))")
        #expect(count > 80)
    }

    private func replay(_ server: TestServer, _ user: String) async throws -> TestSocket {
        let socket = try await TestSocket.connect(server.base, token: server.token(user))
        socket.send(#"{"op":"subscribe","id":1,"channels":["team:x"],"since":{"team:x":0}}"#)
        #expect(await eventually { !socket.events("channel.state").isEmpty })
        #expect(socket.events("location.started").count == 1)
        return socket
    }

    @Test func `the guest of an approximate link on an exact share never gets the exact place`() async throws
    {
        let haul = Haul()
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            try await share(server, precision: "exact", more: #","keep_trail":true"#)
            let link = try await server.call(
                "POST", "/v1/messages/m/links", as: "anna", json: #"{"precision":"approximate"}"#
            ).expect(201)
            let token = link.string("token") ?? ""
            let early = try await TestSocket.connect(server.base, token: token)
            early.send(#"{"op":"subscribe","id":1,"share":"m"}"#)
            #expect(await eventually { !early.events("share.state").isEmpty })
            try await move(server)
            #expect(await eventually { early.events("location.updated").count >= 1 })
            let member = try await server.call("GET", "/v1/messages/m", as: "bo").expect(200)
            #expect(member.number("shared_location", "latitude") == Self.truth[3].latitude)
            // The search does find what may not come out, where it may.
            let control = Haul()
            control.add("a member's reading", Data(member.response.body))
            #expect(control.leaks().ways == ["a member's reading"])
            let late = try await TestSocket.connect(server.base, token: token)
            late.send(#"{"op":"subscribe","id":1,"share":"m"}"#)
            #expect(await eventually { !late.events("share.state").isEmpty })
            // What is told, read and watched is one and the same cell.
            let read = try await server.call("GET", "/v1/messages/m", headers: headers(token)).expect(200)
            #expect(read.string("shared_location", "precision") == "approximate")
            let latitude = read.number("shared_location", "latitude")
            #expect(late.events("share.state").first?.number("location", "latitude") == latitude)
            #expect(
                await eventually { early.events("location.updated").last?.number("latitude") == latitude })
            try await readEverything(server, haul, "guest", headers(token))
            let changed = Timestamp.now.advanced(bySeconds: 900).rfc3339
            try await server.call(
                "PATCH", "/v1/messages/m/live-location", as: "anna", json: #"{"end_at":"\#(changed)"}"#
            ).expect(200)
            #expect(await eventually { early.events("location.changed").count == 1 })
            try await server.call("DELETE", "/v1/messages/m/live-location", as: "anna").expect(200)
            for (number, socket) in [early, late].enumerated() {
                #expect(await eventually { socket.closeCode == 4401 })
                #expect(socket.events("location.ended").count == 1)
                haul.add("socket \(number)", socket)
            }
            haul.add("the log", Data(server.log().utf8))
            let metrics = try await server.call("GET", "/metrics", as: "root", role: .admin).expect(200)
            haul.add("the metrics", Data(metrics.response.body))
        }
        let (ways, count) = haul.leaks()
        #expect(ways == [], "the exact place came out by \(Set(ways))")
        #expect(count > 20)
    }

    @Test(.timeLimit(.minutes(2)))
    func `ten thousand reads of a share that moves inside one cell give one position`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let start = try #require(Coordinate(latitude: 60.1699, longitude: 24.9384))
            let middle = PrivacyGrid.Cell(containing: start).center
            var random = SplitMix(seed: 3)
            let end = Timestamp.now.advanced(bySeconds: 600).rfc3339
            try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "anna",
                json: """
                    {"id":"m","shared_location":{"latitude":60.1699,"longitude":24.9384,"end_at":"\(end)",
                    "device_id":"anna-phone","precision":"approximate"}}
                    """
            ).expect(201)
            let link = try await server.call("POST", "/v1/messages/m/links", as: "anna", json: "{}")
            let tokens = [server.token("bo"), link.string("token") ?? ""]
            var seen: Set<String> = []
            for number in 0..<10_000 {
                if number.isMultiple(of: 10) {
                    // Anywhere in the cell, and a little outside.
                    let latitude = middle.latitude + .random(in: -0.006...0.006, using: &random)
                    let longitude = middle.longitude + .random(in: -0.012...0.012, using: &random)
                    try await server.call(
                        "PUT", "/v1/live-locations", as: "anna",
                        json: #"{"latitude":\#(latitude),"longitude":\#(longitude)}"#
                    ).expect(200)
                }
                let answer = try await server.call(
                    "GET", "/v1/messages/m", headers: headers(tokens[number % 2]))
                let keys = ["latitude", "longitude", "accuracy", "heading", "speed", "altitude"]
                let values = keys.map { answer.number("shared_location", $0).map { "\($0)" } ?? "-" }
                seen.insert(values.joined(separator: " "))
            }
            #expect(seen.count == 1, "\(seen.count) positions")
        }
    }
}
