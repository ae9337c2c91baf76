import Foundation
import Synchronization
import Testing
import YonderCurl
import YonderModel
import YonderRules
import YonderSQLite
import YonderServer

@testable import YonderClient

/// A clock that tests move.
final class ManualClock: Sendable {
    private let time: Mutex<Timestamp>

    init(_ time: Timestamp = .now) { self.time = Mutex(time) }

    var now: Timestamp { time.withLock { $0 } }

    func advance(seconds: Int64) { time.withLock { $0 = $0.advanced(bySeconds: seconds) } }
}

/// What a client does while nobody answers, and what becomes of it.
struct OfflineTests {
    private static let teamY = ChannelId(type: "team", id: "y")

    private static func client(
        _ server: LiveServer, _ clock: ManualClock, store: URL?, device: String = "anna-phone"
    ) -> ChatClient {
        ChatClient(
            config: server.config(device, store: store),
            transport: CurlTransport(baseURL: URL(string: server.url)!, caFile: nil),
            deviceTime: { clock.now })
    }

    /// The store as it lies on the disk at this moment: what a program finds after a `kill -9`.
    private static func crashImage(of store: URL, in folder: URL, _ name: String) throws -> URL {
        let copy = folder.appending(path: name)
        for suffix in ["", "-wal"] {
            let from = URL(fileURLWithPath: store.path() + suffix)
            guard FileManager.default.fileExists(atPath: from.path()) else { continue }
            try FileManager.default.copyItem(at: from, to: URL(fileURLWithPath: copy.path() + suffix))
        }
        return copy
    }

    @Test func `everything that was done without a server and through a crash arrives once and in order`()
        async throws
    {
        let clock = ManualClock()
        try await withStoreFolder { folder in
            try await LiveServer.run(clock: { clock.now }) { server in
                try await server.makeChannel(["anna", "bob"])
                try await server.call("POST", "/v1/channels", as: "anna", json: #"{"id":"y","type":"team"}"#)
                let store = folder.appending(path: "first")
                let first = Self.client(server, clock, store: store)
                try await server.connect(first, "anna")
                let walk = try await first.channelController(for: teamX).startLiveLocationSharing(
                    place(0), endDate: clock.now.date + 3_600, options: .init(keepTrail: true))
                let other = try await first.channelController(for: Self.teamY).startLiveLocationSharing(
                    place(0), endDate: clock.now.date + 3_600, options: .init(keepTrail: true))
                let start = clock.now
                await server.stop()
                try await eventually("the loss is noticed") { first.connectionStatus == .connecting }

                // A hundred fixes, then the stop of the other share, then a hundred more with a crash between.
                func walkOn(_ client: ChatClient, _ numbers: Range<Int>) {
                    let me = client.currentUserController()
                    for number in numbers {
                        clock.advance(seconds: 1)
                        me.updateLiveLocation(place(Double(number) / 1_000), completion: nil)
                    }
                }
                let channel = first.channelController(for: teamX)
                walkOn(first, 1..<101)
                var texts: [ChatMessage] = []
                for number in 1...3 { texts.append(try await channel.sendMessage(text: "text \(number)")) }
                #expect(texts.allSatisfy { $0.localState != .sent && $0.localState != .failed })
                try await first.messageController(cid: Self.teamY, messageId: other.id)
                    .stopLiveLocationSharing()
                let stoppedAt = clock.now
                walkOn(first, 101..<151)

                let left = try Self.crashImage(of: store, in: folder, "second")
                let second = Self.client(server, clock, store: left)
                try await server.connect(second, "anna")
                #expect(second.connectionStatus == .connecting)
                let known = second.currentUserController().activeLiveLocationMessages
                #expect(known.map(\.id) == [walk.id])
                let again = second.channelController(for: teamX)
                #expect(
                    again.messages.filter { $0.localState != .sent }.map(\.text) == [
                        "text 1", "text 2", "text 3",
                    ])
                walkOn(second, 151..<201)
                for number in 4...5 { try await again.sendMessage(text: "text \(number)") }
                await first.disconnect()

                try await server.start()
                let bob = try await server.client("bob")
                let watched = bob.channelController(for: teamX)
                try await watched.synchronize()
                // The pin is where its sender is before all else has arrived.
                try await eventually("the pin jumps") {
                    watched.channel?.activeLiveLocations.first?.latitude == 0.2
                }
                try await eventually("all is sent") { !second.hasUnsentActions }
                let pin = bob.messageController(cid: teamX, messageId: walk.id)
                let mine = second.messageController(cid: teamX, messageId: walk.id)
                try await eventually("the trail") { try await mine.trail().count == 201 }
                #expect(
                    try await mine.trail().map(\.coordinate.latitude) == (0...200).map { Double($0) / 1_000 })
                let times = try await mine.trail().map(\.recordedTime)
                #expect(times == (0...200).map { start.advanced(bySeconds: $0) })
                #expect(try await pin.synchronize().sharedLocation?.latitude == 0.2)
                try await watched.synchronize()
                #expect(
                    watched.messages.map(\.text) == [
                        "", "text 1", "text 2", "text 3", "text 4", "text 5",
                    ])
                let ended = second.messageController(cid: Self.teamY, messageId: other.id)
                #expect(try await ended.synchronize().sharedLocation?.endedReason == .stopped)
                let trail = try await ended.trail()
                #expect(trail.count == 101)
                #expect(trail.allSatisfy { $0.recordedTime <= stoppedAt })
                await second.disconnect()
                await bob.disconnect()
            }
        }
    }

    @Test func `a share that was stopped without a server gets its last position though another goes on`()
        async throws
    {
        let clock = ManualClock()
        try await LiveServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            try await server.call("POST", "/v1/channels", as: "anna", json: #"{"id":"y","type":"team"}"#)
            let client = Self.client(server, clock, store: nil)
            try await server.connect(client, "anna")
            let stays = try await client.channelController(for: teamX).startLiveLocationSharing(
                place(0), endDate: clock.now.date + 3_600, options: .init(keepTrail: true))
            let ends = try await client.channelController(for: Self.teamY).startLiveLocationSharing(
                place(0), endDate: clock.now.date + 3_600, options: .init(keepTrail: true))
            await server.stop()
            try await eventually("the loss is noticed") { client.connectionStatus == .connecting }
            Self.walk(client, clock, to: 5)
            let stopped = client.messageController(cid: Self.teamY, messageId: ends.id)
            try await stopped.stopLiveLocationSharing()
            try await Task.sleep(for: .milliseconds(300))  // until what is tried at once has failed
            try await server.start()
            try await eventually("all is sent") { !client.hasUnsentActions }
            let goesOn = client.messageController(cid: teamX, messageId: stays.id)
            try await eventually("the trail") { try await goesOn.trail().count == 6 }
            #expect(try await stopped.trail().map(\.coordinate.latitude) == (0...5).map(Double.init))
            await client.disconnect()
        }
    }

    @Test(arguments: [false, true])
    func `a share that is replaced without a server gets the positions from before first`(
        _ isStopped: Bool
    ) async throws {
        let clock = ManualClock()
        try await LiveServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            let client = Self.client(server, clock, store: nil)
            try await server.connect(client, "anna")
            let channel = client.channelController(for: teamX)
            let old = try await channel.startLiveLocationSharing(
                place(0), endDate: clock.now.date + 3_600, options: .init(keepTrail: true))
            await server.stop()
            try await eventually("the loss is noticed") { client.connectionStatus == .connecting }
            Self.walk(client, clock, to: 5)
            let new = try await channel.startLiveLocationSharing(
                place(5), endDate: clock.now.date + 3_600, options: .init(keepTrail: true))
            let replaced = client.messageController(cid: teamX, messageId: old.id)
            if isStopped { try await replaced.stopLiveLocationSharing() }
            Self.walk(client, clock, to: 3)
            try await server.start()
            try await eventually("all is sent") { !client.hasUnsentActions }
            #expect(try await replaced.synchronize().sharedLocation?.endedReason == .replaced)
            let way = try await replaced.trail().map(\.coordinate.latitude)
            #expect(way.prefix(6) == [0, 1, 2, 3, 4, 5])
            let share = client.messageController(cid: teamX, messageId: new.id)
            #expect(try await share.synchronize().sharedLocation?.latitude == 3)
            await client.disconnect()
        }
    }

    /// A position a second: 1, 2, … degrees north.
    private static func walk(_ client: ChatClient, _ clock: ManualClock, to last: Int) {
        let me = client.currentUserController()
        for number in 1...last {
            clock.advance(seconds: 1)
            me.updateLiveLocation(place(Double(number)), completion: nil)
        }
    }

    @Test func `a share that begins without a server begins where its sender is when there is one`()
        async throws
    {
        let clock = ManualClock()
        try await LiveServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            let client = Self.client(server, clock, store: nil)
            try await server.connect(client, "anna")
            await server.stop()
            try await eventually("the loss is noticed") { client.connectionStatus == .connecting }
            let end = clock.now.advanced(bySeconds: 600)
            let message = try await client.channelController(for: teamX).startLiveLocationSharing(
                place(0), endDate: end.date)
            #expect(message.localState == .pending)
            #expect(message.sharedLocation?.isLiveSharingActive == true)
            let me = client.currentUserController()
            #expect(me.activeLiveLocationMessages.map(\.id) == [message.id])
            for number in 1...60 {
                clock.advance(seconds: 1)
                me.updateLiveLocation(place(Double(number) / 100), completion: nil)
            }
            try await server.start()
            let controller = client.messageController(cid: teamX, messageId: message.id)
            try await eventually("it is sent") { controller.message?.localState == .sent }
            let share = try #require(try await controller.synchronize().sharedLocation)
            #expect(share.latitude == 0.6)
            #expect(share.endTime == end)
            await client.disconnect()
        }
    }

    @Test func `a share whose end came before the server is given up and says so`() async throws {
        let clock = ManualClock()
        try await withStoreFolder { folder in
            try await LiveServer.run(clock: { clock.now }) { server in
                try await server.makeChannel(["anna"])
                await server.stop()
                let client = Self.client(server, clock, store: folder.appending(path: "store"))
                try await server.connect(client, "anna")
                let message = try await client.channelController(for: teamX).startLiveLocationSharing(
                    place(0), endDate: clock.now.date + 120)
                clock.advance(seconds: 121)
                try await server.start()
                let controller = client.messageController(cid: teamX, messageId: message.id)
                try await eventually("it is given up") { controller.message?.localState == .failed }
                #expect(controller.message?.localError?.code == .expired)
                #expect(client.currentUserController().activeLiveLocationMessages == [])
                await client.disconnect()
                // Until it is deleted it is there, also in the next run of the app.
                let image = try Self.crashImage(
                    of: folder.appending(path: "store"), in: folder, "next")
                let next = Self.client(server, clock, store: image)
                try await server.connect(next, "anna")
                let kept = next.messageController(cid: teamX, messageId: message.id)
                #expect(kept.message?.localState == .failed)
                try await kept.deleteMessage()
                #expect(kept.message == nil)
                await next.disconnect()
            }
        }
    }

    @Test func `a share that was begun and stopped without a server never reaches it`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna"])
            let client = try await server.client("anna")
            await server.stop()
            try await eventually("the loss is noticed") { client.connectionStatus == .connecting }
            let message = try await client.channelController(for: teamX).startLiveLocationSharing(
                place(0), endDate: .now + 600)
            let controller = client.messageController(cid: teamX, messageId: message.id)
            let stopped = try await controller.stopLiveLocationSharing()
            #expect(stopped?.isLiveSharingActive == false)
            #expect(controller.message == nil)
            #expect(!client.hasUnsentActions)
            try await server.start()
            try await eventually("it is back") { client.connectionStatus == .connected }
            let answer = try await server.call("GET", "/v1/messages/\(message.id)", as: "anna")
            #expect(answer.status == 404)
            await client.disconnect()
        }
    }

    @Test func `another user finds nothing of the one before in the store`() async throws {
        try await withStoreFolder { folder in
            try await LiveServer.run { server in
                try await server.makeChannel(["anna", "bob"])
                let store = folder.appending(path: "store")
                var client: ChatClient? = try await server.client("anna", server.config(store: store))
                let device = client?.deviceId
                try await client?.channelController(for: teamX).synchronize()
                try await client?.channelController(for: teamX).sendMessage(text: "a secret of Anna's")
                await client?.disconnect()
                client = nil
                try await eventually("the store is let go") { (try? LocalStore(store)) != nil }
                let bob = try await server.client("bob", server.config(store: store))
                #expect(bob.deviceId == device)
                #expect(bob.channelController(for: teamX).messages == [])
                await bob.disconnect()
                let bytes = try Data(contentsOf: store)
                #expect(bytes.range(of: Data("a secret of Anna's".utf8)) == nil)
            }
        }
    }

    @Test func `one store serves one client at a time, and says so`() async throws {
        try await withStoreFolder { folder in
            let store = folder.appending(path: "store")
            let config = ChatClientConfig(baseURL: URL(string: "http://127.0.0.1:9")!, localStoreURL: store)
            let first = ChatClient(config: config)
            let second = ChatClient(config: config)
            let error = await #expect(throws: ClientError.self) {
                try await second.connectUser(userInfo: UserInfo(id: "anna"), token: Token(Sample.token))
            }
            #expect(error?.code == .localStoreUnavailable)
            #expect(error?.message.contains("another client") == true)
            withExtendedLifetime(first) {}
        }
    }

    @Test func `a damaged store is set aside and the client goes on with a new one`() throws {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "store")
        try Data(repeating: 7, count: 10_000).write(to: url)
        let store = try LocalStore(url)
        store.setFact("a", "b")
        #expect(store.fact("a") == "b")
        #expect(FileManager.default.fileExists(atPath: url.path() + "-damaged"))
    }

    @Test func `a store of which a page is damaged is set aside, and that is said`() async throws {
        try await withStoreFolder { folder in
            let url = folder.appending(path: "store")
            do {
                let store = try LocalStore(url)
                let stop = OutboxEntry.Action.stop(.random(), channel: teamX)
                for _ in 0..<200 { _ = try store.append(OutboxEntry(action: stop, queuedAt: .now)) }
            }
            let file = try FileHandle(forUpdating: url)
            try file.seek(toOffset: try file.seekToEnd() - 4_096)
            try file.write(contentsOf: Data(repeating: 7, count: 4_096))
            try file.close()
            let log = Mutex<[String]>([])
            let client = ChatClient(
                config: ChatClientConfig(
                    baseURL: URL(string: "http://127.0.0.1:9")!, localStoreURL: url,
                    log: { line in log.withLock { $0.append(line) } }))
            #expect(try await client.connectUser(userInfo: .init(id: "anna"), token: "x") == .connecting)
            #expect(log.withLock { $0.count } == 1)
            #expect(FileManager.default.fileExists(atPath: url.path() + "-damaged"))
            await client.disconnect()
        }
    }

    @Test func `a store goes from one client to the next one`() async throws {
        try await withStoreFolder { folder in
            for _ in 0..<20 {
                let client = ChatClient(
                    config: ChatClientConfig(
                        baseURL: URL(string: "http://127.0.0.1:9")!,
                        localStoreURL: folder.appending(path: "store")))
                try await client.connectUser(userInfo: .init(id: "anna"), token: "x")
                await client.disconnect()
            }
        }
    }

    @Test func `a store of a newer version is left alone`() async throws {
        try await withStoreFolder { folder in
            let url = folder.appending(path: "store")
            try Self.change(url, "PRAGMA user_version = 2")
            let error = #expect(throws: ClientError.self) { try LocalStore(url) }
            #expect(error?.code == .localStoreUnavailable)
        }
    }

    @Test func `nothing is acknowledged that goes to a file that was deleted`() async throws {
        try await withStoreFolder { folder in
            let url = folder.appending(path: "store")
            let store = try LocalStore(url)
            try FileManager.default.removeItem(at: url)
            let error = #expect(throws: ClientError.self) {
                try store.append(
                    OutboxEntry(action: .stop(.random(), channel: teamX), queuedAt: .now))
            }
            #expect(error?.code == .localStoreUnavailable)
        }
    }

    @Test func `a store that cannot be made another user's stays whose it is`() async throws {
        try await withStoreFolder { folder in
            let url = folder.appending(path: "store")
            do {
                let store = try LocalStore(url)
                #expect(try !store.become(UserId("anna")!))
                _ = try store.append(OutboxEntry(action: .stop(.random(), channel: teamX), queuedAt: .now))
            }
            // As on a full disk.
            try Self.change(
                url, "CREATE TRIGGER full BEFORE INSERT ON facts BEGIN SELECT RAISE(FAIL, 'full'); END")
            let store = try LocalStore(url)
            let error = #expect(throws: ClientError.self) { try store.become(UserId("bob")!) }
            #expect(error?.code == .localStoreUnavailable)
            #expect(try store.become(UserId("anna")!))
            #expect(store.contents().outbox.count == 1)
        }
    }

    private static func change(_ store: URL, _ sql: String) throws {
        try Connection(path: store.path(), access: .readWrite, busyMilliseconds: 0).execute(sql)
    }

    @Test func `the store is its owner's alone`() throws {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "deep").appending(path: "store")
        let store = try LocalStore(url)
        store.setFact("a", "b")
        for path in [url.path(), url.path() + "-wal"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }
}
