import Foundation
import Synchronization
import Testing
import YonderModel
import YonderRules
import YonderServer

@testable import YonderClient

/// A delegate that writes down what it is told.
@MainActor final class SharingLog: CurrentChatUserControllerDelegate {
    private(set) var lines: [String] = []
    private(set) var errors: [ClientError] = []

    /// What was said of sharing, without how many shares there are.
    var turns: [String] { lines.filter { !$0.hasPrefix("changed") } }

    func currentUserControllerDidStartSharingLiveLocation(_: CurrentChatUserController) {
        lines.append("started")
    }

    func currentUserControllerDidStopSharingLiveLocation(_: CurrentChatUserController) {
        lines.append("stopped")
    }

    func currentUserController(
        _: CurrentChatUserController, didChangeActiveLiveLocationMessages messages: [ChatMessage]
    ) {
        lines.append("changed \(messages.count)")
    }

    func currentUserController(_: CurrentChatUserController, didFailWith error: ClientError) {
        errors.append(error)
    }
}

/// A delegate that counts what it is told.
@MainActor private final class EventCounter: EventsControllerDelegate {
    private(set) var count = 0

    func eventsController(_: EventsController, didReceiveEvent _: ServerEvent) { count += 1 }
}

/// Everything that begins and ends sharing, as a delegate hears of it.
@MainActor struct DelegateTests {
    private static func share(_ client: ChatClient, for seconds: Double = 600) async throws -> ChatMessage {
        try await client.channelController(for: teamX).startLiveLocationSharing(
            place(1), endDate: .now + seconds)
    }

    @Test func `a delegate that takes another's place hears of each event once`() async throws {
        let client = ChatClient(config: ChatClientConfig(baseURL: URL(string: "http://127.0.0.1:9")!))
        let events = client.eventsController()
        let (first, second) = (EventCounter(), EventCounter())
        events.delegate = first
        events.delegate = second
        for _ in 0..<3 {
            client.hub.publish(ReceivedEvent(json: [], event: .heartbeat(serverTime: .now)))
        }
        try await eventually("the events are told") { second.count >= 3 }
        try await Task.sleep(for: .milliseconds(50))
        #expect(first.count == 0 && second.count == 3)
    }

    @Test func `the sequences of a client end with it`() async throws {
        var client: ChatClient? = ChatClient(
            config: ChatClientConfig(baseURL: URL(string: "http://127.0.0.1:9")!))
        let events = try #require(client?.eventsController().events)
        let messages = try #require(client?.channelController(for: teamX).messageChanges)
        let shares = try #require(client?.currentUserController().activeLiveLocationMessageChanges)
        let ended = ManualCounter()
        Task {
            for await _ in events {}
            ended.add()
        }
        Task {
            for await _ in messages {}
            ended.add()
        }
        Task {
            for await _ in shares {}
            ended.add()
        }
        try await Task.sleep(for: .milliseconds(50))
        client = nil
        try await eventually("all end", within: .seconds(2)) { ended.count == 3 }
    }

    @Test func `a second share is no second start and the last end is the stop`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna", "bob"])
            try await server.call("POST", "/v1/channels", as: "anna", json: #"{"id":"y","type":"team"}"#)
            let client = try await server.client("anna")
            let me = client.currentUserController()
            let log = SharingLog()
            me.delegate = log
            let first = try await Self.share(client)
            let second = try await client.channelController(for: ChannelId(type: "team", id: "y"))
                .startLiveLocationSharing(place(2), endDate: .now + 600)
            try await eventually("two shares") { log.lines == ["started", "changed 1", "changed 2"] }
            try await client.messageController(cid: first.cid, messageId: first.id).stopLiveLocationSharing()
            try await client.messageController(cid: second.cid, messageId: second.id)
                .stopLiveLocationSharing()
            try await eventually("the stop") { log.lines.last == "stopped" }
            #expect(
                log.lines == ["started", "changed 1", "changed 2", "changed 1", "changed 0", "stopped"])
            await client.disconnect()
        }
    }

    @Test(arguments: [true, false])
    func `a share that is on already is a start once, whenever the delegate comes`(
        _ isDelegateFirst: Bool
    ) async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna"])
            let before = try await server.client("anna")
            _ = try await Self.share(before)
            await before.disconnect()
            let client = ChatClient(config: server.config("anna-phone"))
            let me = client.currentUserController()
            let log = SharingLog()
            if isDelegateFirst { me.delegate = log }
            try await server.connect(client, "anna")
            let messages = try await me.loadActiveLiveLocationMessages()
            #expect(messages.count == 1)
            if !isDelegateFirst { me.delegate = log }
            try await eventually("the start") { !log.lines.isEmpty }
            try await me.loadActiveLiveLocationMessages()
            try await Task.sleep(for: .milliseconds(100))
            #expect(log.lines == ["started", "changed 1"])
            await client.disconnect()
        }
    }

    enum End: CaseIterable, Sendable {
        case stopped, stoppedElsewhere, expired, deletedMessage, deletedChannel, removed, disabled, handedOver
    }

    @Test(arguments: End.allCases)
    func `whatever ends the share is told as its stop`(_ end: End) async throws {
        try await LiveServer.run(configure: { $0.minimumLiveSeconds = 1 }) { server in
            try await server.makeChannel(["olga", "anna"])
            let client = try await server.client("anna")
            let me = client.currentUserController()
            let log = SharingLog()
            me.delegate = log
            let message = try await Self.share(client, for: end == .expired ? 2 : 600)
            try await eventually("the start") { log.turns == ["started"] }
            let path = "/v1/messages/\(message.id)"
            switch end {
            case .stopped:
                try await client.messageController(cid: teamX, messageId: message.id)
                    .stopLiveLocationSharing()
            case .stoppedElsewhere:
                let laptop = try await server.client("anna", server.config("laptop"))
                try await laptop.currentUserController().stopAllLiveLocationSharing()
                await laptop.disconnect()
            case .expired: break
            case .deletedMessage: try await server.call("DELETE", path, as: "anna")
            case .deletedChannel: try await server.call("DELETE", "/v1/channels/team:x", as: "olga")
            case .removed: try await server.call("DELETE", "/v1/channels/team:x/members/anna", as: "olga")
            case .disabled:
                try await server.call(
                    "PATCH", "/v1/channels/team:x", as: "olga",
                    json: #"{"config":{"shared_locations":false}}"#)
            case .handedOver:
                try await server.call("POST", "/v1/devices", as: "anna", json: #"{"id":"watch"}"#)
                try await client.messageController(cid: teamX, messageId: message.id).feedLiveLocation(
                    from: DeviceId("watch")!)
            }
            try await eventually("the stop") { log.turns == ["started", "stopped"] }
            try await Task.sleep(for: .milliseconds(50))
            #expect(log.turns == ["started", "stopped"])
            await client.disconnect()
        }
    }

    @Test func `a share in another's place leaves sharing on`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna"])
            let client = try await server.client("anna")
            let me = client.currentUserController()
            let log = SharingLog()
            me.delegate = log
            let first = try await Self.share(client)
            let second = try await Self.share(client)
            try await eventually("the second alone") {
                me.activeLiveLocationMessages.map(\.id) == [second.id]
            }
            #expect(first.id != second.id)
            #expect(log.turns == ["started"])
            await client.disconnect()
        }
    }

    @Test func `a share that another device's takes the place of is a stop for this one`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna"])
            let client = try await server.client("anna")
            let log = SharingLog()
            let me = client.currentUserController()
            me.delegate = log
            _ = try await Self.share(client)
            let laptop = try await server.client("anna", server.config("laptop"))
            _ = try await Self.share(laptop)
            try await eventually("the stop") { log.turns == ["started", "stopped"] }
            await laptop.disconnect()
            await client.disconnect()
        }
    }

    @Test func `shares of other devices are told where that is wanted`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna"])
            let client = try await server.client(
                "anna", server.config("anna-phone", onlyCurrentDevice: false))
            let log = SharingLog()
            let me = client.currentUserController()
            me.delegate = log
            let laptop = try await server.client("anna", server.config("laptop"))
            let message = try await Self.share(laptop)
            try await eventually("the start") { log.turns == ["started"] }
            #expect(me.activeLiveLocationMessages.map(\.id) == [message.id])
            try await laptop.messageController(cid: teamX, messageId: message.id).stopLiveLocationSharing()
            try await eventually("the stop") { log.turns == ["started", "stopped"] }
            await laptop.disconnect()
            await client.disconnect()
        }
    }

    /// Ten minutes fast and slow: the end that was chosen by that clock is kept.
    @Test(arguments: [-600.0, 0, 600])
    func `a device's wrong clock changes neither the start nor the end`(_ offset: Double) async throws {
        try await LiveServer.run(configure: { $0.minimumLiveSeconds = 1 }) { server in
            try await server.makeChannel(["anna", "bob"])
            let client = ChatClient(
                config: server.config("anna-phone"),
                transport: CurlTransport(baseURL: URL(string: server.url)!, caFile: nil),
                deviceTime: { Timestamp.now.advanced(byMilliseconds: Int64(offset * 1000)) })
            try await server.connect(client, "anna")
            let me = client.currentUserController()
            let log = SharingLog()
            me.delegate = log
            let began = ContinuousClock.now
            let message = try await client.channelController(for: teamX).startLiveLocationSharing(
                place(1), endDate: .now + offset + 2)
            #expect(message.sharedLocation?.isLiveSharingActive == true)
            // The server cannot say that it is over.
            await server.stop()
            try await eventually("the stop") { log.turns == ["started", "stopped"] }
            let lasted = began.duration(to: .now)
            #expect(lasted > .milliseconds(1_500) && lasted < .milliseconds(3_500))
            let known = client.messageController(cid: teamX, messageId: message.id).message
            #expect(known?.sharedLocation?.isLiveSharingActive == false)
            await client.disconnect()
        }
    }

    @Test func `a failure that nobody waited for reaches the delegate and the log`() async throws {
        try await LiveServer.run { server in
            let lines = Mutex<[String]>([])
            let client = try await server.client(
                "anna", server.config("anna-phone", log: { line in lines.withLock { $0.append(line) } }))
            let me = client.currentUserController()
            let log = SharingLog()
            me.delegate = log
            let remove: () -> Void = { me.removeDevice(id: DeviceId("none")!) }
            remove()
            try await eventually("the failure") { !log.errors.isEmpty }
            #expect(log.errors.first?.code == .server(.notFound))
            #expect(lines.withLock { $0.count } == 1)
            await client.disconnect()
        }
    }

    @Test func `a delegate and a controller that nobody holds are let go`() async throws {
        try await LiveServer.run { server in
            let client = try await server.client("anna")
            var me: CurrentChatUserController? = client.currentUserController()
            var log: SharingLog? = SharingLog()
            me?.delegate = log
            weak let controller = me
            weak let delegate = log
            #expect(me?.delegate != nil)
            log = nil
            #expect(delegate == nil)
            #expect(me?.delegate == nil)
            me = nil
            try await eventually("the controller is gone") { controller == nil }
            await client.disconnect()
        }
    }
}
