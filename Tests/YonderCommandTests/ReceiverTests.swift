import Foundation
import Glibc
import Testing
import YonderTestSupport

/// A receiver, gpsd, the commands and the server, as real processes from one end to the other.
struct ReceiverTests {
    private static func drive(_ receiver: PretendReceiver, until isOver: () -> Bool) async throws -> [Double]
    {
        var told: [Double] = []
        let end = ContinuousClock.now + .seconds(40)
        while !isOver(), .now < end {
            let latitude = 60 + Double(told.count) / 5_000
            receiver.say((latitude, 25), at: .now, knots: 40)
            told.append(latitude)
            try await Task.sleep(for: .milliseconds(500))
        }
        return told
    }

    @Test func `what a receiver says to gpsd is what a friend sees`() async throws {
        let receiver = try PretendReceiver()
        guard let gpsd = try RealGPSD.start(on: receiver) else {
            #expect(ProcessInfo.processInfo.environment["CI"] != "true", "gpsd is missing")
            return
        }
        defer { gpsd.process.send(SIGKILL) }
        try await Place.run { place in
            let watch = try Program(["watch", "--json"], environment: place.environment(place.bob))
            try await watch.waits(for: "channel.state")
            let share = try Program(
                ["share", "--source", "gpsd:127.0.0.1:\(gpsd.port)", "--for", "5m"],
                environment: place.environment(place.anna))
            let told = try await Self.drive(receiver) {
                watch.text.ranges(of: "\"location.updated\"").count >= 4
            }
            share.send(SIGINT)
            #expect(try await share.status() == 0)
            try await watch.waits(for: "location.ended")
            let events = watch.lines.compactMap {
                try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
            let moves = events.filter { $0["event"] as? String == "location.updated" }
            #expect(moves.count >= 4)
            var last = 0.0
            for move in moves {
                let latitude = try #require(move["latitude"] as? Double)
                #expect(told.contains { abs($0 - latitude) < 1e-6 })
                #expect(latitude > last && abs((move["longitude"] as? Double ?? 0) - 25) < 1e-6)
                // 40 knots: it is promised soon.
                #expect(
                    abs((move["speed"] as? Double ?? 0) - 20.578) < 0.01
                        && move["next_within"] as? Double == 10)
                last = latitude
            }
            watch.send(SIGTERM)
            #expect(try await watch.status() == 0)
        }
    }

    @Test func `where says a place, as text, as JSON and as a URI`() async throws {
        let receiver = try PretendReceiver()
        func answer(_ words: [String]) async throws -> String {
            let asking = try Program(["where", "--source", "nmea:\(receiver.path)"] + words)
            _ = try await Self.drive(receiver) { !asking.text.isEmpty }
            #expect(try await asking.status() == 0)
            return asking.text.trimmingCharacters(in: .newlines)
        }
        let text = try await answer([])
        #expect(text.hasPrefix("60") && text.hasSuffix(", 25.0 \u{B1} 18 m"))
        let uri = try await answer(["--uri"])
        #expect(uri.hasPrefix("geo:60") && uri.hasSuffix(",25;u=18"))
        let json =
            try JSONSerialization.jsonObject(with: Data(try await answer(["--json"]).utf8)) as? [String: Any]
        #expect(json?["longitude"] as? Double == 25 && json?["accuracy"] as? Double == 0.9 * 19)
    }

    @Test func `where without a receiver says what is missing`() async throws {
        let port = try LoopbackPort.free()
        let asking = try Program(["where", "--source", "gpsd:127.0.0.1:\(port)", "--timeout", "1s"])
        #expect(try await asking.status() == 1)
        #expect(asking.problemText.contains("gpsd does not answer on port \(port)"))
        let wrong = try Program(["where", "--source", "gps"])
        #expect(try await wrong.status() == 2)
        #expect(wrong.problemText.contains("--source: expected gpsd"))
    }
}
