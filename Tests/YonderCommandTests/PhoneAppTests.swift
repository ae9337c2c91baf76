import Foundation
import Testing
import YonderCurl

@testable import yonder

struct PhoneAppTests {
    private static let account = PhoneApp.Account(
        server: "https://yonder.example", user: "anna", device: "phone:1",
        key: "7t2mz5c8qk1vw9d3xr6n0b4hjy5pg8se", passphrase: "c4k9w2x7v1z6q3n8d5r0t4m2b7h1jp6y")

    @Test(arguments: [
        (
            PhoneApp.owntracks,
            [
                "HTTP", "https://yonder.example/ingest/owntracks", "anna", account.key, account.passphrase,
            ]
        ),
        (.overland, ["https://yonder.example/ingest/overland", account.key, "phone:1"]),
        (.traccar, ["https://yonder.example/ingest/osmand", account.key]),
        (
            .osmand,
            [
                "https://yonder.example/ingest/gpslogger?id=\(account.key)"
                    + "&lat={0}&lon={1}&timestamp={2}&acc={3}&alt={4}&spd={5}&dir={6}"
            ]
        ),
        (
            .gpslogger,
            [
                "https://yonder.example/ingest/gpslogger?id=\(account.key)&lat=%LAT&lon=%LON"
                    + "&timestamp=%TIMESTAMP&acc=%ACC&alt=%ALT&spd=%SPD&dir=%DIR&batt=%BATT", "GET",
            ]
        ),
    ])
    func `an app is told where it sends and as whom`(app: PhoneApp, values: [String]) {
        #expect(app.settings(Self.account).map(\.value) == values)
    }

    @Test func `OwnTracks' link holds its configuration`() throws {
        let link = try #require(PhoneApp.owntracks.link(Self.account))
        let start = "owntracks:///config?inline="
        #expect(link.hasPrefix(start))
        let coded = try #require(link.dropFirst(start.count).removingPercentEncoding)
        let json = try #require(Data(base64Encoded: coded))
        let read = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(read["_type"] as? String == "configuration" && read["mode"] as? Int == 3)
        #expect(read["url"] as? String == "https://yonder.example/ingest/owntracks")
        #expect(read["username"] as? String == "anna" && read["password"] as? String == Self.account.key)
        #expect(read["auth"] as? Bool == true && read["deviceId"] as? String == "phone:1")
        #expect(read["tid"] as? String == "AN" && read["encryptionKey"] == nil)
    }

    @Test(arguments: [
        ("https://yonder.example", nil), ("http://192.168.1.5:8080", "over http the key"),
        ("http://localhost:8080", "a phone does not reach localhost"),
        ("http://[::1]:8080", "a phone does not reach ::1"),
    ])
    func `an address that a phone cannot use well is named`(server: String, beginning: String?) throws {
        let said = ConnectCommand.problem(reaching: try #require(URL(string: server)))
        #expect((said?.hasPrefix(beginning ?? "") ?? false) == (beginning != nil))
        #expect((said == nil) == (beginning == nil))
    }

    @Test func `the links of the others say the same`() {
        #expect(
            PhoneApp.overland.link(Self.account)
                == "overland://setup?url=https%3A%2F%2Fyonder.example%2Fingest%2Foverland"
                + "&token=\(Self.account.key)&device_id=phone%3A1")
        #expect(
            PhoneApp.traccar.link(Self.account)
                == "https://yonder.example/ingest/osmand?id=\(Self.account.key)")
        #expect(PhoneApp.osmand.link(Self.account) == nil && PhoneApp.gpslogger.link(Self.account) == nil)
    }
}

/// The program itself, beside a real server.
struct ConnectTests {
    private static func status(_ url: String) async throws -> Int {
        try await CurlHTTP().perform(CurlRequest(url: url)).status
    }

    @Test(.timeLimit(.minutes(2)))
    func `a connected app moves a share that its device feeds`()
        async throws
    {
        try await Place.run { place in
            let connect = try Program(
                ["connect", "traccar", "--device", "old"], environment: place.environment(place.anna))
            #expect(try await connect.status() == 0, "\(connect.problemText)")
            #expect(connect.text.contains(/Device identifier  [0-9a-z]{32}/))
            #expect(connect.text.contains("\(place.base)/ingest/osmand"))
            #expect(connect.text.contains("\u{2580}"), "no QR code")
            #expect(connect.problemText.contains("a phone does not reach 127.0.0.1"))
            #expect(!connect.text.contains("good no more"))
            let second = try Program(
                ["connect", "overland", "--device", "old"], environment: place.environment(place.anna))
            #expect(try await second.status() == 0)
            #expect(second.text.contains("The key that it had before is good no more."))
            let key = try #require(second.text.firstMatch(of: /Access token  +([0-9a-z]{32})/)?.1)
            let share = try Program(
                ["share", "--at", "60.1,24.9", "--fed-by", "old", "--for", "10m"],
                environment: place.environment(place.anna))
            try await share.waits(for: "sharing in messaging:berlin")
            let sent = try await Self.status("\(place.base)/ingest/osmand?id=\(key)&lat=60.25&lon=24.9")
            #expect(sent == 200)
            let list = try await place.call("GET", "/v1/live-locations", place.anna)
            let active = list["active_live_locations"] as? [[String: Any]] ?? []
            #expect(active.first?["latitude"] as? Double == 60.25)
            #expect(active.first?["fed_by"] as? String == "old")
            share.send(SIGINT)
            #expect(try await share.status() == 0)
            #expect(share.text.contains("stopped"))
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a device that is there keeps its name, and a new one is called after its app`() async throws {
        try await Place.run { place in
            _ = try await place.call(
                "POST", "/v1/devices", place.anna,
                #"{"id":"pixel","name":"Anna's Pixel","platform":"android"}"#)
            for words in [
                ["gpslogger", "--device", "pixel"], ["overland"], ["owntracks", "--name", "Bike"],
            ] {
                let connect = try Program(
                    ["connect", "--no-qr"] + words, environment: place.environment(place.anna))
                #expect(try await connect.status() == 0, "\(connect.problemText)")
            }
            let list = try await place.call("GET", "/v1/devices", place.anna)
            let devices = (list["devices"] as? [[String: Any]] ?? []).filter { $0["has_ingest_key"] != nil }
            #expect(
                devices.map { "\($0["name"] ?? "-") \($0["platform"] ?? "-")" }.sorted()
                    == ["Anna's Pixel android", "Bike -", "Overland ios"])
        }
    }

    @Test func `an app that is unknown is named, with what is known`() async throws {
        let program = try Program(["connect", "owntrack"])
        #expect(try await program.status() == 2)
        #expect(program.problemText.contains("owntracks"))
    }
}

struct IngestCheckTests {
    /// What the program says of a request.
    private func check(_ request: String, _ options: [String] = []) async throws -> (
        status: Int32, text: String
    ) {
        let file = FileManager.default.temporaryDirectory.appending(path: "request-\(UUID().uuidString)")
        try Data(request.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let program = try Program(["ingest-check", file.path()] + options)
        let status = try await program.status()
        return (status, program.text + program.problemText)
    }

    @Test func `a whole request is read with its address and its fields`() async throws {
        let (status, text) = try await check(
            """
            POST /ingest/owntracks HTTP/1.1\r
            Host: yonder.example\r
            Authorization: Basic YW5uYTpr\r
            \r
            {"_type":"location","lat":60.2,"lon":24.95,"tst":1796040000,"acc":8,"vel":36,"cog":90,"batt":55}
            """)
        #expect(status == 0)
        #expect(text.contains("POST request of OwnTracks, 1 record"))
        #expect(
            text.contains(
                "fix: 60.2, 24.95, at 2026-11-30T12:00:00.000Z, within 8.0 m, 10.0 m/s, heading 90.0°, battery 55.0 %"
            ))
    }

    @Test(
        arguments: [
            (#"{"locations":[{},{"type":"Feature"}]}"#, [], 1, "2  dropped, malformed"),
            (#"{"_type":"waypoint"}"#, [], 0, "dropped, not_a_fix"),
            ("lat=1&lon=91", ["--app", "osmand"], 0, "fix: 1.0, 91.0, without a time: when it arrives"),
            ("lat=1&lon=2", [], 2, "say --app APP"),
            ("GET /ingest/osmand?lat=91&lon=2 HTTP/1.1\n\n", [], 1, "it carries no ingest key"),
            ("GET /elsewhere?lat=1&lon=2 HTTP/1.1\n\n", [], 2, "say --app APP"),
            (#"{"_type":"encrypted","data":"AAAA"}"#, ["--passphrase", "x"], 1, "undecipherable"),
            ("", ["--app", "owntracks"], 0, "dropped, empty"),
            (
                "GET /ingest/gpslogger?lat=1&lon=2 HTTP/1.1\n\n", ["--app", "osmand"], 2,
                "--app: expected gpslogger"
            ),
            ("x", ["--app", "none"], 2, "owntracks, overland, osmand, gpslogger"),
        ] as [(String, [String], Int32, String)])
    func `what would be dropped is said, and why`(
        request: String, options: [String], status: Int32, part: String
    ) async throws {
        let said = try await check(request, options)
        #expect(said.status == status, "\(said.text)")
        #expect(said.text.contains(part), "\(said.text)")
    }
}
