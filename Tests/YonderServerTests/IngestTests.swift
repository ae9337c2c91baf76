import Foundation
import Testing
import YonderModel
import YonderRules

@testable import YonderServer

/// What phone apps send, in the shapes of their documentation, over a real socket.
struct IngestTests {
    /// One request of an app, whose fix was measured at a time.
    struct Sent: Sendable {
        let name: String
        let send: @Sendable (IngestWorld, Timestamp) async throws -> Answer

        init(
            _ name: String, _ send: @escaping @Sendable (IngestWorld, Timestamp) async throws -> Answer
        ) {
            self.name = name
            self.send = send
        }
    }

    /// A feature of Overland's.
    static func feature(_ latitude: Double, _ properties: String) -> String {
        """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[24.95,\(latitude)]},"properties":{\(properties)}}
        """
    }

    /// 10 m/s eastwards at 60.2, 24.95 with 8 m and 55 %, as several versions of the apps say it.
    static let fixes: [Sent] = [
        Sent("OwnTracks for iOS") { world, time in
            try await world.post(
                "owntracks",
                """
                {"_type":"location","BSSID":"b0:f2:8:45:94:33","SSID":"home","acc":8,"alt":13,"batt":55,"bs":1,
                "cog":90,"conn":"w","created_at":\(time.seconds),"inregions":["Home"],"lat":60.2,"lon":24.95,"m":1,
                "p":101.2,"t":"u","tid":"AN","tst":\(time.seconds),"vac":4,"vel":36}
                """)
        },
        Sent("OwnTracks for Android") { world, time in
            try await world.post(
                "owntracks",
                """
                {"_type":"location","_id":"5f2c","acc":8,"alt":13,"batt":55,"bs":2,"cog":90,"conn":"m",
                "created_at":\(time.seconds),"lat":60.2,"lon":24.95,"m":2,"t":"p","tid":"an",
                "topic":"owntracks/user/device","tst":\(time.seconds),"vac":4,"vel":36}
                """)
        },
        Sent("Overland with the newest beside the queue") { world, time in
            let text = time.seconds.iso("yyyy-MM-dd'T'HH:mm:ss'Z'")
            let said = """
                "timestamp":"\(text)","altitude":13,"speed":10,"course":90,"horizontal_accuracy":8,
                "vertical_accuracy":4,"motion":["driving"],"battery_state":"unplugged","battery_level":0.55,
                "wifi":"","device_id":"x"
                """
            return try await world.post(
                "overland", #"{"locations":[],"current":\#(feature(60.2, said)),"trip":{"mode":"bicycle"}}"#)
        },
        Sent("Overland with a zone without a colon") { world, time in
            let text = (time.seconds - 7 * 3_600).iso("yyyy-MM-dd'T'HH:mm:ss") + "-0700"
            let said = """
                "timestamp":"\(text)","altitude":13,"speed":10,"course":90,"horizontal_accuracy":8,
                "vertical_accuracy":4,"speed_accuracy":1,"course_accuracy":3,"motion":[],"battery_level":0.55
                """
            return try await world.post("overland", #"{"locations":[\#(feature(60.2, said))]}"#)
        },
        Sent("Traccar Client's query, in a POST without a body") { world, time in
            try await world.get(
                "osmand",
                """
                timestamp=\(time.seconds)&lat=60.2&lon=24.95&speed=19.438444924406046&bearing=90.0&altitude=13&\
                accuracy=8.0&batt=55.0
                """, method: "POST")
        },
        Sent("OsmAnd's query, milliseconds") { world, time in
            try await world.get(
                "osmand",
                """
                lat=60.2&lon=24.95&timestamp=\(time.milliseconds)&hdop=1.5&altitude=13.0&speed=19.4384&heading=90&\
                accuracy=8&batt=55
                """)
        },
        Sent("a form with the place in one") { world, time in
            let text = time.seconds.iso("yyyy-MM-dd HH:mm:ss").replacing(" ", with: "+")
            return try await world.server.call(
                "POST", "/ingest/osmand",
                body: Array(
                    """
                    deviceid=\(world.key)&location=60.2%2C24.95&timestamp=\(text)&speed=19.4384&bearing=90&\
                    altitude=13&accuracy=8&batt=55&charge=false
                    """.utf8), headers: [("Content-Type", "application/x-www-form-urlencoded")])
        },
        Sent("Traccar Client's JSON") { world, time in
            try await world.server.call(
                "POST", "/ingest/osmand",
                json: """
                    {"location":{"timestamp":"\(time.rfc3339)","coords":{"latitude":60.2,"longitude":24.95,
                    "accuracy":8,"speed":10,"heading":90,"altitude":13},"is_moving":true,"odometer":5,
                    "event":"motionchange","battery":{"level":0.55,"is_charging":false},
                    "activity":{"type":"on_bicycle"},"extras":{}},"device_id":"\(world.key)"}
                    """)
        },
        Sent("GPSLogger's %ALL") { world, time in
            try await world.get(
                "gpslogger",
                """
                lat=60.2&lon=24.95&sat=9&desc=&alt=13.0&acc=8.0&dir=90.0&prov=gps&spd_kph=36.0&spd=10.0&\
                timestamp=\(time.seconds)&timeoffset=\(time.rfc3339)&time=\(time.rfc3339)&starttimestamp=1&\
                date=2026-11-30&batt=55.0&ischarging=false&aid=abc&ser=def&act=&filename=x&profile=Default&\
                hdop=&vdop=null&pdop=&dist=5
                """)
        },
        Sent("GPSLogger by PUT, kilometres an hour, ISO 8601") { world, time in
            try await world.get(
                "gpslogger",
                "lat=60.2&lon=24.95&alt=13&acc=8&dir=90&spd=&spd_kph=36&time=\(time.rfc3339)&batt=55",
                method: "PUT")
        },
        Sent("GPSLogger with a JSON body of the user's own") { world, time in
            try await world.post(
                "gpslogger",
                """
                {"lat":"60.2","lon":"24.95","alt":"13","acc":8,"dir":"90","spd":10,"batt":"55",
                "timestamp":"\(time.seconds)"}
                """)
        },
    ]

    @Test func `ten metres a second are that, however an app spells them`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let start = server.now.wholeSecond.advanced(bySeconds: 1)
            for (number, sent) in Self.fixes.enumerated() {
                let time = start.advanced(bySeconds: Int64(number))
                try await sent.send(world, time).expect(200)
                let read = try await world.location()
                func value(_ key: String) -> Double? { read.number("shared_location", key) }
                #expect(read.string("shared_location", "recorded_at") == time.rfc3339, "\(sent.name)")
                #expect(value("latitude") == 60.2 && value("longitude") == 24.95, "\(sent.name)")
                #expect(value("speed") == 10 && value("heading") == 90, "\(sent.name)")
                #expect(value("battery") == 0.55 && value("accuracy") == 8, "\(sent.name)")
                #expect(value("altitude") == 13, "\(sent.name)")
            }
        }
    }

    /// The same apps when they know less; 60.2, 24.95 and the time alone are known.
    static let unknowns: [Sent] = [
        Sent("OwnTracks that leaves out zeros") { world, time in
            try await world.post(
                "owntracks", #"{"_type":"location","lat":60.2,"lon":24.95,"tst":\#(time.seconds),"tid":"AN"}"#
            )
        },
        Sent("OwnTracks that knows nothing") { world, time in
            try await world.post(
                "owntracks",
                """
                {"_type":"location","lat":60.2,"lon":24.95,"tst":\(time.seconds),"acc":0,"vel":-1,"cog":-1,
                "batt":-1,"vac":-1}
                """)
        },
        Sent("Overland that knows nothing") { world, time in
            let said = """
                "timestamp":"\(time.rfc3339)","speed":-1,"course":-1,"horizontal_accuracy":-1,
                "vertical_accuracy":-1,"battery_level":-1
                """
            return try await world.post("overland", #"{"locations":[\#(feature(60.2, said))]}"#)
        },
        Sent("Traccar Client without a fix of the satellites") { world, time in
            try await world.get(
                "osmand",
                "lat=60.2&lon=24.95&timestamp=\(time.seconds)&accuracy=0&speed=-1&bearing=400&batt=-1")
        },
        Sent("Traccar Client's JSON that knows nothing") { world, time in
            try await world.server.call(
                "POST", "/ingest/osmand",
                json: """
                    {"device_id":"\(world.key)","location":{"timestamp":"\(time.rfc3339)","coords":{"latitude":60.2,
                    "longitude":24.95,"accuracy":-1,"speed":-1,"heading":-1},"battery":{"level":-1}}}
                    """)
        },
        Sent("GPSLogger with words for nothing") { world, time in
            try await world.get(
                "gpslogger",
                "lat=60.2&lon=24.95&timestamp=\(time.seconds)&acc=null&alt=&dir=nan&spd=null&batt=NULL")
        },
        Sent("more than there is") { world, time in
            try await world.get(
                "gpslogger", "lat=60.2&lon=24.95&timestamp=\(time.seconds)&acc=-1&batt=101&dir=361&spd=inf")
        },
    ]

    @Test func `what an app does not know is unknown, and costs no fix`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let start = server.now.wholeSecond.advanced(bySeconds: 1)
            for (number, sent) in Self.unknowns.enumerated() {
                let time = start.advanced(bySeconds: Int64(number))
                try await sent.send(world, time).expect(200)
                let share = try await world.location()["shared_location"] as? [String: Any] ?? [:]
                #expect(share["recorded_at"] as? String == time.rfc3339, "\(sent.name)")
                for key in ["accuracy", "altitude_accuracy", "speed", "heading", "battery"] {
                    #expect(share[key] == nil, "\(sent.name): \(key)")
                }
            }
            // A large circle is one.
            let last = start.advanced(bySeconds: 30)
            try await world.get("osmand", "lat=60.2&lon=24.95&accuracy=5000&timestamp=\(last.seconds)")
            #expect(try await world.location().number("shared_location", "accuracy") == 5_000)
        }
    }

    @Test func `a fix without a time is one of now`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let before = server.now
            try await world.post("owntracks", #"{"_type":"location","lat":60.3,"lon":25}"#).expect(200)
            try await world.post(
                "overland", #"{"locations":[\#(Self.feature(60.4, #""speed":1"#))]}"#
            ).expect(200)
            try await world.get("osmand", "lat=60.5&lon=25").expect(200)
            try await world.get("gpslogger", "lat=60.6&lon=25&timestamp=&time=null").expect(200)
            let read = try await world.location()
            #expect(read.number("shared_location", "latitude") == 60.6)
            let time = read.string("shared_location", "recorded_at").flatMap(Timestamp.init(rfc3339:))
            #expect(try #require(time) >= before && #require(time) <= server.now)
            #expect(try await world.trailCount() == 5)
        }
    }

    @Test(
        arguments: [
            ("owntracks", "[]", "application/json"), ("overland", #"{"result":"ok"}"#, "application/json"),
            ("osmand", "", nil), ("gpslogger", "", nil),
        ] as [(String, String, String?)])
    func `each app gets the answer it waits for, to a fix and to what can never be one`(
        app: String, expected: String, type: String?
    ) async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let bodies = [
                #"{"_type":"location","lat":60.3,"lon":25,"locations":[]}"#, "", "{", "[]", "null",
                #"{"_type":"location","lat":91,"lon":25,"locations":[{}]}"#, "lat=91&lon=25", "\u{0}",
                #"{"_type":"location","lat":60,"lon":25,"tst":"soon","timestamp":"soon","locations":[1]}"#,
            ]
            for body in bodies {
                let answer = try await world.post(app, body).expect(200)
                #expect(answer.text == expected, "\(body)")
                #expect(answer.header("content-type") == type, "\(body)")
            }
        }
    }

    @Test func `51 copies of a fix are one, for every app`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let socket = try await server.watch("bo")
            var expected = 0
            for index in [0, 2, 5, 8] {
                expected += 1
                let time = server.now.wholeSecond.advanced(bySeconds: Int64(expected))
                for _ in 0..<51 { try await Self.fixes[index].send(world, time).expect(200) }
                let count = expected
                let isTold = await eventually { socket.events("location.updated").count == count }
                #expect(isTold, "\(Self.fixes[index].name)")
                #expect(try await world.trailCount() == count + 1)
            }
            // Nothing comes after what is asked for last.
            socket.send(#"{"op":"ping","id":9}"#)
            _ = await eventually(within: 1) { socket.events("location.updated").count > 4 }
            #expect(socket.events("location.updated").count == 4)
        }
    }

    @Test func `a queue that is delivered backwards never moves the pin back`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let socket = try await server.watch("bo")
            let start = server.now.wholeSecond.advanced(bySeconds: 1)
            func place(_ number: Int) -> String {
                let time = start.advanced(bySeconds: Int64(number))
                return Self.feature(60.2 + Double(number) / 1_000, #""timestamp":"\#(time.rfc3339)""#)
            }
            // The queue is long: the newest comes beside its oldest part, then the rest, the newest part first.
            try await world.post(
                "overland",
                #"{"current":\#(place(40)),"locations":[\#((0..<10).map(place).joined(separator: ","))]}"#
            ).expect(200)
            #expect(try await world.location().number("shared_location", "latitude") == 60.24)
            for part in [30..<40, 20..<30, 10..<20] {
                try await world.post(
                    "overland", #"{"locations":[\#(part.reversed().map(place).joined(separator: ","))]}"#
                ).expect(200)
                #expect(try await world.location().number("shared_location", "latitude") == 60.24)
            }
            // One by one, as OwnTracks does it.
            for number in (41..<50).reversed() {
                let time = start.advanced(bySeconds: Int64(number))
                try await world.post(
                    "owntracks",
                    #"{"_type":"location","lat":\#(60.2 + Double(number) / 1_000),"lon":25,"tst":\#(time.seconds)}"#
                ).expect(200)
                #expect(try await world.location().number("shared_location", "latitude") == 60.249)
            }
            #expect(try await world.trailCount() == 1 + 50)
            #expect(await eventually { socket.events("location.updated").count >= 2 })
            let told = socket.events("location.updated").compactMap { $0.number("latitude") }
            #expect(told == [60.24, 60.249])
        }
    }

    /// What moves nothing, why, and for which app.
    static let refused: [(app: String, body: String, reason: IngestRefusal)] = [
        ("owntracks", "", .empty),
        (
            "owntracks", #"{"_type":"waypoint","lat":1,"lon":2,"tst":1700000000,"rad":50,"desc":"Home"}"#,
            .notAFix
        ),
        ("owntracks", #"{"_type":"waypoints","waypoints":[{"lat":1,"lon":2,"tst":1}]}"#, .notAFix),
        ("owntracks", #"{"_type":"transition","lat":1,"lon":2,"tst":1700000000,"event":"enter"}"#, .notAFix),
        ("owntracks", #"{"_type":"lwt","tst":1700000000}"#, .notAFix),
        ("owntracks", #"{"_type":"status","iOS":{"version":"18"}}"#, .notAFix),
        ("owntracks", #"{"_type":"card","name":"Eve","face":"AAAA","lat":1,"lon":2}"#, .notAFix),
        ("owntracks", #"{"_type":"steps","steps":5,"tst":1700000000}"#, .notAFix),
        ("owntracks", #"{"_type":"cmd","action":"reportLocation","lat":1,"lon":2}"#, .notAFix),
        ("owntracks", #"{"lat":1,"lon":2}"#, .malformed),
        ("owntracks", #"{"_type":"location","lat":1}"#, .malformed),
        ("owntracks", #"{"_type":"location","lat":0,"lon":0,"tst":1700000000}"#, .noFix),
        ("owntracks", #"{"_type":"location","lat":91,"lon":2,"tst":1700000000}"#, .badPosition),
        ("owntracks", #"{"_type":"location","lat":1,"lon":-180.5}"#, .badPosition),
        ("owntracks", #"{"_type":"location","lat":1,"lon":2,"tst":"yesterday"}"#, .badTime),
        ("owntracks", #"{"_type":"encrypted","data":"bm8="}"#, .undecipherable),
        ("overland", "", .empty),
        ("overland", #"{"locations":[]}"#, .empty),
        ("overland", #"{"locations":{}}"#, .malformed),
        ("overland", #"{"locations":[\#(feature(0, "").replacing("24.95", with: "0"))]}"#, .noFix),
        ("overland", #"{"locations":[\#(feature(91, ""))]}"#, .badPosition),
        ("overland", #"{"locations":[\#(feature(60, #""timestamp":"noon""#))]}"#, .badTime),
        (
            "overland",
            #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}}]}"#, .malformed
        ),
        ("overland", #"{"locations":[\#(feature(60, #""action":"visit""#))]}"#, .notAFix),
        ("osmand", "", .empty),
        ("osmand", "lat=abc&lon=2", .malformed),
        ("osmand", "lat=0&lon=0", .noFix),
        ("osmand", "lat=0&lon=0&accuracy=0", .noFix),
        ("osmand", "location=91,2", .badPosition),
        ("osmand", "lat=1&lon=2&timestamp=2026-13-01T00:00:00Z", .badTime),
        ("osmand", #"{"location":{"coords":{"latitude":91,"longitude":2}}}"#, .badPosition),
        ("gpslogger", "", .empty),
        ("gpslogger", "lat=1", .malformed),
        ("gpslogger", "lat=0.0&lon=0.0&acc=", .noFix),
        ("gpslogger", "lat=-90.1&lon=0", .badPosition),
        ("gpslogger", "lat=1&lon=2&timestamp=-5", .badTime),
    ]

    @Test func `what can never be a fix moves nothing and is counted`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let before = try await world.location()
            var counts: [String: Int] = [:]
            for (app, body, reason) in Self.refused {
                try await world.post(app, body).expect(200)
                counts["\(app) \(reason.rawValue)", default: 0] += 1
                let count = try await world.counted(app, reason.rawValue)
                #expect(count == counts["\(app) \(reason.rawValue)"], "\(app): \(body)")
            }
            let after = try await world.location()
            for key in ["latitude", "longitude"] {
                #expect(after.number("shared_location", key) == before.number("shared_location", key))
            }
            for key in ["recorded_at", "updated_at"] {
                #expect(after.string("shared_location", key) == before.string("shared_location", key))
            }
            #expect(try await world.trailCount() == 1)
            #expect(server.log().contains("ingest by owntracks: 1 bad_position of 1"))
            #expect(!server.log().contains("180.5") && !server.log().contains("90.1"))
        }
    }

    @Test func `white space around a value is no part of it`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            try await world.get("osmand", "location=60.25,%2024.25").expect(200)
            try await world.get("gpslogger", "lat=%2060.26&lon=+24.26").expect(200)
            try await world.post("gpslogger", "lat=60.27&lon=24.27\n").expect(200)
            #expect(try await world.location().number("shared_location", "longitude") == 24.27)
            #expect(try await world.trailCount() == 4)
            try await world.get("osmand", "lat=0x1p5&lon=24").expect(200)
            #expect(try await world.counted("osmand", "malformed") == 1)
        }
    }

    @Test func `many that say no time are one of now`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let features = (0..<5_000).map { Self.feature(60.2 + Double($0) / 100_000, "") }
            try await world.post("overland", #"{"locations":[\#(features.joined(separator: ","))]}"#).expect(
                200)
            #expect(try await world.trailCount() == 2)
            let read = try await world.location()
            #expect(read.number("shared_location", "latitude") == 60.2 + 4_999.0 / 100_000)
            let time = read.string("shared_location", "recorded_at").flatMap(Timestamp.init(rfc3339:))
            #expect(try #require(time) <= server.now)
        }
    }

    @Test func `one axis at zero is a place, and so is 0, 0 with an accuracy`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            for (latitude, longitude, more) in [(0.0, 24.5, ""), (51.5, 0.0, ""), (0.0, 0.0, "&accuracy=9")] {
                try await world.get("osmand", "lat=\(latitude)&lon=\(longitude)\(more)").expect(200)
                let read = try await world.location()
                #expect(read.number("shared_location", "latitude") == latitude)
                #expect(read.number("shared_location", "longitude") == longitude)
            }
        }
    }

    @Test func `a bad feature among 200 costs nobody else`() async throws {
        try await TestServer.run { server in
            let world = try await IngestWorld(server)
            let start = server.now.wholeSecond.advanced(bySeconds: 1)
            var features = (0..<200).map { number in
                let time = start.advanced(byMilliseconds: Int64(number) * 100)
                return Self.feature(60.2 + Double(number) / 10_000, #""timestamp":"\#(time.rfc3339)""#)
            }
            features[50] = #"{"type":"Feature"}"#
            features[100] = Self.feature(91, "")
            features[199] = "7"
            try await world.post("overland", #"{"locations":[\#(features.joined(separator: ","))]}"#).expect(
                200)
            #expect(try await world.trailCount() == 1 + 197)
            #expect(try await world.location().number("shared_location", "latitude") == 60.2198)
            #expect(try await world.counted("overland", "fix") == 197)
            #expect(try await world.counted("overland", "malformed") == 2)
            #expect(server.log().contains("ingest by overland: 1 bad_position, 2 malformed of 200"))
        }
    }
}

extension Timestamp {
    var seconds: Int64 { milliseconds / 1_000 }
    var wholeSecond: Timestamp { Timestamp(milliseconds: seconds * 1_000) }
}

extension Int64 {
    /// Seconds since 1970 in UTC, in a form.
    fileprivate func iso(_ form: String) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = form
        return formatter.string(from: Date(timeIntervalSince1970: Double(self)))
    }
}
