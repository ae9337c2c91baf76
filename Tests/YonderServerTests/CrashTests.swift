import Foundation
import Synchronization
import Testing
import YonderCurl
import YonderModel
import YonderRules

/// What was acknowledged before the power went.
private final class Acknowledged: Sendable {
    private let contents = Mutex(Contents())

    func note(_ change: (inout Contents) -> Void) { contents.withLock { change(&$0) } }
    var all: Contents { contents.withLock { $0 } }
}

private struct Contents {
    var texts: [String: String] = [:]
    var stops: [String: String] = [:]
    var ends: [String: String] = [:]
    var newestFix: [String: (recordedAt: String, latitude: Double)] = [:]
    /// Latitudes of shares whose deletion was acknowledged.
    var erased: Set<Double> = []

    /// What came in one round; ids end in `-<round>-<step>`.
    func of(round: Int) -> Contents {
        func isOfRound(_ id: String) -> Bool { id.split(separator: "-").dropLast().last == "\(round)" }
        return Contents(
            texts: texts.filter { isOfRound($0.key) }, stops: stops.filter { isOfRound($0.key) },
            ends: ends.filter { isOfRound($0.key) }, newestFix: newestFix.filter { isOfRound($0.key) })
    }
}

@Suite(.serialized) struct CrashTests {
    /// How often the power goes; `script/soak` asks for more.
    private static let rounds =
        ProcessInfo.processInfo.environment["YONDER_CRASH_ROUNDS"].flatMap(Int.init) ?? 20

    @Test(.timeLimit(.minutes(20)))
    func `nothing acknowledged is lost when the server is killed`() async throws {
        let folder = NSTemporaryDirectory() + "yonder-crash-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let known = Acknowledged()
        var server = try await ServerProcess(folder: folder)
        let users = ["anna", "bo", "cy"]
        for user in users {
            await server.call("POST", "/v1/devices", as: user, json: #"{"id":"\#(user)-phone"}"#)?.expect(201)
        }
        for user in users {
            let members = users.map { "\"\($0)\"" }.joined(separator: ",")
            await server.call(
                "POST", "/v1/channels", as: user,
                json: #"{"type":"team","id":"\#(user)","members":[\#(members)]}"#)?.expect(201)
        }
        for round in 0..<Self.rounds {
            try await withThrowingDiscardingTaskGroup { [server] group in
                for user in users {
                    group.addTask { await Self.work(on: server, as: user, round: round, known) }
                }
                try await Task.sleep(for: .milliseconds(Int.random(in: 30...700)))
                await server.killNow()
            }
            // Some shares end while nobody is there to end them.
            if round % 4 == 3 { try await Task.sleep(for: .milliseconds(1200)) }
            try checkErased(known.all.erased, in: folder)
            server = try await ServerProcess(folder: folder)
            await check(known.all.of(round: round), on: server)
        }
        let all = known.all
        await check(all, on: server)
        #expect(all.texts.count > Self.rounds && all.newestFix.count > Self.rounds / 2)
        #expect(!all.stops.isEmpty && !all.ends.isEmpty && !all.erased.isEmpty)
        print(
            "crash: \(Self.rounds) rounds, \(all.texts.count) messages, \(all.newestFix.count) moved shares, "
                + "\(all.stops.count) stops, \(all.ends.count) ends, \(all.erased.count) erased positions")
        #expect(await server.stop() == 0)
        try checkErased(all.erased, in: folder)
    }

    /// Looks for erased latitudes in every file, as SQLite writes them: eight bytes, the highest first.
    private func checkErased(_ latitudes: Set<Double>, in folder: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let data = try Data(contentsOf: URL(filePath: folder).appending(path: name))
            let isThere = data.withUnsafeBytes { bytes in
                var window: UInt64 = 0
                return bytes.contains { byte in
                    window = window << 8 | UInt64(byte)
                    // The first byte of every number from 2^-15 to 2^17 is one of four: a set is slow to ask.
                    return window >> 56 & 0x7E == 0x3E || window >> 56 & 0x7F == 0x40
                        ? latitudes.contains(Double(bitPattern: window)) : false
                }
            }
            #expect(!isThere, "an erased position is in \(name)")
        }
    }

    /// Sends, shares, moves and stops until the server is gone.
    private static func work(
        on server: ServerProcess, as user: String, round: Int, _ known: Acknowledged
    ) async {
        for step in 0... {
            let id = "\(user)-\(round)-\(step)"
            guard
                let sent = await server.call(
                    "POST", "/v1/channels/team:\(user)/messages", as: user,
                    json: #"{"id":"\#(id)","text":"t \#(id)"}"#)
            else { return }
            if sent.status == 201 { known.note { $0.texts[id] = "t \(id)" } }
            guard await share(on: server, as: user, id: "s-\(id)", stops: step % 3 == 0, known) else {
                return
            }
            if step % 4 == 1, await !erase(on: server, as: user, id: "e-\(id)", known) { return }
        }
    }

    private static func share(
        on server: ServerProcess, as user: String, id: String, stops: Bool, _ known: Acknowledged
    ) async -> Bool {
        let end = Timestamp.now.advanced(byMilliseconds: 1500).rfc3339
        guard
            let started = await server.call(
                "POST", "/v1/channels/team:\(user)/messages", as: user,
                json: """
                    {"id":"\(id)","shared_location":{"latitude":1,"longitude":1,"end_at":"\(end)",
                    "device_id":"\(user)-phone"}}
                    """)
        else { return false }
        if started.status == 201 { known.note { $0.ends[id] = end } }
        for _ in 0..<Int.random(in: 1...6) {
            let (time, latitude) = (Timestamp.now.rfc3339, Double.random(in: -80...80))
            guard
                let moved = await server.call(
                    "PUT", "/v1/live-locations", as: user,
                    json:
                        #"{"latitude":\#(latitude),"longitude":2,"recorded_at":"\#(time)","message_ids":["\#(id)"]}"#
                )
            else { return false }
            if moved.string("applied", "0") == id { known.note { $0.newestFix[id] = (time, latitude) } }
        }
        guard stops else { return true }
        guard let stopped = await server.call("DELETE", "/v1/messages/\(id)/live-location", as: user) else {
            return false
        }
        if stopped.status == 200, let endedAt = stopped.string("ended_at") {
            known.note { $0.stops[id] = endedAt }
        }
        return true
    }

    /// Shares, moves and deletes it all again.
    private static func erase(
        on server: ServerProcess, as user: String, id: String, _ known: Acknowledged
    ) async -> Bool {
        let end = Timestamp.now.advanced(byMilliseconds: 60_000).rfc3339
        var latitudes: Set<Double> = []
        for step in 0..<3 {
            let latitude = Double.random(in: -80...80)
            latitudes.insert(latitude)
            let place = #""latitude":\#(latitude),"longitude":2"#
            let live = #""end_at":"\#(end)","device_id":"\#(user)-phone""#
            let answer =
                step == 0
                ? await server.call(
                    "POST", "/v1/channels/team:\(user)/messages", as: user,
                    json: #"{"id":"\#(id)","shared_location":{\#(place),\#(live)}}"#)
                : await server.call(
                    "PUT", "/v1/live-locations", as: user, json: #"{\#(place),"message_ids":["\#(id)"]}"#)
            guard answer != nil else { return false }
        }
        guard let deleted = await server.call("DELETE", "/v1/messages/\(id)", as: user) else { return false }
        if deleted.status == 200 { known.note { $0.erased.formUnion(latitudes) } }
        return true
    }

    private func check(_ all: Contents, on server: ServerProcess) async {
        func user(_ id: String) -> String { String(id.split(separator: "-").first { $0 != "s" } ?? "") }
        for (id, text) in all.texts {
            let read = await server.call("GET", "/v1/messages/\(id)", as: user(id))
            #expect(read?.string("text") == text, "message \(id)")
        }
        for (id, end) in all.ends {
            let read = await server.call("GET", "/v1/messages/\(id)", as: user(id))
            #expect(read?.string("shared_location", "end_at") == end, "share \(id)")
            if let (time, latitude) = all.newestFix[id] {
                let recordedAt = read?.string("shared_location", "recorded_at") ?? ""
                #expect(recordedAt >= time, "share \(id)")
                if recordedAt == time {
                    // Through the model: JSONSerialization itself rounds.
                    let message = try? WireJSON.decode(Message.self, from: read?.response.body ?? [])
                    #expect(message?.sharedLocation?.latitude == latitude, "share \(id)")
                }
            }
            let endedAt = read?.string("shared_location", "ended_at")
            let reason = read?.string("shared_location", "ended_reason")
            if let stop = all.stops[id] {
                #expect(endedAt == stop, "share \(id)")
            } else if reason == "expired" {
                #expect(endedAt == end, "share \(id)")
            } else if endedAt == nil {
                #expect(
                    end > Timestamp.now.advanced(byMilliseconds: -1000).rfc3339, "share \(id) is still on")
            }
        }
    }
}
