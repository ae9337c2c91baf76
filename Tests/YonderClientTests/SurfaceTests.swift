import Foundation
import Synchronization
import Testing
import YonderClient

/// A program for every row of the SDK's surface, against a real server, with what an app can import alone.
@MainActor struct SurfaceTests {
    private static let here = LocationInfo(latitude: 52.5, longitude: 13.4)

    /// What the controllers' delegates are told, by name.
    final class Told: ChatChannelControllerDelegate, ChatMessageControllerDelegate, EventsControllerDelegate,
        ChatChannelListControllerDelegate
    {
        private(set) var channels: [ChatChannel] = []
        private(set) var messages: [EntityChange<ChatMessage>] = []
        private(set) var message: [EntityChange<ChatMessage>] = []
        private(set) var replies: [EntityChange<ChatMessage>] = []
        private(set) var events: [ServerEvent] = []
        private(set) var list: [[ChatChannel]] = []

        func channelController(
            _: ChatChannelController, didUpdateChannel change: EntityChange<ChatChannel>
        ) { channels.append(change.item) }
        func channelController(
            _: ChatChannelController, didUpdateMessage change: EntityChange<ChatMessage>
        ) { messages.append(change) }
        func messageController(
            _: ChatMessageController, didChangeMessage change: EntityChange<ChatMessage>
        ) { message.append(change) }
        func messageController(
            _: ChatMessageController, didChangeReply change: EntityChange<ChatMessage>
        ) { replies.append(change) }
        func eventsController(_: EventsController, didReceiveEvent event: ServerEvent) {
            events.append(event)
        }
        func channelListController(_: ChatChannelListController, didChangeChannels channels: [ChatChannel]) {
            list.append(channels)
        }
    }

    @Test func `the ten lines share a live location`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna"])
            let (url, token) = (URL(string: server.url)!, server.token("anna"))
            let delegate = SharingLog()
            let provider = Provider()

            let client = ChatClient(config: .init(baseURL: url))
            try await client.connectUser(userInfo: .init(id: "anna"), token: token)
            let me = client.currentUserController()
            me.delegate = delegate
            me.loadActiveLiveLocationMessages(completion: nil)
            provider.didUpdateLocation = { me.updateLiveLocation(LocationInfo($0)) }
            let berlin = client.channelController(for: ChannelId(type: "team", id: "x"))
            let message = try await berlin.startLiveLocationSharing(Self.here, endDate: .now + 3600)

            try await eventually("sharing has begun") { delegate.turns == ["started"] }
            provider.didUpdateLocation?(
                Fix(coordinate: Coordinate(latitude: 1, longitude: 2)!, timestamp: .now))
            let controller = client.messageController(cid: berlin.cid, messageId: message.id)
            try await eventually("the pin moves") { controller.message?.sharedLocation?.latitude == 1 }
            await client.disconnect()
        }
    }

    final class Provider { var didUpdateLocation: ((Fix) -> Void)? }

    @Test func `ChatClient connects with a completion and tells its status`() async throws {
        try await LiveServer.run { server in
            let client = ChatClient(config: server.config("anna-phone"))
            #expect(client.connectionStatus == .initialized)
            let statuses = client.connectionStatusChanges
            let result: Result<ConnectionStatus, ClientError> = await withCheckedContinuation { done in
                client.connectUser(userInfo: .init(id: "anna"), token: server.token("anna")) {
                    done.resume(returning: $0)
                }
            }
            let connected = try result.get()
            #expect(connected == .connected)
            #expect(client.currentUserController().currentUser?.id == UserId("anna"))
            #expect(client.currentUserController().currentUser?.currentDevice?.id == DeviceId("anna-phone"))
            await client.disconnect()
            var seen: [ConnectionStatus] = []
            for await status in statuses {
                seen.append(status)
                if status == .disconnected { break }
            }
            #expect(seen == [.connecting, .connected, .disconnected])
        }
    }

    @Test func `a token that is over is replaced by the app and the call goes on`() async throws {
        try await LiveServer.run { server in
            let asked = Mutex(0)
            var config = server.config("anna-phone")
            config.tokenProvider = { user in
                asked.withLock { $0 += 1 }
                return server.token(user.rawValue)
            }
            let client = ChatClient(config: config)
            let old = server.token("anna", expiresIn: 1)
            let status = try await client.connectUser(userInfo: .init(id: "anna"), token: old)
            #expect(status == .connected)
            try await Task.sleep(for: .milliseconds(1_300))
            let devices = try await client.currentUserController().loadDevices()
            #expect(devices == [])
            try await eventually("the connection is back") { client.connectionStatus == .connected }
            #expect(asked.withLock { $0 } >= 1)
            // One that is over from the start.
            let late = ChatClient(config: config)
            let over = server.token("anna", expiresIn: -10, issuedAgo: 100)
            #expect(try await late.connectUser(userInfo: .init(id: "anna"), token: over) == .connected)
            await late.disconnect()
            await client.disconnect()
        }
    }

    @Test func `ChatClientConfig has the defaults that it says`() {
        let config = ChatClientConfig(baseURL: URL(string: "https://yonder.example")!)
        #expect(config.deviceId == nil && config.localStoreURL == nil && config.tokenProvider == nil)
        #expect(config.minimumUpdateInterval == .seconds(2) && config.onlyCurrentDevice)
    }

    @Test func `a device's id is made once and kept in the store`() async throws {
        try await withStoreFolder { folder in
            let config = ChatClientConfig(
                baseURL: URL(string: "http://127.0.0.1:9")!, localStoreURL: folder.appending(path: "store"))
            func made() async throws -> DeviceId {
                let client = ChatClient(config: config)
                return client.deviceId
            }
            let first = try await made()
            var second = try await made()
            // A client that has just been let go still closes its store.
            try await eventually("the store is free") {
                second = try await made()
                return second == first
            }
        }
    }

    @Test func `Token knows its user and LocationInfo takes a fix`() {
        let token: Token = "e30.eyJzdWIiOiJhbm5hIn0.x"
        #expect(token.userId == UserId("anna") && token == Token("e30.eyJzdWIiOiJhbm5hIn0.x"))
        let fix = Fix(
            coordinate: Coordinate(latitude: 1, longitude: 2)!, horizontalAccuracy: 3, altitude: 4,
            verticalAccuracy: 5, course: 6, speed: 7, timestamp: Date(timeIntervalSince1970: 8))
        let info = LocationInfo(fix)
        #expect([info.latitude, info.longitude] == [1, 2])
        #expect(
            [info.accuracy, info.altitude, info.altitudeAccuracy, info.heading, info.speed] == [
                3, 4, 5, 6, 7,
            ])
        #expect(info.recordedAt == fix.timestamp && info.battery == nil && info.nextWithin == nil)
    }

    @Test func `a channel is made, listed, read and written in`() async throws {
        try await LiveServer.run { server in
            try await server.call("GET", "/v1/users/me", as: "bob")
            let client = try await server.client("anna")
            let told = Told()
            let list = client.channelListController()
            list.delegate = told
            let trip = client.channelController(
                creating: ChannelId(type: "trip", id: "alps"), name: "Alps", members: [UserId("bob")!])
            trip.delegate = told
            let channel = try await trip.synchronize()
            #expect(channel.name == "Alps" && channel.memberCount == 2)
            #expect(channel.config.sharedLocationsEnabled && channel.capabilities.contains(.shareLocation))
            // Made already: the same controller just reads it.
            #expect(try await trip.synchronize().cid == channel.cid)
            #expect(try await list.synchronize().map(\.cid) == [channel.cid])
            #expect(list.channels.map(\.name) == ["Alps"])

            let first = try await trip.sendMessage(text: "one")
            #expect(
                first.localState == .sent && first.isSentByCurrentUser && first.author.id == UserId("anna"))
            let quote = try await trip.sendMessage(text: "two", quoting: first.id)
            #expect(quote.quotedMessage?.text == "one")
            let reply = try await trip.sendMessage(text: "three", inThreadOf: first.id)
            #expect(reply.parentMessageId == first.id)
            let pin = try await trip.sendStaticLocation(Self.here, options: .init(text: "here"))
            #expect(pin.sharedLocation?.isLive == false && pin.text == "here")
            try await eventually("all in their places") {
                trip.messages.map(\.text) == ["one", "two", "here"]
            }
            #expect(trip.channel?.latestMessages.map(\.text) == ["one", "two", "here"])
            let thread = client.messageController(cid: trip.cid, messageId: first.id)
            thread.delegate = told
            #expect(try await thread.loadPreviousReplies().map(\.text) == ["three"])
            #expect(try await thread.synchronize().replyCount == 1)
            try await trip.sendMessage(text: "four", inThreadOf: first.id)
            try await eventually("the reply is told") { told.replies.last?.item.text == "four" }
            #expect(thread.replies.map(\.text) == ["three", "four"])

            _ = try await client.messageController(cid: trip.cid, messageId: quote.id).editMessage(text: "2")
            try await client.messageController(cid: trip.cid, messageId: pin.id).deleteMessage()
            #expect(trip.messages.map(\.text) == ["one", "2"])
            try await eventually("the delegate has seen it go") {
                told.messages.contains { if case .remove(let gone) = $0 { gone.id == pin.id } else { false } }
            }
            try await eventually("the list was told") { !told.list.isEmpty && !told.channels.isEmpty }
            let invite = try await trip.makeInvite(uses: 2)
            #expect(invite.uses == 2 && invite.url.fragment() == invite.code)
            await client.disconnect()
        }
    }

    @Test func `older messages are read page by page to the first`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna"])
            for number in 0..<75 {
                try await server.call(
                    "POST", "/v1/channels/team:x/messages", as: "anna", json: #"{"text":"\#(number)"}"#)
            }
            let client = try await server.client("anna")
            let channel = client.channelController(for: ChannelId(type: "team", id: "x"))
            try await channel.synchronize()
            #expect(channel.messages.map(\.text) == (45..<75).map(String.init))
            #expect(try await channel.loadPreviousMessages().map(\.text) == (15..<45).map(String.init))
            #expect(!channel.hasLoadedAllPreviousMessages)
            try await channel.loadPreviousMessages()
            #expect(channel.messages.map(\.text) == (0..<75).map(String.init))
            #expect(channel.hasLoadedAllPreviousMessages)
            #expect(try await channel.loadPreviousMessages() == [])
            await client.disconnect()
        }
    }

    @Test func `a live share is extended, handed over, shown by a link and stopped`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna", "bob"])
            let client = try await server.client("anna")
            let me = client.currentUserController()
            try await me.addDevice(name: "Anna's phone")
            try await me.addDevice(id: DeviceId("watch"), name: "A watch")
            #expect(Set(try await me.loadDevices().map(\.id.rawValue)) == ["anna-phone", "watch"])
            #expect(me.devices.count == 2 && me.currentUser?.devices.count == 2)
            let channel = client.channelController(for: ChannelId(type: "team", id: "x"))
            let message = try await channel.startLiveLocationSharing(
                Self.here, endDate: .now + 600,
                options: .init(precision: .exact, keepTrail: true, fedBy: nil, text: "on my way"))
            let share = try #require(message.sharedLocation)
            #expect(
                share.isLive && share.isLiveSharingActive && share.keepsTrail && message.text == "on my way")
            #expect(
                share.createdByDeviceId == DeviceId("anna-phone")
                    && share.fedByDeviceId == DeviceId("anna-phone"))

            let controller = client.messageController(cid: message.cid, messageId: message.id)
            let end = Date(timeIntervalSinceNow: 1_200)
            let extended = try await controller.extendLiveLocationSharing(until: end)
            #expect(abs(extended.endAt!.timeIntervalSince(end)) < 0.01)
            #expect(
                try await controller.feedLiveLocation(from: DeviceId("watch")!).fedByDeviceId
                    == DeviceId("watch"))
            #expect(me.activeLiveLocationMessages == [])
            try await controller.feedLiveLocation(from: DeviceId("anna-phone")!)
            #expect(me.activeLiveLocationMessages.map(\.id) == [message.id])
            try await me.updateLiveLocation(LocationInfo(latitude: 52.6, longitude: 13.4))

            let link = try await controller.makeViewLink(precision: .approximate)
            #expect(link.url?.path() == "/s/\(message.id)" && link.precision == .approximate)
            #expect(try await controller.viewLinks().map(\.id) == [link.id])
            let audience = try await controller.audience()
            #expect(
                audience.members.map(\.id) == [UserId("bob")] && audience.links.count == 1
                    && audience.count == 2)
            try await controller.revoke(link)
            #expect(try await controller.viewLinks() == [])
            #expect(try await controller.trail().map(\.coordinate.latitude) == [52.5, 52.6])

            let stopped = try await controller.stopLiveLocationSharing()
            #expect(stopped?.isLiveSharingActive == false && stopped?.endedReason == .stopped)
            try await me.removeDevice(id: DeviceId("watch")!)
            #expect(me.devices.map(\.id.rawValue) == ["anna-phone"])
            await client.disconnect()
        }
    }

    @Test func `events come typed to a delegate and to a sequence`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna", "bob"])
            let client = try await server.client("anna")
            let told = Told()
            let events = client.eventsController()
            events.delegate = told
            let sequence = events.events
            let channel = client.channelController(for: ChannelId(type: "team", id: "x"))
            try await channel.synchronize()
            try await server.call("POST", "/v1/channels/team:x/messages", as: "bob", json: #"{"text":"hi"}"#)
            for await event in sequence {
                if case .messageNew(let event) = event {
                    #expect(event.message.text == "hi")
                    break
                }
            }
            try await eventually("the delegate") {
                told.events.contains { if case .messageNew = $0 { true } else { false } }
            }
            await client.disconnect()
        }
    }

    @Test func `stop all ends the shares of every device`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna"])
            try await server.call("POST", "/v1/channels", as: "anna", json: #"{"id":"y","type":"team"}"#)
            let client = try await server.client("anna")
            let laptop = try await server.client("anna", server.config("laptop"))
            _ = try await client.channelController(for: ChannelId(type: "team", id: "x"))
                .startLiveLocationSharing(Self.here, endDate: .now + 600)
            let other = try await laptop.channelController(for: ChannelId(type: "team", id: "y"))
                .startLiveLocationSharing(Self.here, endDate: .now + 600)
            try await client.currentUserController().stopAllLiveLocationSharing()
            #expect(client.currentUserController().activeLiveLocationMessages == [])
            try await eventually("the laptop hears of it") {
                laptop.currentUserController().activeLiveLocationMessages == []
            }
            let read = try await laptop.messageController(cid: other.cid, messageId: other.id).synchronize()
            #expect(read.sharedLocation?.endedReason == .stopped)
            await client.disconnect()
            await laptop.disconnect()
        }
    }

    @Test func `an error has a code to switch over and a description without secrets`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna"], config: #"{"shared_locations":false}"#)
            let client = try await server.client("anna")
            let channel = client.channelController(for: ChannelId(type: "team", id: "x"))
            let error = await #expect(throws: ClientError.self) {
                try await channel.sendStaticLocation(Self.here, options: .init(text: "a secret"))
            }
            switch error?.code {
            case .server(.locationSharingDisabled): break
            default: Issue.record("another code: \(String(describing: error))")
            }
            for part in ["52.5", "13.4", "a secret", server.token("anna").rawValue] {
                #expect(!String(reflecting: error).contains(part))
            }
            let nowhere = await #expect(throws: ClientError.self) {
                try await channel.sendStaticLocation(LocationInfo(latitude: 91, longitude: 0))
            }
            #expect(nowhere?.code == .server(.invalidArgument))
            #expect(nowhere?.message.contains("/latitude") == true)
            await client.disconnect()
        }
    }
}
