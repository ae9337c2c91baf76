import Foundation
import Synchronization
import Testing
import YonderModel
import YonderRules

@testable import YonderClient

/// How positions reach the server, counted.
struct FeedingTests {
    /// A transport that counts what goes through it, over the real one.
    final class CountingTransport: ChatTransport {
        private let inner: CurlTransport
        let requests = Mutex<[TransportRequest]>([])

        init(_ url: String) { inner = CurlTransport(baseURL: URL(string: url)!, caFile: nil) }

        func send(_ request: TransportRequest) async throws(ClientError) -> TransportResponse {
            requests.withLock { $0.append(request) }
            return try await inner.send(request)
        }

        func openEvents(token: Token) async throws(ClientError) -> any EventLink {
            try await inner.openEvents(token: token)
        }

        /// Requests that move shares.
        var moves: [TransportRequest] {
            requests.withLock { $0.filter { $0.lane == .positions } }
        }
    }

    private static func client(_ server: LiveServer, _ transport: CountingTransport) async throws
        -> ChatClient
    {
        var config = server.config("anna-phone")
        config.minimumUpdateInterval = .seconds(2)
        let client = ChatClient(config: config, transport: transport)
        try await server.connect(client, "anna")
        return client
    }

    private static func feed(_ client: ChatClient, hertz: Int, for seconds: Int) async throws -> Double {
        let me = client.currentUserController()
        let start = ContinuousClock.now
        var latitude = 0.0
        for number in 0..<(hertz * seconds) {
            latitude = Double(number + 1) / 1_000
            me.updateLiveLocation(place(latitude), completion: nil)
            try await Task.sleep(
                until: start + .milliseconds((number + 1) * 1_000 / hertz), clock: .continuous)
        }
        return latitude
    }

    @Test func `a hundred positions a second for ten seconds are seven requests and the last arrives`()
        async throws
    {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna"])
            let transport = CountingTransport(server.url)
            let client = try await Self.client(server, transport)
            let message = try await client.channelController(for: teamX).startLiveLocationSharing(
                place(0), endDate: .now + 600)
            let last = try await Self.feed(client, hertz: 100, for: 10)
            let controller = client.messageController(cid: teamX, messageId: message.id)
            try await eventually("the last one arrives", within: .seconds(3)) {
                controller.message?.sharedLocation?.latitude == last
            }
            #expect(transport.moves.count <= 7)
            #expect(transport.moves.allSatisfy { $0.method == "PUT" })
            await client.disconnect()
        }
    }

    @Test func `without an active share nothing is sent`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna"])
            let transport = CountingTransport(server.url)
            let client = try await Self.client(server, transport)
            _ = try await Self.feed(client, hertz: 100, for: 1)
            #expect(transport.moves.isEmpty)
            // One that has ended counts for nothing, either.
            let message = try await client.channelController(for: teamX).startLiveLocationSharing(
                place(0), endDate: .now + 600)
            try await client.messageController(cid: teamX, messageId: message.id).stopLiveLocationSharing()
            let before = transport.moves.count
            _ = try await Self.feed(client, hertz: 100, for: 1)
            #expect(transport.moves.count == before)
            await client.disconnect()
        }
    }

    @Test func `one request moves the shares of all channels`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna"])
            try await server.call("POST", "/v1/channels", as: "anna", json: #"{"id":"y","type":"team"}"#)
            let transport = CountingTransport(server.url)
            let client = try await Self.client(server, transport)
            var shares: [ChatMessage] = []
            for cid in [teamX, ChannelId(type: "team", id: "y")] {
                shares.append(
                    try await client.channelController(for: cid).startLiveLocationSharing(
                        place(0), endDate: .now + 600))
            }
            try await client.currentUserController().updateLiveLocation(place(5))
            for share in shares {
                let read = try await client.messageController(cid: share.cid, messageId: share.id)
                    .synchronize()
                #expect(read.sharedLocation?.latitude == 5)
            }
            #expect(transport.moves.count == 1)
            await client.disconnect()
        }
    }

    @Test func `a kept trail is as dense as its fixes with one batch of them`() async throws {
        let clock = ManualClock()
        try await LiveServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            let transport = CountingTransport(server.url)
            let client = ChatClient(
                config: server.config("anna-phone", interval: .seconds(2)), transport: transport,
                deviceTime: { clock.now })
            try await server.connect(client, "anna")
            let message = try await client.channelController(for: teamX).startLiveLocationSharing(
                place(0), endDate: clock.now.date + 3_600, options: .init(keepTrail: true))
            let me = client.currentUserController()
            clock.advance(seconds: 1)
            // The first goes at once; the clock must not run while it is on its way.
            try await me.updateLiveLocation(place(1))
            for number in 2...40 {
                clock.advance(seconds: 1)
                me.updateLiveLocation(place(Double(number)), completion: nil)
            }
            // What the throttle skipped goes before the stop, so that the trail is whole.
            let controller = client.messageController(cid: teamX, messageId: message.id)
            try await controller.stopLiveLocationSharing()
            #expect(try await controller.trail().map(\.coordinate.latitude) == (0...40).map(Double.init))
            #expect(transport.moves.count { $0.path.hasSuffix("/batch") } == 1)
            await client.disconnect()
        }
    }

    @Test func `fixes of a share that the server no longer lets this device feed stop`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna"])
            try await server.call("POST", "/v1/devices", as: "anna", json: #"{"id":"watch"}"#)
            let transport = CountingTransport(server.url)
            let client = try await Self.client(server, transport)
            let message = try await client.channelController(for: teamX).startLiveLocationSharing(
                place(0), endDate: .now + 600)
            try await server.call(
                "PATCH", "/v1/messages/\(message.id)/live-location", as: "anna", json: #"{"fed_by":"watch"}"#)
            let me = client.currentUserController()
            try await eventually("the hand-over is known") { me.activeLiveLocationMessages == [] }
            let before = transport.moves.count
            _ = try await Self.feed(client, hertz: 50, for: 1)
            #expect(transport.moves.count == before)
            let read = try await client.messageController(cid: teamX, messageId: message.id).synchronize()
            #expect(read.sharedLocation?.isLiveSharingActive == true)
            await client.disconnect()
        }
    }
}
