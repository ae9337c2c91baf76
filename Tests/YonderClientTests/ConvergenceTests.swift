import Foundation
import Synchronization
import Testing
import YonderModel
import YonderRules
import YonderTestSupport

@testable import YonderClient

/// Clients whose connections break again and again, beside one that never loses its own.
struct ConvergenceTests {
    /// What an observer has seen of the channel, and what was wrong with that.
    private struct Sight {
        var last: Int64 = 0
        var problems: [String] = []
        var known: Set<MessageId> = []
        var connections = 0

        mutating func see(_ event: ServerEvent) {
            if case .hello = event { connections += 1 }
            if case .resync = event { last = -1 }
            if case .channelState(let state) = event { last = last < 0 ? state.seq : last }
            guard let place = event.place, place.channel == teamX, last >= 0 else { return }
            if last > 0, place.seq != last + 1 { problems.append("event \(place.seq) after \(last)") }
            last = place.seq
        }

        mutating func see(_ change: EntityChange<ChatMessage>) {
            switch change {
            case .create(let message):
                if !known.insert(message.id).inserted { problems.append("a message came twice") }
            case .remove(let message): known.remove(message.id)
            case .update: break
            }
        }
    }

    private final class Weather: Sendable {
        let isStormy = Mutex(true)
        /// What the walkers have said.
        let sent = Mutex<Set<String>>([])
    }

    /// One client, its way to the server, and its observer.
    private final class Walker: Sendable {
        let client: ChatClient
        let channel: ChatChannelController
        let road: RoughRoad
        private let sight: Mutex<Sight>
        private let watching: Mutex<Task<Void, Never>?>

        init(_ server: LiveServer, _ user: String, silenceLimit: Duration = .milliseconds(1_500)) {
            road = RoughRoad(to: server.port)
            client = ChatClient(
                config: server.config("\(user)-phone", through: Int(road.port)),
                transport: CurlTransport(
                    baseURL: URL(string: "http://127.0.0.1:\(road.port)")!, caFile: nil,
                    silenceLimit: silenceLimit))
            channel = client.channelController(for: teamX)
            sight = Mutex(Sight())
            watching = Mutex(nil)
            let (events, changes) = (client.eventsController().received, channel.messageChanges)
            watching.withLock { task in
                task = Task { [weak self] in
                    await withTaskGroup { group in
                        group.addTask {
                            for await event in events { self?.sight.withLock { $0.see(event.event) } }
                        }
                        group.addTask {
                            for await change in changes { self?.sight.withLock { $0.see(change) } }
                        }
                    }
                }
            }
        }

        var connections: Int { sight.withLock { $0.connections } }
        var problems: [String] { sight.withLock { $0.problems } }

        /// What an app would show: everything but where pins are on the way to.
        var picture: [String] {
            let messages = channel.messages.map { message in
                let share = message.sharedLocation.map {
                    "\($0.latitude) \($0.isLiveSharingActive) \($0.endedReason?.rawValue ?? "-")"
                }
                return
                    "\(message.id) \(message.text) \(share ?? "") \(message.localState) \(message.replyCount)"
            }
            let pins = channel.channel?.activeLiveLocations.map { "\($0.messageId) \($0.latitude)" }
            return messages + ["pins"] + (pins ?? [])
        }

        func end() async {
            watching.withLock { $0?.cancel() }
            await client.disconnect()
            road.stop()
        }
    }

    @Test func `ten clients on rough roads come to see what one on a smooth road sees`() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        let people = (0..<10).map { "walker\($0)" }
        try await LiveServer.run { server in
            try await server.makeChannel(["olga", "steady"] + people)
            // It hears nothing while the others come to rest.
            let steady = Walker(server, "steady", silenceLimit: .seconds(60))
            let walkers = people.map { Walker(server, $0) }
            for (walker, user) in zip([steady] + walkers, ["steady"] + people) {
                try await server.connect(walker.client, user)
                try await walker.channel.synchronize()
            }
            let weather = Weather()
            await withTaskGroup { group in
                group.addTask {
                    await Self.storm(server, seed, while: { @Sendable in weather.isStormy.withLock { $0 } })
                }
                for (index, walker) in walkers.enumerated() {
                    group.addTask {
                        var random = SplitMix(seed: seed &+ UInt64(index))
                        for number in 0..<20 {
                            try? await Task.sleep(
                                for: .milliseconds(Int.random(in: 200...900, using: &random)))
                            walker.road.happen(.allCases.randomElement(using: &random)!)
                            let text = "walker\(index) \(number)"
                            // What it says goes through as well, once.
                            if number.isMultiple(of: 5),
                                (try? await walker.channel.sendMessage(text: text)) != nil
                            {
                                _ = weather.sent.withLock { $0.insert(text) }
                            }
                        }
                    }
                }
                for _ in walkers { _ = await group.next() }
                weather.isStormy.withLock { $0 = false }
            }
            try await eventually("all is sent", within: .seconds(60)) {
                walkers.allSatisfy { !$0.client.hasUnsentActions }
            }
            for walker in walkers { try await Self.becomesQuiet(walker, like: steady) }
            for (index, walker) in ([steady] + walkers).enumerated() {
                #expect(walker.problems == [], "walker \(index), seed \(seed)")
                #expect(index == 0 ? walker.connections == 1 : walker.connections > 5)
            }
            let texts = steady.channel.messages.map(\.text)
            #expect(texts.count > 100)
            for text in weather.sent.withLock({ $0 }) {
                #expect(texts.count { $0 == text } == 1, "\(text), seed \(seed)")
            }
            for walker in [steady] + walkers { await walker.end() }
        }
    }

    private static func becomesQuiet(_ walker: Walker, like steady: Walker) async throws {
        let end = ContinuousClock.now + .seconds(40)
        while true {
            let (seen, whole) = (walker.picture, steady.picture)
            if seen == whole { return }
            guard ContinuousClock.now < end else {
                let differences = zip(seen, whole).filter { $0 != $1 }.map { "\($0) instead of \($1)" }
                Issue.record("\(seen.count) of \(whole.count), \(differences.prefix(5))")
                return
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Everything that can happen in a channel, as fast as the server answers.
    private static func storm(_ server: LiveServer, _ seed: UInt64, while goesOn: @Sendable () -> Bool) async
    {
        var random = SplitMix(seed: seed &- 1)
        var messages: [String] = []
        var shares: [String] = []
        var number = 0
        let path = "/v1/channels/team:x/messages"
        _ = try? await server.call("POST", "/v1/devices", as: "olga", json: #"{"id":"d"}"#)
        while goesOn() {
            number += 1
            let id = "s\(number)"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                messages.append(id)
                _ = try? await server.call(
                    "POST", path, as: "olga", json: #"{"id":"\#(id)","text":"\#(id)"}"#)
            case 4:
                guard let one = messages.randomElement(using: &random) else { continue }
                _ = try? await server.call(
                    "PATCH", "/v1/messages/\(one)", as: "olga", json: #"{"text":"edited \#(number)"}"#)
            case 5:
                guard let one = messages.randomElement(using: &random) else { continue }
                messages.removeAll { $0 == one }
                _ = try? await server.call("DELETE", "/v1/messages/\(one)", as: "olga")
            case 6:
                shares.append(id)
                let end = server.clock().advanced(bySeconds: 600).rfc3339
                _ = try? await server.call(
                    "POST", path, as: "olga",
                    json: """
                        {"id":"\(id)","shared_location":{"latitude":0,"longitude":0,"device_id":"d",\
                        "end_at":"\(end)"}}
                        """)
            case 7:
                guard let one = shares.popLast() else { continue }
                _ = try? await server.call("DELETE", "/v1/messages/\(one)/live-location", as: "olga")
            default:
                _ = try? await server.call(
                    "PUT", "/v1/live-locations", as: "olga",
                    json: #"{"latitude":\#(Double(number % 900) / 10),"longitude":1,"device_id":"d"}"#)
            }
            try? await Task.sleep(for: .milliseconds(8))
        }
    }
}
