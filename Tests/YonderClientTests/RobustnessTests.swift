import Foundation
import Synchronization
import Testing
import YonderModel
import YonderRules

@testable import YonderClient

/// What must hold whatever comes between: another user, another device, a lost connection, a slow answer.
struct RobustnessTests {
    private static let cid = ChannelId(type: "messaging", id: "berlin")

    private static func json(_ text: String) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]) ?? [:]
    }

    private static func lost(_ client: ChatClient, _ stage: Stage) async throws {
        stage.setReachable(false)
        try await eventually("the loss is noticed") { client.connectionStatus == .connecting }
    }

    @Test func `messages sent with a completion keep the order of the calls`() async throws {
        let stage = Stage()
        for _ in 0..<20 {
            let client = try await stage.connected()
            try await Self.lost(client, stage)
            let channel = client.channelController(for: Self.cid)
            await MainActor.run {
                for number in 0..<50 { channel.sendMessage(text: "\(number)", completion: nil) }
            }
            try await eventually("all are kept") { channel.messages.count == 50 }
            #expect(channel.messages.map(\.text) == (0..<50).map(String.init))
            await client.disconnect()
            stage.setReachable(true)
        }
    }

    @Test func `more channels than the server takes at once are watched again after a new connection`()
        async throws
    {
        let stage = Stage()
        stage.setReachable(false)
        let client = try await stage.connected()
        for number in 0..<250 {
            try await client.session().subscribe(to: ChannelId(type: "messaging", id: "c\(number)"))
        }
        stage.setReachable(true)
        try await eventually("it is connected") { client.connectionStatus == .connected }
        let link = try #require(stage.link)
        var counts: [Int] = []
        for text in link.sent { counts.append((Self.json(text)["channels"] as? [String])?.count ?? 0) }
        #expect(counts == [100, 100, 50])
        await client.disconnect()
    }

    @Test func `a token provider that does not answer holds up no disconnect`() async throws {
        let asked = ManualCounter()
        let stage = Stage { _ in
            throw ClientError(.server(.tokenExpired), "over")
        }
        let client = stage.client(tokenProvider: { _ in
            asked.add()
            try await Task.sleep(for: .seconds(20))
            return Token(Sample.token)
        })
        try await client.connectUser(userInfo: UserInfo(id: "anna"), token: Token(Sample.token))
        try await eventually("it is asked") { asked.count > 0 }
        let gone = ManualCounter()
        Task {
            await client.disconnect()
            gone.add()
        }
        try await eventually("it is disconnected", within: .seconds(3)) { gone.count == 1 }
    }

    @Test func `who waits for a position of a share that is taken back is told`() async throws {
        let stage = Stage()
        let client = try await stage.connected()
        let me = client.currentUserController()
        try await me.loadActiveLiveLocationMessages()
        try await Self.lost(client, stage)
        let message = try await client.channelController(for: Self.cid).startLiveLocationSharing(
            place(0), endDate: .now + 600)
        let told = Mutex<ClientError.Code?>(nil)
        Task {
            do throws(ClientError) {
                try await me.updateLiveLocation(place(1))
            } catch {
                told.withLock { $0 = error.code }
            }
        }
        try await Task.sleep(for: .milliseconds(100))
        try await client.messageController(cid: Self.cid, messageId: message.id).stopLiveLocationSharing()
        try await eventually("it is told", within: .seconds(3)) { told.withLock { $0 } == .noActiveShare }
        await client.disconnect()
    }

    @Test func `a list of shares that was asked for before a share began does not end it`() async throws {
        let door = Door(isOpen: true)
        let stage = Stage { request in
            switch (request.method, request.path) {
            case ("GET", "/v1/live-locations"): await door.pass()
            case ("GET", _): throw ClientError(.server(.invalidArgument), "scripted")
            default: break
            }
            return Stage.plainly(request)
        }
        let client = try await stage.connected()
        let me = client.currentUserController()
        try await me.loadActiveLiveLocationMessages()
        door.shut()
        let before = stage.count("GET", "/v1/live-locations")
        let loading = Task { try await me.loadActiveLiveLocationMessages() }
        try await eventually("it is asked for") { stage.count("GET", "/v1/live-locations") > before }
        let message = try await client.channelController(for: Self.cid).startLiveLocationSharing(
            place(0), endDate: .now + 600)
        door.open()
        _ = try await loading.value
        #expect(me.activeLiveLocationMessages.map(\.id) == [message.id])
        await client.disconnect()
    }

    @Test func `fixes that wait for a share are thrown away where it was stopped elsewhere`() async throws {
        let clock = ManualClock()
        let isOn = Mutex(true)
        let stage = Stage { request in
            let isOn = isOn.withLock { $0 }
            switch (request.method, request.path) {
            case ("GET", "/v1/live-locations"):
                return #"{"active_live_locations":[\#(isOn ? Sample.location() : "")]}"#
            case ("GET", _): return Sample.message("m1", location: Sample.location(active: isOn))
            default: return Stage.plainly(request)
            }
        }
        let client = try await stage.connected(deviceTime: { clock.now })
        let me = client.currentUserController()
        try await me.loadActiveLiveLocationMessages()
        try await Self.lost(client, stage)
        for number in 0..<20 {
            clock.advance(seconds: 1)
            me.updateLiveLocation(place(Double(number)), completion: nil)
        }
        #expect(client.replica.store.contents().fixes.count == 20)
        isOn.withLock { $0 = false }
        stage.setReachable(true)
        try await eventually("it is over") { me.activeLiveLocationMessages.isEmpty }
        try await eventually("nothing is kept") { client.replica.store.contents().fixes.isEmpty }
        #expect(stage.count("POST", "/v1/live-locations/batch") == 0)
        await client.disconnect()
    }

    @Test func `an answer that comes after another user has connected is none of theirs`() async throws {
        let door = Door()
        let stage = Stage { request in
            if request.path == "/v1/channels" { await door.pass() }
            return Stage.plainly(request)
        }
        let client = try await stage.connected()
        let list = client.channelListController()
        let reading = Task { try await list.synchronize() }
        try await eventually("it is asked for") { stage.count("GET", "/v1/channels") == 1 }
        try await client.connectUser(userInfo: UserInfo(id: "bob"), token: Token("opaque"))
        door.open()
        _ = await reading.result
        #expect(list.channels == [])
        await client.disconnect()
    }

    @Test func `a stop does not wait behind a message that the server cannot take`() async throws {
        let stage = Stage { request in
            switch (request.method, request.path) {
            case ("GET", "/v1/live-locations"):
                return #"{"active_live_locations":[\#(Sample.location())]}"#
            case ("GET", _): return Sample.message("m1", location: Sample.location())
            case ("POST", _) where request.path.hasSuffix("/messages"):
                throw ClientError(.server(.internal), "scripted")
            default: return Stage.plainly(request)
            }
        }
        let client = try await stage.connected()
        try await client.currentUserController().loadActiveLiveLocationMessages()
        client.channelController(for: Self.cid).sendMessage(text: "hi", completion: nil)
        try await eventually("it is tried") {
            stage.count("POST", "/v1/channels/messaging:berlin/messages") > 0
        }
        let controller = client.messageController(cid: Self.cid, messageId: MessageId("m1")!)
        Task { try await controller.stopLiveLocationSharing() }
        try await eventually("it is stopped", within: .seconds(5)) {
            stage.count("DELETE", "/v1/messages/m1/live-location") == 1
        }
        #expect(client.hasUnsentActions)
        await client.disconnect()
    }

    @Test func `this device is made known again after it was removed`() async throws {
        let stage = Stage()
        let client = try await stage.connected()
        let channel = client.channelController(for: Self.cid)
        try await channel.startLiveLocationSharing(place(0), endDate: .now + 600)
        try await client.currentUserController().removeDevice(id: client.deviceId)
        try await channel.startLiveLocationSharing(place(0), endDate: .now + 600)
        #expect(stage.count("POST", "/v1/devices") == 2)
        await client.disconnect()
    }

    @Test(.timeLimit(.minutes(1)))
    func `an answer that comes before its caller waits for it is not lost`() async throws {
        let stage = Stage()
        let client = try await stage.connected()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    let channel = client.channelController(for: Self.cid)
                    for number in 0..<150 { _ = try? await channel.sendMessage(text: "\(number)") }
                }
            }
        }
        #expect(stage.count("POST", "/v1/channels") == 900)
        await client.disconnect()
    }

    @Test func `a store can be opened again as soon as its client is gone`() async throws {
        try await withStoreFolder { folder in
            let config = ChatClientConfig(
                baseURL: URL(string: "http://127.0.0.1:9")!, localStoreURL: folder.appending(path: "store"))
            for _ in 0..<10 {
                let client = ChatClient(config: config)
                try await client.connectUser(userInfo: UserInfo(id: "anna"), token: Token(Sample.token))
                await client.disconnect()
            }
        }
    }

    @Test func `a client that the app lets go while it is connected ends`() async throws {
        let stage = Stage()
        var client: ChatClient? = try await stage.connected()
        weak let left = client
        var me = client?.currentUserController()
        let log = await MainActor.run { SharingLog() }
        me?.delegate = log
        let events = client?.eventsController().received
        client = nil
        me = nil
        try await eventually("it is gone") { left == nil }
        var count = 0
        for await _ in try #require(events) { count += 1 }
        #expect(count <= 1)
    }

    @Test func `positions that were sent are in no file any more`() async throws {
        try await withStoreFolder { folder in
            let url = folder.appending(path: "store")
            let store = try LocalStore(url)
            var queue = FixQueue()
            let fix = try #require(
                queue.offer(place(12.345678), recordedAt: .now, to: [MessageId("m1")!])?.fix)
            store.append(fix)
            store.removeFixes([fix.id])
            for path in [url.path(), url.path() + "-wal"] {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
                #expect(bytes.range(of: Data("12.345678".utf8)) == nil)
            }
        }
    }

    @Test func `who was removed while away keeps nothing of the channel`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna", "bob"])
            try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "anna", json: #"{"text":"hi"}"#)
            let bob = try await server.client("bob")
            let channel = bob.channelController(for: teamX)
            try await channel.synchronize()
            #expect(channel.messages.count == 1)
            await bob.disconnect()
            try await server.call("DELETE", "/v1/channels/team:x/members/bob", as: "anna")
            try await server.connect(bob, "bob")
            await #expect(throws: ClientError.self) { try await channel.synchronize() }
            #expect(channel.channel == nil && channel.messages == [])
            await bob.disconnect()
        }
    }

    @Test func `many deleted messages in a row hide none that is older`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna"])
            let path = "/v1/channels/team:x/messages"
            try await server.call("POST", path, as: "anna", json: #"{"id":"first","text":"first"}"#)
            for number in 0..<70 {
                try await server.call("POST", path, as: "anna", json: #"{"id":"d\#(number)","text":"x"}"#)
                try await server.call("DELETE", "/v1/messages/d\(number)", as: "anna")
            }
            let client = try await server.client("anna")
            let channel = client.channelController(for: teamX)
            try await channel.synchronize()
            let loaded = try await channel.loadPreviousMessages()
            #expect(loaded.map(\.text) == ["first"])
            #expect(channel.messages.map(\.text) == ["first"])
            await client.disconnect()
        }
    }

    @Test func `of many shares all are stopped, whatever becomes of the first`() async throws {
        let stage = Stage { request in
            switch (request.method, request.path) {
            case ("GET", "/v1/live-locations"):
                return #"{"active_live_locations":[\#(Sample.location("m1")),\#(Sample.location("m2"))]}"#
            case ("GET", _):
                let id = String(request.path.split(separator: "/").last ?? "")
                return Sample.message(id, location: Sample.location(id))
            case ("DELETE", "/v1/messages/m1/live-location"), ("DELETE", "/v1/messages/m2/live-location"):
                throw ClientError(.server(.forbidden), "scripted")
            default: return Stage.plainly(request)
            }
        }
        let client = try await stage.connected()
        let me = client.currentUserController()
        try await me.loadActiveLiveLocationMessages()
        await #expect(throws: ClientError.self) { try await me.stopAllLiveLocationSharing() }
        #expect(stage.count("DELETE", "/v1/messages/m1/") == 1)
        #expect(stage.count("DELETE", "/v1/messages/m2/") == 1)
        #expect(stage.count("DELETE", "/v1/live-locations") == 1)
        await client.disconnect()
    }

    @Test func `what is kept when a session ends has not failed`() async throws {
        let stage = Stage { request in
            try await Task.sleep(for: .seconds(20))
            return Stage.plainly(request)
        }
        let client = stage.client()
        let fixes = try client.replica.become(UserId("anna")!)
        let api = ServerAPI(
            transport: stage,
            tokens: TokenKeeper(Token(Sample.token), of: UserId("anna")!, provider: nil))
        let feeder = LiveLocationFeeder(
            api: api, replica: client.replica, deviceId: client.deviceId, interval: .seconds(2), fixes: fixes)
        let outbox = OutboxSender(
            api: api, replica: client.replica, feeder: feeder,
            device: DeviceRegistration(api: api, id: client.deviceId))
        outbox.connectionOpened()
        let work = Task { await outbox.run() }
        let draft = MessageDraft(id: .random(), cid: Self.cid, text: "hi")
        let sending = Task { try await outbox.submit(.send(draft)) }
        try await eventually("it is on its way") { stage.count("POST", "/v1/channels") == 1 }
        work.cancel()
        #expect(try await sending.value == .waits)
        #expect(client.replica.store.contents().outbox.map(\.messageId) == [draft.id])
    }
}

/// What must hold of the state whatever it is told and when.
struct ChatStateRobustnessTests {
    private static let cid = ChannelId(type: "messaging", id: "berlin")

    private func state() -> ChatState {
        var state = ChatState(deviceId: DeviceId("phone")!, onlyCurrentDevice: true)
        state.userId = UserId("anna")
        state.now = .now
        return state
    }

    private func message(_ id: String, text: String = "", location: String? = nil) -> Message {
        try! WireJSON.decode(
            Message.self, from: Array(Sample.message(id, text: text, location: location).utf8))
    }

    private func event(_ seq: Int64, _ message: Message) -> ServerEvent {
        .messageNew(MessageEvent(channelId: Self.cid, seq: seq, message: message))
    }

    private func draft(_ id: String, text: String? = nil, location: SharedLocationBody? = nil) -> MessageDraft
    {
        MessageDraft(id: MessageId(id)!, cid: Self.cid, text: text, location: location)
    }

    @Test func `a page that was asked for before the run began anew does not join it`() {
        var state = state()
        state.merge(newest: ["m", "n"].map { message($0) }, of: Self.cid, isLast: false)
        state.merge(newest: ["y", "z"].map { message($0) }, of: Self.cid, isLast: false)
        state.merge(
            older: ["k", "l"].map { message($0) }, of: Self.cid, before: MessageId("m")!, isLast: true)
        #expect(state.timelines[Self.cid]?.ids == ["y", "z"].map { MessageId($0)! })
        #expect(state.timelines[Self.cid]?.reachesBeginning == false)
    }

    @Test func `what was guessed of a share by a wrong clock gives way to what the server says`() {
        var state = state()
        let fast = state.now.advanced(bySeconds: 600)
        var location = place(1)
        location.recordedAt = fast.date
        var body = SharedLocationBody(location, .init())
        body.deviceId = DeviceId("phone")
        body.endAt = fast.advanced(bySeconds: 900)
        state.queue(
            OutboxEntry(id: 1, action: .send(draft("m1", location: body)), queuedAt: fast))
        let told = Sample.share("m1")
        state.apply(event(1, message("m1", location: Sample.location("m1"))))
        #expect(state.location(MessageId("m1")!)?.endTime == told.endTime)
        state.sent(state.outbox[0], as: message("m1", location: Sample.location("m1")))
        var ended = told
        ended.updatedTime = state.now
        ended.endedTime = state.now
        state.apply(
            .locationEnded(
                LocationEvent(channelId: Self.cid, seq: 2, messageId: MessageId("m1")!, location: ended)))
        #expect(state.ownShares == [])
    }

    @Test func `an end that comes with a newer position is kept`() {
        var state = state()
        state.apply(event(1, message("m1", location: Sample.location("m1"))))
        _ = state.takeUnsaved()
        var ended = Sample.share("m1", active: false)
        ended.updatedTime = .now
        ended.recordedTime = .now
        state.apply(
            .locationEnded(
                LocationEvent(channelId: Self.cid, seq: 2, messageId: MessageId("m1")!, location: ended)))
        #expect(state.takeUnsaved().messages == [MessageId("m1")!])
    }

    @Test func `of a deleted message nothing is kept where it is quoted`() {
        var state = state()
        let shared = message("m1", text: "secret", location: Sample.location("m1"))
        state.apply(event(1, shared))
        var quote = message("m2", text: "look")
        quote.quotedMessage = shared
        state.apply(event(2, quote))
        _ = state.takeUnsaved()
        var tombstone = message("m1")
        tombstone.deletedTime = .now
        state.apply(.messageDeleted(MessageEvent(channelId: Self.cid, seq: 3, message: tombstone)))
        // What was read before and comes late brings nothing back.
        state.merge(quote)
        let quoted = state.messages[MessageId("m2")!]?.quotedMessage
        #expect(quoted?.text == "" && quoted?.sharedLocation == nil)
        #expect(state.takeUnsaved().messages.contains(MessageId("m2")!))
    }

    @Test func `own messages in a channel that is not watched make no run with gaps`() {
        var state = state()
        for (number, id) in ["a", "b"].enumerated() {
            let entry = OutboxEntry(id: Int64(number), action: .send(draft(id, text: id)), queuedAt: .now)
            state.queue(entry)
            state.sent(entry, as: message(id, text: id))
        }
        #expect(state.chatMessages(Self.cid).map(\.text) == ["a", "b"])
        // Others have written between the two.
        let page = ["x", "y", "b"].map { message($0, text: $0) }
        state.merge(newest: page, of: Self.cid, isLast: false)
        #expect(state.chatMessages(Self.cid).map(\.text) == ["x", "y", "b"])
        // From now on nothing is missed.
        state.merge(newest: ["b", "c"].map { message($0, text: $0) }, of: Self.cid, isLast: false)
        #expect(state.chatMessages(Self.cid).map(\.text) == ["x", "y", "b", "c"])
    }

    @Test func `after a gap what is older than the page is read again`() {
        var state = state()
        state.merge(newest: ["a", "b", "c"].map { message($0, text: $0) }, of: Self.cid, isLast: true)
        state.apply(.resync(Self.cid))
        state.merge(newest: ["c", "d"].map { message($0, text: $0) }, of: Self.cid, isLast: false)
        #expect(state.chatMessages(Self.cid).map(\.text) == ["c", "d"])
        #expect(state.timelines[Self.cid]?.reachesBeginning == false)
    }

    @Test func `a message that comes while an empty page is read stays`() {
        var state = state()
        state.apply(event(1, message("m1", text: "first")))
        state.merge(newest: [], of: Self.cid, isLast: true)
        #expect(state.chatMessages(Self.cid).map(\.text) == ["first"])
    }

    @Test func `a member who was counted when the channel was read is not counted again`() throws {
        var state = state()
        let channel = try WireJSON.decode(Channel.self, from: Array(Sample.channel.utf8))
        state.merge(channel)
        let user = try WireJSON.decode(User.self, from: Array(Sample.user.utf8))
        let member = Member(user: user, role: .member, joinedTime: .now)
        state.apply(.memberAdded(MemberEvent(channelId: Self.cid, seq: channel.seq, member: member)))
        #expect(state.channels[Self.cid]?.memberCount == 1)
        state.apply(.memberAdded(MemberEvent(channelId: Self.cid, seq: channel.seq + 1, member: member)))
        #expect(state.channels[Self.cid]?.memberCount == 2)
    }

    @Test func `no time of a fix is too far off`() {
        var queue = FixQueue()
        for time in [Timestamp.now, Timestamp(milliseconds: .min), Timestamp(milliseconds: .max)] {
            #expect(queue.offer(place(1), recordedAt: time, to: [MessageId("m1")!]) != nil)
        }
    }

    @Test func `a share whose end has come is not on, however late the timer`() throws {
        var state = state()
        state.apply(event(1, message("m1", location: Sample.location("m1"))))
        state.now = try #require(state.nextEnd)
        #expect(state.ownShares == [] && state.activeShares { _ in true } == [])
    }
}
