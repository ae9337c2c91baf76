import Foundation
import Testing
import YonderModel
import YonderRules

@testable import YonderServer

struct EventsTests {
    private let path = "/v1/channels/team:x/messages"

    private func watch(_ server: TestServer, as user: String) async throws -> TestSocket {
        let socket = try await TestSocket.connect(server.base, token: server.token(user))
        socket.send(#"{"op":"subscribe","id":1,"channels":["team:x"]}"#)
        #expect(await eventually { !socket.events("channel.state").isEmpty })
        return socket
    }

    @Test func `a connection begins with hello and watches what it may`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            let socket = try await TestSocket.connect(server.base, token: server.token("anna"))
            socket.send(#"{"op":"subscribe","id":7,"channels":["team:x","team:other","nonsense"]}"#)
            #expect(await eventually { socket.events().count == 3 })
            let events = socket.events()
            #expect(events.map(\.name) == ["hello", "ack", "channel.state"])
            #expect(events.first?.string("user", "id") == "anna")
            #expect(events.first?.number("heartbeat_seconds") == 25)
            let answer = events.dropFirst().first
            #expect(answer?.number("id") == 7 && answer?.string("channels", "team:x") == "ok")
            #expect(answer?.string("channels", "team:other") == "not_found")
            #expect(answer?.string("channels", "nonsense") == "not_found")
            #expect(events.last?.number("seq") == 0)
            socket.close()
        }
    }

    @Test func `a command that says its op twice is answered and done as the last one`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            let socket = try await TestSocket.connect(server.base, token: server.token("anna"))
            socket.send(#"{"op":"ping","id":1,"op":"subscribe","id":2,"channels":["team:x"]}"#)
            #expect(await eventually { !socket.events("ack").isEmpty })
            #expect(socket.events("ack").first?.number("id") == 2)
            #expect(await eventually { !socket.events("channel.state").isEmpty })
            socket.close()
        }
    }

    @Test func `a share is seen from its start to its end, in order`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let socket = try await watch(server, as: "bo")
            try await server.share("anna", id: "m").expect(201)
            for number in 1...5 {
                try await server.call(
                    "PUT", "/v1/live-locations", as: "anna",
                    json: #"{"latitude":\#(number),"longitude":2,"heading":90}"#
                ).expect(200)
                #expect(
                    await eventually {
                        socket.events("location.updated").last?.number("latitude") == Double(number)
                    })
            }
            try await server.call("DELETE", "/v1/messages/m/live-location", as: "anna").expect(200)
            #expect(await eventually { !socket.events("location.ended").isEmpty })
            let names = socket.events().map(\.name).drop { $0 != "message.new" }
            #expect(
                Array(names) == ["message.new", "location.started"]
                    + Array(repeating: "location.updated", count: 5) + ["location.ended"])
            let seqs = socket.events().compactMap { $0.number("seq") }
            #expect(seqs == [0, 1, 2, 3])
            let ended = socket.events("location.ended").first
            #expect(ended?.string("location", "ended_reason") == "stopped")
            #expect(ended?.number("location", "latitude") == 5)
            #expect(socket.events("location.updated").first?.number("heading") == 90)
            socket.close()
        }
    }

    @Test func `who comes later is told what is on now`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            try await server.share("anna", id: "m").expect(201)
            try await server.call(
                "PUT", "/v1/live-locations", as: "anna", json: #"{"latitude":3,"longitude":2}"#)
            let socket = try await watch(server, as: "bo")
            let state = try #require(socket.events("channel.state").first)
            #expect(state.number("seq") == 2 && state.count("active_live_locations") == 1)
            #expect(state.number("active_live_locations", "0", "latitude") == 3)
            socket.send(#"{"op":"subscribe","id":2,"channels":["team:x"],"since":{"team:x":1}}"#)
            #expect(await eventually { socket.events("channel.state").count == 2 })
            #expect(socket.events("resync").isEmpty)
            #expect(socket.events().map(\.name).suffix(3) == ["ack", "location.started", "channel.state"])
            socket.send(#"{"op":"subscribe","id":3,"channels":["team:x"],"since":{"team:x":2}}"#)
            #expect(await eventually { socket.events("channel.state").count == 3 })
            for since in ["3", "-9223372036854775808", "9223372036854775807"] {
                let before = socket.events("resync").count
                socket.send(#"{"op":"subscribe","id":4,"channels":["team:x"],"since":{"team:x":\#(since)}}"#)
                #expect(await eventually { socket.events("resync").count == before + 1 })
            }
            socket.close()
        }
    }

    @Test func `a fix over the socket is a fix`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            try await server.share("anna", id: "m").expect(201)
            let watcher = try await watch(server, as: "bo")
            let socket = try await TestSocket.connect(server.base, token: server.token("anna"))
            socket.send(#"{"op":"fix","id":1,"latitude":9,"longitude":8,"device_id":"anna-phone"}"#)
            #expect(await eventually { socket.events("ack").first?.string("applied", "0") == "m" })
            #expect(await eventually { watcher.events("location.updated").last?.number("latitude") == 9 })
            socket.close()
            watcher.close()
        }
    }

    @Test(arguments: [
        ("{", "invalid_json"), (#"{"op":"dance","id":4}"#, "invalid_argument"), ("[]", "invalid_argument"),
        (#"{"op":"subscribe","id":4}"#, "invalid_argument"),
        (#"{"op":"fix","id":4,"latitude":91,"longitude":0}"#, "invalid_argument"),
        (#"{"op":"fix","id":4,"latitude":"1","longitude":0}"#, "invalid_argument"),
    ])
    func `a frame that is no command is answered and the socket stays`(text: String, code: String)
        async throws
    {
        try await TestServer.run { server in
            let socket = try await TestSocket.connect(server.base, token: server.token("anna"))
            socket.send(text)
            #expect(await eventually { socket.events("error").first?.string("code") == code })
            socket.send(#"{"op":"ping","id":5}"#)
            #expect(await eventually { socket.events("ack").first?.number("id") == 5 })
            socket.close()
        }
    }

    @Test func `without a good token there is no socket`() async throws {
        try await TestServer.run { server in
            for token in ["", "x.y.z", server.token("anna", expiresIn: -5)] {
                await #expect(throws: TestSocket.Failed.self) {
                    try await TestSocket.connect(server.base, token: token)
                }
            }
        }
    }

    @Test func `a socket closes when its token ends, and when the server goes`() async throws {
        let clock = TestClock()
        var last: TestSocket?
        try await TestServer.run(clock: { clock.now }) { server in
            let short = try await TestSocket.connect(
                server.base, token: server.token("anna", expiresIn: 60))
            let long = try await TestSocket.connect(
                server.base, token: server.token("anna", expiresIn: 600))
            #expect(await eventually { !long.events("hello").isEmpty })
            clock.advance(61)
            #expect(await eventually { short.closeCode == 4401 })
            #expect(long.closeCode == nil)
            last = long
        }
        #expect(await eventually { last?.closeCode == 1001 })
    }

    @Test func `who is removed gets no more of the channel`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo", "cy"])
            try await server.share("bo", id: "m").expect(201)
            let (bo, cy) = (try await watch(server, as: "bo"), try await watch(server, as: "cy"))
            try await server.call("DELETE", "/v1/channels/team:x/members/bo", as: "cy").expect(403)
            try await server.call("DELETE", "/v1/channels/team:x/members/anna", as: "anna").expect(409)
            try await server.call("DELETE", "/v1/channels/team:x/members/bo", as: "anna").expect(204)
            try await server.call("POST", path, as: "anna", json: #"{"text":"after"}"#).expect(201)
            #expect(await eventually { !cy.events("message.new").isEmpty })
            #expect(cy.events().map(\.name).suffix(3) == ["location.ended", "member.removed", "message.new"])
            #expect(cy.events("location.ended").first?.string("location", "ended_reason") == "left")
            #expect(bo.events().map(\.name).suffix(2) == ["location.ended", "member.removed"])
            try await server.call("PUT", "/v1/channels/team:x/members/bo", as: "anna").expect(201)
            try await server.call("PUT", "/v1/channels/team:x/members/bo", as: "anna").expect(200)
            #expect(await eventually { cy.events("member.added").count == 1 })
            bo.close()
            cy.close()
        }
    }
}

/// What a user's own connections are told, and what their owners are told of watchers.
struct OwnEventsTests {
    @Test func `a user's own shares are told on every connection, once`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let phone = try await TestSocket.connect(server.base, token: server.token("anna"))
            let page = try await TestSocket.connect(server.base, token: server.token("anna"))
            let other = try await TestSocket.connect(server.base, token: server.token("bo"))
            page.send(#"{"op":"subscribe","id":1,"channels":["team:x"]}"#)
            #expect(await eventually { !page.events("channel.state").isEmpty && !phone.events().isEmpty })
            try await server.share("anna", id: "m").expect(201)
            try await server.call(
                "PUT", "/v1/live-locations", as: "anna", json: #"{"latitude":3,"longitude":2}"#)
            // What has not gone out yet when a share ends never does.
            for socket in [phone, page] {
                #expect(await eventually { !socket.events("location.updated").isEmpty })
            }
            try await server.call("DELETE", "/v1/live-locations", as: "anna").expect(204)
            #expect(await eventually { !phone.events("location.ended").isEmpty })
            #expect(await eventually { !page.events("location.ended").isEmpty })
            for socket in [phone, page] {
                for name in ["location.started", "location.updated", "location.ended"] {
                    #expect(socket.events(name).count == 1, "\(name)")
                }
            }
            #expect(phone.events("message.new").isEmpty)
            #expect(other.events().map(\.name) == ["hello"])
            for socket in [phone, page, other] { socket.close() }
        }
    }

    @Test func `an owner is told how many watch`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let owner = try await TestSocket.connect(server.base, token: server.token("anna"))
            owner.send(#"{"op":"subscribe","id":1,"channels":["team:x"]}"#)
            try await server.share("anna", id: "m").expect(201)
            #expect(await eventually { owner.events("location.watchers").last?.number("count") == 0 })
            let friend = try await TestSocket.connect(server.base, token: server.token("bo"))
            friend.send(#"{"op":"subscribe","id":1,"channels":["team:x"]}"#)
            #expect(
                await eventually(within: 10) { owner.events("location.watchers").last?.number("count") == 1 })
            #expect(owner.events("location.watchers").last?.string("message_id") == "m")
            #expect(friend.events("location.watchers").isEmpty)
            for socket in [owner, friend] { socket.close() }
        }
    }

    @Test func `subscribing and unsubscribing keep their order`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            let socket = try await TestSocket.connect(server.base, token: server.token("anna"))
            for round in 0..<20 {
                socket.send(#"{"op":"subscribe","id":\#(2 * round),"channels":["team:x"]}"#)
                socket.send(#"{"op":"unsubscribe","id":\#(2 * round + 1),"channels":["team:x"]}"#)
            }
            #expect(await eventually { socket.events("ack").count == 40 })
            #expect(socket.events("ack").compactMap { $0.number("id") } == (0..<40).map(Double.init))
            try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "anna", json: #"{"text":"unseen"}"#
            ).expect(201)
            socket.send(#"{"op":"ping","id":99}"#)
            #expect(await eventually { socket.events("ack").last?.number("id") == 99 })
            #expect(socket.events("message.new").isEmpty)
            socket.close()
        }
    }
}

/// Watchers that come and go while much is happening.
struct ReplayTests {
    /// A sanitizer makes the clients some ten times as slow.
    private static let isSanitized = ProcessInfo.processInfo.environment["YONDER_SANITIZED"] != nil
    private static let clients = isSanitized ? 8 : 50
    private static let messages = isSanitized ? 200 : 900

    @Test(.timeLimit(.minutes(5)))
    func `who comes back with since misses nothing and sees nothing twice`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            let storm = Task {
                for number in 0..<Self.messages {
                    try await server.call(
                        "POST", "/v1/channels/team:x/messages", as: "anna", json: #"{"text":"m\#(number)"}"#
                    ).expect(201)
                }
            }
            let seen = await withTaskGroup(of: [Int].self, returning: [[Int]].self) { group in
                for _ in 0..<Self.clients {
                    group.addTask { await Self.watchOnAndOff(server, until: Self.messages) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            try await storm.value
            #expect(seen.count == Self.clients)
            for numbers in seen { #expect(numbers == Array(1...Self.messages)) }
        }
    }

    /// Watches for random moments, each time from where it was; longer ones where nothing came in the last.
    private static func watchOnAndOff(_ server: TestServer, until last: Int) async -> [Int] {
        var seen: [Int] = []
        var patience = 1
        let deadline = ContinuousClock.now + .seconds(240)
        while seen.last != last, ContinuousClock.now < deadline {
            guard let socket = try? await TestSocket.connect(server.base, token: server.token("bo")) else {
                continue
            }
            socket.send(
                #"{"op":"subscribe","id":1,"channels":["team:x"],"since":{"team:x":\#(seen.last ?? 0)}}"#)
            try? await Task.sleep(for: .milliseconds(patience * Int.random(in: 20...400)))
            socket.close()
            _ = await eventually { socket.isOver }
            let news = socket.events("message.new").compactMap { $0.number("seq").map { Int($0) } }
            patience = news.isEmpty ? min(64, patience * 2) : 1
            seen += news
            #expect(socket.events("resync").isEmpty)
        }
        return seen
    }
}
