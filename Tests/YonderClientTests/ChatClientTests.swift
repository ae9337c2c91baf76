import Foundation
import Synchronization
import Testing
import YonderModel

@testable import YonderClient

/// The client against a server of the tests' own, over real sockets.
struct ChatClientTests {
    private static let berlin = ChannelId(type: "messaging", id: "berlin")

    private static func client(_ url: String) -> ChatClient {
        ChatClient(
            config: ChatClientConfig(
                baseURL: URL(string: url)!, deviceId: DeviceId("phone"),
                minimumUpdateInterval: .milliseconds(200)))
    }

    private static func connected(_ server: RawServer) async throws -> ChatClient {
        let client = client(server.url)
        try await client.connectUser(userInfo: UserInfo(id: "anna"), token: Token(Sample.token))
        return client
    }

    /// Says hello, acknowledges every command and tells each channel's state.
    private static func greet(_ peer: RawServer.Peer, seq: Int = 3) {
        peer.sendText(Sample.hello())
        while let text = peer.nextText() {
            let command = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            peer.sendText(
                #"{"event":"ack","id":\#(command?["id"] ?? 0),"channels":{"messaging:berlin":"ok"}}"#)
            peer.sendText(Sample.state(seq))
        }
    }

    /// A server with one share, or none, whose answers to fixes the test decides.
    private static func server(
        shares: [String] = [], fix: @escaping @Sendable (Int) -> RawServer.Reply = { _ in applied }
    ) -> RawServer {
        let count = Mutex(0)
        let fixes: @Sendable () -> Int = {
            count.withLock { count in
                count += 1
                return count
            }
        }
        // The one share's message, by the id that its sender chose.
        let message = Mutex("m1")
        return RawServer { request in
            if let id = request.json["id"] as? String, request.path.hasSuffix("/messages") {
                message.withLock { $0 = id }
            }
            let id = message.withLock { $0 }
            switch (request.method, request.path) {
            case ("GET", "/v1/events"): return .webSocket { greet($0) }
            case ("GET", "/v1/live-locations"):
                return .answer(200, #"{"active_live_locations":[\#(shares.joined(separator: ","))]}"#)
            case ("PUT", "/v1/live-locations"):
                guard case .answer(let status, let body, let headers) = fix(fixes()) else {
                    return .bytes("")
                }
                return .answer(
                    status, body.replacing(#""message_id":"m1""#, with: #""message_id":"\#(id)""#),
                    headers: headers)
            case ("GET", "/v1/channels/messaging:berlin"): return .answer(200, Sample.channel)
            case ("POST", "/v1/devices"):
                return .answer(
                    201,
                    """
                    {"id":"phone","user_id":"anna","created_at":"2026-01-01T00:00:00Z",\
                    "last_seen_at":"2026-01-01T00:00:00Z"}
                    """)
            case ("POST", "/v1/channels/messaging:berlin/messages"):
                return .answer(201, Sample.message(id, location: Sample.location(id)))
            case ("DELETE", "/v1/messages/\(id)/live-location"):
                return .answer(200, Sample.location(id, active: false))
            default: return .answer(404, "")
            }
        }
    }

    private static let applied = RawServer.Reply.answer(200, #"{"applied":["m1"],"skipped":[]}"#)

    private static func skipped(_ reason: String) -> RawServer.Reply {
        .answer(200, #"{"applied":[],"skipped":[{"message_id":"m1","reason":"\#(reason)"}]}"#)
    }

    private func place(_ latitude: Double) -> LocationInfo { LocationInfo(latitude: latitude, longitude: 0) }

    private func fixes(_ server: RawServer) -> [RawServer.Request] {
        server.requests.filter { $0.method == "PUT" && $0.path == "/v1/live-locations" }
    }

    @Test func `connecting sends the token and waits for the hello`() async throws {
        let server = Self.server()
        let client = try await Self.connected(server)
        #expect(client.connectionStatus == .connected)
        let request = try #require(server.requests.first)
        #expect(request.headers["authorization"] == "Bearer \(Sample.token)")
        #expect(request.headers["host"] == "127.0.0.1:\(server.port)")
        await client.disconnect()
        #expect(client.connectionStatus == .disconnected)
    }

    @Test(
        arguments: [
            (.answer(401, ""), .server(.unauthenticated)), (.answer(200, "hello"), .invalidResponse),
            (.bytes("nonsense\r\n\r\n"), .invalidResponse),
            (.bytes("HTTP/1.1 101 X\r\nSec-WebSocket-Accept: no\r\n\r\n"), .invalidResponse),
            (.bytes("HTTP/1.1 101 X\r\nX: " + String(repeating: "x", count: 20_000)), .invalidResponse),
            (.webSocket { $0.sendClose(4401) }, .server(.tokenExpired)),
        ] as [(RawServer.Reply, ClientError.Code)])
    func `a connection that is refused is an error and not tried again`(
        _ reply: RawServer.Reply, _ code: ClientError.Code
    ) async {
        let server = RawServer { _ in reply }
        let error = await #expect(throws: ClientError.self) { _ = try await Self.connected(server) }
        #expect(error?.code == code)
        #expect(server.requests.count == 1)
    }

    @Test(
        arguments: [
            (.answer(503, ""), .server(.unavailable)), (.bytes(""), .connectionLost),
            (.webSocket { _ in }, .connectionLost), (nil, .cannotConnect),
        ] as [(RawServer.Reply?, ClientError.Code)])
    func `a server that cannot be reached is tried again in the background`(
        _ reply: RawServer.Reply?, _ code: ClientError.Code
    ) async throws {
        let attempts = Mutex(0)
        let server = RawServer { request in
            guard request.path == "/v1/events" else { return .answer(404, "") }
            let count = attempts.withLock { count in
                count += 1
                return count
            }
            return count == 1 ? reply ?? .bytes("") : .webSocket { Self.greet($0) }
        }
        if reply == nil { server.stop() }
        let client = Self.client(server.url)
        let status = try await client.connectUser(
            userInfo: UserInfo(id: "anna"), token: Token(Sample.token))
        #expect(status == .connecting)
        #expect(client.connectionProblem?.code == code)
        guard reply != nil else { return await client.disconnect() }
        for await status in client.connectionStatusChanges where status == .connected { break }
        #expect(client.connectionProblem == nil)
        await client.disconnect()
    }

    @Test func `another user's token and an early call are errors`() async {
        let gone = RawServer { _ in .bytes("") }
        gone.stop()
        let client = Self.client(gone.url)
        for (user, token) in [("bob", Sample.token), ("anna", ""), ("anna", "a\r\nb")] {
            let wrong = await #expect(throws: ClientError.self) {
                try await client.connectUser(userInfo: UserInfo(id: user), token: Token(token))
            }
            #expect(wrong?.code == .invalidToken)
        }
        let early = await #expect(throws: ClientError.self) {
            try await client.currentUserController().loadActiveLiveLocationMessages()
        }
        #expect(early?.code == .notConnected)
    }

    @Test func `a lost connection is made again and nothing is seen twice`() async throws {
        let connections = Mutex(0)
        let commands = Mutex<[String]>([])
        let server = RawServer { request in
            if request.path.contains("/messages") { return .answer(200, #"{"messages":[]}"#) }
            guard request.path == "/v1/events" else { return .answer(200, Sample.channel) }
            let number = connections.withLock { count in
                count += 1
                return count
            }
            return .webSocket { peer in
                peer.sendText(Sample.hello())
                guard let text = peer.nextText() else { return }
                commands.withLock { $0.append(text) }
                let id = number  // the first command of the first, the second of the second connection
                peer.sendText(#"{"event":"ack","id":\#(id),"channels":{"messaging:berlin":"ok"}}"#)
                if number == 1 {
                    peer.sendText(Sample.state(3))
                    peer.sendText(Sample.messageNew(4))
                } else {
                    for seq in 4...5 { peer.sendText(Sample.messageNew(seq)) }
                    peer.sendText(#"{"event":"member.added","channel_id":"messaging:berlin","seq":6}"#)
                    peer.sendText(Sample.state(6))
                    peer.sendText(#"{"event":"member.added","channel_id":"messaging:berlin","seq":6}"#)
                    peer.sendText(Sample.messageNew(7))
                    _ = peer.nextText()
                }
            }
        }
        let client = Self.client(server.url)
        let statuses = client.connectionStatusChanges
        let events = client.eventsController().received
        try await client.connectUser(userInfo: UserInfo(id: "anna"), token: Token(Sample.token))
        let channel = try await client.channelController(for: Self.berlin).synchronize()
        #expect(channel.name == "Berlin")
        var seen: [String] = []
        for await received in events {
            switch received.event {
            case .messageNew(let event): seen.append("message \(event.seq)")
            case .channelState(let state): seen.append("state \(state.seq)")
            case .unknown(let name): seen.append(name)
            default: break
            }
            if seen.last == "message 7" { break }
        }
        #expect(
            seen == ["state 3", "message 4", "message 5", "member.added", "state 6", "message 7"])
        #expect(commands.withLock { $0[1] }.contains(#""since":{"messaging:berlin":4}"#))
        var changes: [ConnectionStatus] = []
        for await status in statuses {
            changes.append(status)
            if changes.count == 4 { break }
        }
        #expect(changes == [.connecting, .connected, .connecting, .connected])
        await client.disconnect()
    }

    @Test func `a session that stood outlives a proxy without a server but not its token`() async throws {
        let connections = Mutex(0)
        let server = RawServer { request in
            guard request.path == "/v1/events" else { return .answer(404, "") }
            let number = connections.withLock { count in
                count += 1
                return count
            }
            switch number {
            case 1: return .webSocket { $0.sendText(Sample.hello()) }
            case 2: return .answer(404, "<html>")
            default:
                return .webSocket { peer in
                    peer.sendText(Sample.hello())
                    peer.sendClose(4401)
                    _ = peer.nextText()
                }
            }
        }
        let client = Self.client(server.url)
        let statuses = client.connectionStatusChanges
        try await client.connectUser(userInfo: UserInfo(id: "anna"), token: Token(Sample.token))
        var seen: [ConnectionStatus] = []
        for await status in statuses {
            seen.append(status)
            if status == .disconnected { break }
        }
        #expect(seen == [.connecting, .connected, .connecting, .connected, .disconnected])
        #expect(connections.withLock { $0 } == 3)
    }

    @Test func `a server that calls every token too old at once is not asked at once, again and again`()
        async throws
    {
        let server = RawServer { request in
            guard request.path == "/v1/events" else { return .answer(404, "") }
            return .webSocket { peer in
                peer.sendText(Sample.hello())
                peer.sendClose(4401)
                _ = peer.nextText()
            }
        }
        let given = Mutex(0)
        let client = ChatClient(
            config: ChatClientConfig(
                baseURL: URL(string: server.url)!, deviceId: DeviceId("phone"),
                tokenProvider: { _ in
                    given.withLock { $0 += 1 }
                    return Token(Sample.token)
                }))
        try await client.connectUser(userInfo: UserInfo(id: "anna"), token: Token(Sample.token))
        try await Task.sleep(for: .seconds(2))
        #expect(given.withLock { $0 } <= 6)
        await client.disconnect()
    }

    /// Without a `disconnect()` that is waited for: the connection's thread is still at work then.
    @Test(arguments: 0..<5) func `a program may end while its client is connected`(_: Int) async {
        await #expect(processExitsWith: .success) {
            let server = RawServer { request in
                request.path == "/v1/events"
                    ? .webSocket { peer in
                        peer.sendText(Sample.hello())
                        _ = peer.nextText()
                    } : .answer(404, "")
            }
            _ = try await Self.connected(server)
            exit(0)
        }
    }

    @Test func `a channel that is not there is said`() async throws {
        let server = RawServer { request in
            request.path == "/v1/events"
                ? .webSocket { peer in
                    peer.sendText(Sample.hello())
                    _ = peer.nextText()
                    peer.sendText(#"{"event":"ack","id":1,"channels":{"messaging:berlin":"not_found"}}"#)
                    _ = peer.nextText()
                } : .answer(404, "")
        }
        let client = try await Self.connected(server)
        let error = await #expect(throws: ClientError.self) {
            try await client.channelController(for: Self.berlin).synchronize()
        }
        #expect(error?.code == .server(.notFound))
    }

    @Test func `nothing is sent while no share is on`() async throws {
        let server = Self.server()
        let client = try await Self.connected(server)
        let me = client.currentUserController()
        let feed: () -> Void = { me.updateLiveLocation(place(1)) }
        feed()
        let error = await #expect(throws: ClientError.self) { try await me.updateLiveLocation(place(2)) }
        #expect(error?.code == .noActiveShare)
        #expect(fixes(server).isEmpty)
    }

    @Test func `a burst is two requests and the last position arrives before the wait ends`() async throws {
        let server = Self.server(shares: [Sample.location()])
        let client = try await Self.connected(server)
        let me = client.currentUserController()
        try await me.updateLiveLocation(place(0))
        let feed: (Double) -> Void = { me.updateLiveLocation(place($0)) }
        for latitude in 1...50 { feed(Double(latitude)) }
        try await me.updateLiveLocation(place(51))
        let sent = fixes(server)
        #expect(sent.compactMap { $0.json["latitude"] as? Double } == [0, 51])
        #expect(sent.allSatisfy { $0.json["device_id"] as? String == "phone" && $0.json["sent_at"] != nil })
    }

    @Test(arguments: ["ended", "not_found"])
    func `a share that the server calls over is not fed any more`(_ reason: String) async throws {
        let server = Self.server { _ in Self.skipped(reason) }
        let client = try await Self.connected(server)
        let me = client.currentUserController()
        _ = try await client.channelController(for: Self.berlin).startLiveLocationSharing(
            place(0), endDate: .now + 600)
        let ended = await #expect(throws: ClientError.self) { try await me.updateLiveLocation(place(1)) }
        #expect(ended?.code == .server(.liveLocationEnded))
        let none = await #expect(throws: ClientError.self) { try await me.updateLiveLocation(place(2)) }
        #expect(none?.code == .noActiveShare)
        #expect(fixes(server).count == 1)
    }

    @Test func `a position waits while the server is not available`() async throws {
        let server = Self.server(shares: [Sample.location()]) { count in
            count == 1 ? .answer(503, "", headers: ["Retry-After": "1"]) : Self.applied
        }
        let client = try await Self.connected(server)
        try await client.currentUserController().updateLiveLocation(place(1))
        #expect(fixes(server).compactMap { $0.json["latitude"] as? Double } == [1, 1])
    }

    @Test func `a refused position is an error of its caller alone`() async throws {
        let problem = """
            {"type":"about:blank","title":"t","status":422,"detail":"latitude must be a number",\
            "code":"invalid_argument","field":"/latitude","request_id":"r"}
            """
        let server = Self.server(shares: [Sample.location()]) { count in
            count == 1 ? .answer(422, problem) : Self.applied
        }
        let me = try await Self.connected(server).currentUserController()
        let error = await #expect(throws: ClientError.self) { try await me.updateLiveLocation(place(91)) }
        #expect(error?.code == .server(.invalidArgument))
        #expect(error?.message.contains("/latitude") == true)
    }

    @Test func `a live share is started on this device and stopped`() async throws {
        let server = Self.server()
        let client = try await Self.connected(server)
        let message = try await client.channelController(for: Self.berlin).startLiveLocationSharing(
            place(1), endDate: .now + 600)
        let stopped = try await client.messageController(cid: Self.berlin, messageId: message.id)
            .stopLiveLocationSharing()
        #expect(
            message.sharedLocation?.isLiveSharingActive == true && message.isSentByCurrentUser
                && message.localState == .sent)
        #expect(stopped?.isLiveSharingActive == false)
        let posted = try #require(server.requests.first { $0.path.hasSuffix("/messages") })
        let location = try #require(posted.json["shared_location"] as? [String: Any])
        #expect(location["device_id"] as? String == "phone" && location["end_at"] != nil)
        #expect(
            server.requests.contains { $0.path == "/v1/devices" && $0.json["platform"] as? String == "linux" }
        )
        #expect(posted.json["id"] != nil && posted.json["sent_at"] != nil)
        let none = await #expect(throws: ClientError.self) {
            try await client.currentUserController().updateLiveLocation(place(2))
        }
        #expect(none?.code == .noActiveShare)
    }

    @Test func `a message is tried again under the same id`() async throws {
        let ids = Mutex<[String]>([])
        let server = RawServer { request in
            if request.path == "/v1/events" { return .webSocket { Self.greet($0) } }
            guard request.method == "POST" else { return .answer(404, "") }
            let count = ids.withLock { ids in
                ids.append(request.json["id"] as? String ?? "")
                return ids.count
            }
            let id = request.json["id"] as? String ?? ""
            return count == 1 ? .bytes("") : .answer(200, Sample.message(id, text: "hi"))
        }
        let client = try await Self.connected(server)
        let message = try await client.channelController(for: Self.berlin).sendMessage(text: "hi")
        #expect(message.text == "hi")
        #expect(ids.withLock { $0.count == 2 && Set($0).count == 1 })
    }

    @Test func `disconnecting ends those who wait`() async throws {
        let server = Self.server(shares: [Sample.location()]) { _ in .answer(503, "") }
        let client = try await Self.connected(server)
        let waiting = Task { try await client.currentUserController().updateLiveLocation(place(1)) }
        while fixes(server).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        await client.disconnect()
        let error = await #expect(throws: ClientError.self) { try await waiting.value }
        #expect(error?.code == .notConnected)
    }

    @Test func `an error's description holds neither token nor position`() {
        let error = ClientError(WireError(.invalidArgument, "longitude is required", field: "/longitude"))
        #expect("\(error)" == "longitude is required (/longitude)")
    }
}
