import Foundation
import Testing
import YonderModel

@testable import YonderServer

/// The keys by which phone apps speak for devices.
struct IngestKeyTests {
    private let location = #"{"_type":"location","lat":60.2,"lon":24.95}"#

    @Test func `a key is 32 characters, shown once and kept only as a hash; so is the passphrase`()
        async throws
    {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            for secret in [world.key, world.passphrase] {
                #expect(secret.count == 32 && secret.allSatisfy { $0.isLowercase || $0.isNumber })
            }
            #expect(world.key != world.passphrase)
            try await world.post("owntracks", location).expect(200)
            let files = try FileManager.default.contentsOfDirectory(atPath: server.folder)
            #expect(files.contains { $0.hasSuffix("-wal") })
            for file in files {
                let path = server.folder + "/" + file
                guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { continue }
                #expect(data.range(of: Data(world.key.utf8)) == nil, "\(file)")
                #expect(data.range(of: Data(world.passphrase.utf8)) == nil, "\(file)")
            }
            try await world.get("osmand", "lat=60.1234567&lon=25").expect(200)
            try await world.get("osmand", "lat=91.1234567&lon=25").expect(200)
            let page = try await server.call("GET", "/metrics", as: "root", role: .admin).expect(200).text
            for text in [server.log(), page] {
                #expect(!text.contains(world.key) && !text.contains(".1234567"))
            }
        }
    }

    @Test
    func `it comes as HTTP Basic, as a bearer's token, or as a parameter where the app knows no header`()
        async throws
    {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let bearer = [(name: "Authorization", value: "Bearer \(world.key)")]
            for app in IngestApp.allCases.map(\.rawValue) {
                try await world.post(app, "").expect(200)
                try await server.call("POST", "/ingest/\(app)", headers: bearer).expect(200)
                let takesParameter = app == "osmand" || app == "gpslogger"
                try await server.call("POST", "/ingest/\(app)?id=\(world.key)").expect(
                    takesParameter ? 200 : 401)
                try await server.call("POST", "/ingest/\(app)?deviceid=\(world.key)")
                    .expect(takesParameter ? 200 : 401)
            }
        }
    }

    @Test func `whoever has no good key is told so`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let refusals = [
                try await world.post("owntracks", location, user: "bo"),
                try await world.post("owntracks", location, key: world.passphrase),
                try await world.post("owntracks", location, key: ""),
                try await server.call("POST", "/ingest/owntracks", as: "anna", json: location),
                try await server.call("POST", "/ingest/overland", json: "{}"),
                try await server.call("GET", "/ingest/osmand?lat=1&lon=2"),
                try await server.call("GET", "/ingest/gpslogger?id=x&lat=1&lon=2"),
                try await server.call(
                    "POST", "/ingest/owntracks", headers: [("Authorization", "Basic ???")]),
            ]
            for refusal in refusals {
                refusal.expect(401, code: "unauthenticated")
                #expect(refusal.header("www-authenticate") == #"Basic realm="Yonder", charset="UTF-8""#)
            }
            #expect(try await world.location().number("shared_location", "latitude") == 60.17)
        }
    }

    @Test func `a second key revokes the first, and a revoked one is good for nothing`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            try await world.post("owntracks", location).expect(200)
            let second = try await IngestWorld.connect("anna", server).key
            try await world.post("owntracks", location).expect(401)
            try await world.post("owntracks", location, key: second).expect(200)
            try await server.call("DELETE", "/v1/devices/app/ingest-key", as: "anna").expect(204)
            try await world.post("owntracks", location, key: second).expect(401)
            try await server.call("DELETE", "/v1/devices/app/ingest-key", as: "anna").expect(404)
            try await server.call("POST", "/v1/devices/none/ingest-key", as: "anna").expect(404)
        }
    }

    @Test func `a key goes with its device, and with the account`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let bo = try await IngestWorld.connect("bo", server).key
            try await server.call("DELETE", "/v1/devices/app", as: "anna").expect(204)
            try await world.post("owntracks", location).expect(401)
            try await world.post("owntracks", location, key: bo, user: "bo").expect(200)
            try await server.call("DELETE", "/v1/users/me", as: "bo").expect(204)
            try await world.post("owntracks", location, key: bo, user: "bo").expect(401)
        }
    }

    @Test func `an app moves what its device feeds, and nothing else`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            try await server.call("POST", "/v1/channels", as: "anna", json: #"{"type":"team","id":"y"}"#)
                .expect(201)
            let end = server.now.advanced(bySeconds: 3_000).rfc3339
            try await server.call(
                "POST", "/v1/channels/team:y/messages", as: "anna",
                json: """
                    {"id":"other","shared_location":{"latitude":1,"longitude":2,"device_id":"anna-phone",
                    "end_at":"\(end)"}}
                    """
            ).expect(201)
            try await world.post("owntracks", location).expect(200)
            #expect(try await world.location().number("shared_location", "latitude") == 60.2)
            let other = try await server.call("GET", "/v1/messages/other", as: "anna").expect(200)
            #expect(other.number("shared_location", "latitude") == 1)
            // Given another device, the share takes the app's fixes no more; the app is answered as ever.
            try await server.call(
                "PATCH", "/v1/messages/live/live-location", as: "anna", json: #"{"fed_by":"anna-phone"}"#
            ).expect(200)
            try await world.post("owntracks", location.replacing("60.2", with: "60.3")).expect(200)
            #expect(try await world.location().number("shared_location", "latitude") == 60.2)
        }
    }

    @Test func `a device is seen when its app sends, also where nothing takes its fixes`() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: { clock.now }) { server in
            let world = try await IngestWorld(server)
            try await server.call("DELETE", "/v1/live-locations", as: "anna").expect(204)
            func lastSeen() async throws -> String? {
                let list = try await server.call("GET", "/v1/devices", as: "anna").expect(200)
                let devices = list["devices"] as? [[String: Any]] ?? []
                return devices.first { $0["id"] as? String == "app" }?["last_seen_at"] as? String
            }
            for body in [
                location, #"{"locations":[\#(IngestTests.feature(1, "")),\#(IngestTests.feature(2, ""))]}"#,
            ] {
                clock.advance(120)
                let expected = clock.now.rfc3339
                try await world.post(body == location ? "owntracks" : "overland", body).expect(200)
                let isSeen = await eventually { (try? await lastSeen()) == expected }
                #expect(isSeen)
            }
        }
    }

    @Test func `too many requests and too large ones are refused, and the app tries again`() async throws {
        try await TestServer.run(configure: { $0.limitsRates = true }) { server in
            let world = try await IngestWorld(server)
            var last: Answer?
            for _ in 0..<60 where last?.status != 429 { last = try await world.get("osmand", "lat=1&lon=2") }
            let refusal = try #require(last).expect(429, code: "rate_limited")
            #expect(refusal.header("retry-after").flatMap { Int($0) } ?? 0 > 0)
        }
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            try await world.post("overland", String(repeating: " ", count: 1_048_577)).expect(413)
        }
    }

    @Test func `who has no key costs little, and does not keep people at the same address out`() async throws
    {
        try await TestServer.run(configure: { $0.limitsRates = true }) { server in
            let world = try await IngestWorld(server)
            let body = Array(String(repeating: "a&", count: 500_000).utf8)
            var statuses: [Int] = []
            for _ in 0..<25 {
                statuses.append(try await server.call("POST", "/ingest/osmand", body: body).status)
            }
            #expect(statuses.first == 401 && statuses.last == 429)
            try await server.call("POST", "/v1/login", json: #"{"code":"x"}"#).expect(404)
            try await world.post("owntracks", location).expect(200)
        }
    }

    @Test func `a device says whether it has a key`() async throws {
        try await TestServer.run { server in
            _ = try await IngestWorld(server)
            func marked() async throws -> [String] {
                let list = try await server.call("GET", "/v1/devices", as: "anna").expect(200)
                let devices = list["devices"] as? [[String: Any]] ?? []
                #expect(devices.count == 2)
                return devices.filter { $0["has_ingest_key"] as? Bool == true }.compactMap {
                    $0["id"] as? String
                }
            }
            #expect(try await marked() == ["app"])
            let renamed = try await server.call(
                "POST", "/v1/devices", as: "anna", json: #"{"id":"app","name":"N"}"#)
            #expect(renamed.expect(200)["has_ingest_key"] as? Bool == true)
            try await server.call("DELETE", "/v1/devices/app/ingest-key", as: "anna").expect(204)
            #expect(try await marked() == [])
        }
    }

    @Test func `an ingest key opens nothing else`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let bearer = [(name: "Authorization", value: "Bearer \(world.key)")]
            for path in ["/v1/users/me", "/v1/channels", "/v1/messages/live", "/v1/live-locations"] {
                try await server.call("GET", path, headers: bearer).expect(401)
            }
            try await server.call(
                "PUT", "/v1/live-locations", json: #"{"latitude":1,"longitude":2}"#, headers: bearer
            ).expect(401)
        }
    }
}
