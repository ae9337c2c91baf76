import Foundation
import Synchronization
import Testing
import YonderModel

@testable import YonderClient

/// Whoever gives up gets away at once, and the newest wish is the one that counts.
struct CancellationTests {
    private static func client(_ server: RawServer) -> ChatClient {
        ChatClient(
            config: ChatClientConfig(
                baseURL: URL(string: server.url)!, deviceId: DeviceId("phone"),
                minimumUpdateInterval: .milliseconds(50)))
    }

    private static func connect(_ client: ChatClient) async throws {
        try await client.connectUser(userInfo: UserInfo(id: "anna"), token: Token(Sample.token))
    }

    /// A server with a share on, whose connections, fixes and exports wait for the test.
    private static func server(
        connects: Gate = .open, fixes: Gate = .open, reads: Gate = .open
    ) -> RawServer {
        RawServer { request in
            switch (request.method, request.path) {
            case ("GET", "/v1/events"):
                connects.pass()
                return .webSocket { peer in
                    peer.sendText(Sample.hello())
                    while peer.nextText() != nil {}
                }
            case ("GET", "/v1/live-locations"):
                return .answer(200, #"{"active_live_locations":[\#(Sample.location())]}"#)
            case ("PUT", "/v1/live-locations"):
                fixes.pass()
                return .answer(200, #"{"applied":["m1"],"skipped":[]}"#)
            case ("GET", "/v1/users/me/export"):
                reads.pass()
                return .answer(200, "")
            case ("DELETE", "/v1/messages/m1/live-location"):
                return .answer(200, Sample.location(active: false))
            default: return .answer(404, "")
            }
        }
    }

    private func wait(for method: String, _ path: String, at server: RawServer, times: Int = 1) async throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while server.requests.count(where: { $0.method == method && $0.path == path }) < times {
            try #require(ContinuousClock.now < deadline, "no \(method) \(path)")
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test func `a cancelled update returns while its request is on its way`() async throws {
        let gate = Gate()
        defer { gate.lift() }
        let server = Self.server(fixes: gate)
        let client = Self.client(server)
        try await Self.connect(client)
        let update = Task { () -> ClientError? in
            do throws(ClientError) {
                try await client.currentUserController().updateLiveLocation(
                    LocationInfo(latitude: 1, longitude: 2))
                return nil
            } catch {
                return error
            }
        }
        try await wait(for: "PUT", "/v1/live-locations", at: server)
        update.cancel()
        #expect(await update.value?.code == .cancelled)
    }

    @Test func `a stop does not wait for a slow fix`() async throws {
        let gate = Gate()
        defer { gate.lift() }
        let server = Self.server(fixes: gate)
        let client = Self.client(server)
        try await Self.connect(client)
        let me = client.currentUserController()
        let feed: () -> Void = { me.updateLiveLocation(LocationInfo(latitude: 1, longitude: 2)) }
        feed()
        try await wait(for: "PUT", "/v1/live-locations", at: server)
        let start = ContinuousClock.now
        let cid = ChannelId(type: "messaging", id: "berlin")
        let stopped = try await client.messageController(cid: cid, messageId: MessageId("m1")!)
            .stopLiveLocationSharing()
        #expect(stopped?.isLiveSharingActive == false)
        #expect(start.duration(to: .now) < .seconds(10))
    }

    @Test func `a stop does not wait for a slow answer to what is read`() async throws {
        let gate = Gate()
        defer { gate.lift() }
        let server = Self.server(reads: gate)
        let client = Self.client(server)
        try await Self.connect(client)
        let me = client.currentUserController()
        try await me.loadActiveLiveLocationMessages()
        let reading = Task { try await me.exportAccount() }
        try await wait(for: "GET", "/v1/users/me/export", at: server)
        let cid = ChannelId(type: "messaging", id: "berlin")
        let controller = client.messageController(cid: cid, messageId: MessageId("m1")!)
        let stopping = Task { try await controller.stopLiveLocationSharing() }
        try await eventually("it is stopped", within: .seconds(3)) {
            server.requests.contains { $0.method == "DELETE" }
        }
        gate.lift()
        _ = try await stopping.value
        _ = await reading.result
        await client.disconnect()
    }

    @Test func `a disconnect while it connects is not lost`() async throws {
        let gate = Gate()
        let server = Self.server(connects: gate)
        let client = Self.client(server)
        let connecting = Task { try await Self.connect(client) }
        try await wait(for: "GET", "/v1/events", at: server)
        let start = ContinuousClock.now
        await client.disconnect()
        #expect(start.duration(to: .now) < .seconds(5))
        let error = await #expect(throws: ClientError.self) { try await connecting.value }
        #expect(error?.code == .cancelled)
        gate.lift()
        #expect(client.connectionStatus == .disconnected)
        #expect(throws: ClientError.self) { try client.session() }
        try await Self.connect(client)
        #expect(client.connectionStatus == .connected)
        await client.disconnect()
    }

    @Test func `of two connects at once the newest counts and the status is true`() async throws {
        let gate = Gate()
        let server = Self.server(connects: gate)
        let client = Self.client(server)
        let statuses = client.connectionStatusChanges
        let first = Task { try await Self.connect(client) }
        try await wait(for: "GET", "/v1/events", at: server)
        let second = Task { try await Self.connect(client) }
        let error = await #expect(throws: ClientError.self) { try await first.value }
        #expect(error?.code == .cancelled)
        gate.lift()
        try await second.value
        #expect(client.connectionStatus == .connected)
        #expect(throws: Never.self) { try client.session() }
        await client.disconnect()
        var seen: [ConnectionStatus] = []
        for await status in statuses {
            seen.append(status)
            if seen.count == 5 { break }
        }
        #expect(seen == [.connecting, .disconnected, .connecting, .connected, .disconnected])
    }

    @Test func `a cancelled connect returns at once and leaves nothing behind`() async throws {
        let gate = Gate()
        defer { gate.lift() }
        let server = Self.server(connects: gate)
        let client = Self.client(server)
        let connecting = Task { try await Self.connect(client) }
        try await wait(for: "GET", "/v1/events", at: server)
        let start = ContinuousClock.now
        connecting.cancel()
        let error = await #expect(throws: ClientError.self) { try await connecting.value }
        #expect(error?.code == .cancelled)
        #expect(start.duration(to: .now) < .seconds(5))
        #expect(client.connectionStatus == .disconnected)
    }

    @Test func `a subscription that is cancelled does not wait for its acknowledgement`() async throws {
        let server = Self.server()
        let client = Self.client(server)
        try await Self.connect(client)
        let watching = Task {
            try await client.channelController(for: ChannelId(type: "messaging", id: "berlin")).synchronize()
        }
        watching.cancel()
        let error = await #expect(throws: ClientError.self) { _ = try await watching.value }
        #expect(error?.code == .cancelled)
        await client.disconnect()
    }
}

/// Holds up threads of a test's server until the test lets them go.
final class Gate: Sendable {
    static let open = {
        let gate = Gate()
        gate.lift()
        return gate
    }()

    private let semaphore = DispatchSemaphore(value: 0)

    func lift() { semaphore.signal() }

    /// Waits; every one who passed lets the next one pass.
    func pass() {
        semaphore.wait()
        semaphore.signal()
    }
}
