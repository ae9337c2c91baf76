import Foundation
import YonderModel
import YonderRules

/// 2,000 phones with OwnTracks, Overland, Traccar Client, OsmAnd and GPSLogger, a fix a second each, beside as many
/// that use the API. Each run ends with a kill -9: every fix that was answered must be in its trail afterwards.
struct AppsComparison {
    static let phones = 2_000

    let seconds: Int

    func run() async throws {
        print("\(Self.phones) fixes a second for \(seconds) s from as many phones in channels of ten:")
        let apps = try await measure("Apps") { index, key, _ in Self.request(of: index, key: key) }
        let api = try await measure("API") { _, _, token in Self.put(token) }
        print("  CPU per fix, apps / API: \((apps / api).text(2))")
    }

    /// Runs one kind of phones and prints what was seen.
    ///
    /// - Returns: The server's processor time for a fix, in microseconds.
    private func measure(
        _ name: String, _ request: (_ index: Int, _ key: String, _ token: String) -> AppFleet.Request
    ) async throws -> Double {
        var process = try await YonderProcess(tick: 50)
        let keys = try await process.connectApps(count: Self.phones)
        let requests = keys.enumerated().map { index, key in
            request(index, key, process.token("sharer-\(index)"))
        }
        let before = process.server.usage
        let result = try AppFleet(port: process.server.port, requests: requests).send(for: seconds)
        let usage = process.server.usage
        try await process.restart()
        let acknowledged = result.acknowledged.reduce(0) { $0 + $1.count }
        var lost = 0
        for (index, fixes) in result.acknowledged.enumerated() {
            let kept = try await process.trailTimes(of: "sharer-\(index)")
            lost += fixes.count { !kept.contains($0 * 1_000) }
        }
        await process.end()
        let microseconds = (usage.cpuSeconds - before.cpuSeconds) * 1e6 / Double(max(1, acknowledged))
        let times = percentiles(result.times).map { $0.text(2) }.joined(separator: " / ")
        print(
            "  \(name), acknowledged: \(acknowledged) of \(Self.phones * seconds), refused: \(result.refused)"
        )
        print("  \(name), acknowledged and lost: \(lost)")
        print("  \(name), answered after p50 / p99 / max: \(times) ms")
        print("  \(name), server CPU per fix: \(microseconds.text(1)) µs")
        return microseconds
    }

    private static func request(of index: Int, key: String) -> AppFleet.Request {
        let basic = Data("sharer-\(index):\(key)".utf8).base64EncodedString()
        let place = (60.0 + Double(index) / 100_000, 25.0)
        func post(_ path: String, _ authorization: String, _ body: String) -> String {
            """
            POST \(path) HTTP/1.1\r\nHost: x\r\n\(authorization)Content-Type: application/json\r\n\
            Content-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
        }
        switch index % 5 {
        case 0:
            return { second in
                post(
                    "/ingest/owntracks", "Authorization: Basic \(basic)\r\n",
                    """
                    {"_type":"location","acc":8,"alt":13,"batt":55,"bs":1,"cog":90,"conn":"m","lat":\(place.0),\
                    "lon":\(place.1),"t":"u","tid":"XX","tst":\(second),"vac":4,"vel":36}
                    """)
            }
        case 1:
            return { second in
                let time = Timestamp(milliseconds: second * 1_000).rfc3339
                return post(
                    "/ingest/overland", "Authorization: Bearer \(key)\r\n",
                    """
                    {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[\(place.1),\(place.0)]},\
                    "properties":{"timestamp":"\(time)","altitude":13,"speed":10,"course":90,\
                    "horizontal_accuracy":8,"vertical_accuracy":4,"motion":["walking"],"battery_level":0.55}}]}
                    """)
            }
        case 2:
            return { second in
                let time = Timestamp(milliseconds: second * 1_000).rfc3339
                return post(
                    "/ingest/osmand", "",
                    """
                    {"device_id":"\(key)","location":{"timestamp":"\(time)","coords":{"latitude":\(place.0),\
                    "longitude":\(place.1),"accuracy":8,"speed":10,"heading":90,"altitude":13},\
                    "battery":{"level":0.55,"is_charging":false}}}
                    """)
            }
        case 3:
            return { second in
                """
                GET /ingest/osmand?id=\(key)&lat=\(place.0)&lon=\(place.1)&timestamp=\(second)&speed=19.4384&\
                bearing=90&altitude=13&accuracy=8&batt=55 HTTP/1.1\r\nHost: x\r\n\r\n
                """
            }
        default:
            return { second in
                """
                GET /ingest/gpslogger?id=\(key)&lat=\(place.0)&lon=\(place.1)&timestamp=\(second)&spd=10&dir=90&\
                alt=13&acc=8&batt=55 HTTP/1.1\r\nHost: x\r\n\r\n
                """
            }
        }
    }

    private static func put(_ token: String) -> AppFleet.Request {
        { second in
            let time = Timestamp(milliseconds: second * 1_000).rfc3339
            let body = """
                {"latitude":60.1,"longitude":25.1,"accuracy":8,"speed":10,"heading":90,"altitude":13,"battery":0.55,\
                "recorded_at":"\(time)","device_id":"d"}
                """
            return """
                PUT /v1/live-locations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n\
                Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
                """
        }
    }
}
