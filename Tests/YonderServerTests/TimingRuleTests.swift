import Foundation
import Testing
import YonderModel
import YonderRules
import YonderSQLite

@testable import YonderServer

/// Rules that speak of seconds, days and large numbers; waited for, or with the clock passed in.
struct TimingRuleTests {
    private let path = "/v1/channels/team:x/messages"

    @Test func `after twenty-five seconds of silence comes a heartbeat with the server's time`() async throws
    {
        try await TestServer.run { server in
            let begun = ContinuousClock.now
            let socket = try await TestSocket.connect(server.base, token: server.token("anna"))
            #expect(await eventually { socket.events("hello").first?.number("heartbeat_seconds") == 25 })
            #expect(await eventually(within: 30) { !socket.events("heartbeat").isEmpty })
            let silence = ContinuousClock.now - begun
            #expect(silence > .seconds(24) && silence < .seconds(28), "\(silence)")
            let time = socket.events("heartbeat").first?.string("server_time")
            let said = try #require(time.flatMap(Timestamp.init(rfc3339:)))
            #expect(abs(said.date.timeIntervalSinceNow) < 2)
            #expect(socket.events().map(\.name) == ["hello", "heartbeat"])
            socket.close()
        }
    }

    @Test func `an owner hears of watchers at most once in five seconds, and then of those of now`()
        async throws
    {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let owner = try await server.watch("anna")
            try await server.share("anna", id: "m").expect(201)
            func counts() -> [Double] {
                owner.events("location.watchers").compactMap { $0.number("count") }
            }
            #expect(await eventually { counts() == [0] })
            let first = ContinuousClock.now
            var friends: [TestSocket] = []
            for _ in 1...3 {
                friends.append(try await server.watch("bo"))
                try await Task.sleep(for: .seconds(1))
            }
            #expect(await eventually(within: 10) { counts().count == 2 })
            let pause = ContinuousClock.now - first
            #expect(pause > .milliseconds(4_500), "\(pause)")
            #expect(counts() == [0, 3])
            for socket in friends + [owner] { socket.close() }
        }
    }

    @Test func `a channel keeps its events for seven days`() async throws {
        let clock = TestClock()
        try await inFolder { folder in
            func run(_ body: (TestServer) async throws -> Void) async throws {
                try await TestServer.run(folder: folder, clock: { clock.now }, body)
            }
            try await run { server in
                try await server.makeChannel(["anna"])
                for text in ["a", "b"] { try await send(text, to: server) }
            }
            clock.advance(6 * 86_400)
            try await run { server in
                #expect(try await replay(from: 0, server) == ["message.new", "message.new"])
                try await send("c", to: server)
            }
            clock.advance(1.5 * 86_400)
            try await run { server in
                let isTrimmed = await eventually { (try? await replay(from: 0, server)) == ["resync"] }
                #expect(isTrimmed)
                let news = try await replay(from: 2, server)
                #expect(news == ["message.new"])
            }
        }
    }

    /// A sanitizer makes ten thousand messages a matter of minutes.
    @Test(
        .timeLimit(.minutes(2)),
        .disabled(if: ProcessInfo.processInfo.environment["YONDER_SANITIZED"] != nil))
    func `a channel keeps ten thousand events, the newest`() async throws {
        try await inFolder { folder in
            try await TestServer.run(folder: folder) { server in
                try await server.makeChannel(["anna"])
                await withDiscardingTaskGroup { group in
                    for _ in 0..<20 {
                        group.addTask { for _ in 0..<501 { try? await send("x", to: server) } }
                    }
                }
                let channel = try await server.call("GET", "/v1/channels/team:x", as: "anna")
                #expect(channel.number("seq") == 10_020)
            }
            // What is over is erased when the program starts.
            try await TestServer.run(folder: folder) { server in
                let isTrimmed = await eventually(within: 10) {
                    (try? keptEvents(in: folder)) == [21, 10_020, 10_000]
                }
                #expect(isTrimmed)
                let news = try await replay(from: 9_020, server)
                #expect(news.count == 1_000)
            }
        }
    }

    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "yonder-timing-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func send(_ text: String, to server: TestServer) async throws {
        try await server.call("POST", path, as: "anna", json: #"{"text":"\#(text)"}"#).expect(201)
    }

    /// The names of what comes before `channel.state` for one who has seen the events up to a number.
    private func replay(from since: Int, _ server: TestServer) async throws -> [String] {
        let socket = try await TestSocket.connect(server.base, token: server.token("anna"))
        defer { socket.close() }
        socket.send(#"{"op":"subscribe","id":1,"channels":["team:x"],"since":{"team:x":\#(since)}}"#)
        let isReplayed = await eventually(within: 10) { !socket.events("channel.state").isEmpty }
        #expect(isReplayed)
        return socket.events().map(\.name).filter { !["hello", "ack", "channel.state"].contains($0) }
    }

    /// The first and the last number of the events in the data folder, and how many there are.
    private func keptEvents(in folder: String) throws -> [Int64] {
        let connection = try Connection(
            path: folder + "/yonder.sqlite", access: .readOnly, busyMilliseconds: 5_000)
        return try connection.query("SELECT min(seq), max(seq), count(*) FROM events") { statement in
            guard try statement.step() else { return [] }
            return [try statement.value(0), try statement.value(1), try statement.value(2)]
        }
    }
}
