import Foundation
import Synchronization
import Testing
import YonderCurl
import YonderModel
import YonderRules
import YonderServer

@testable import YonderClient

/// What is known before, without and after a connection.
struct ReturnTests {
    @Test func `a channel that was asked for without a server is read when there is one`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna", "bob"])
            try await server.call("POST", "/v1/channels/team:x/messages", as: "bob", json: #"{"text":"hi"}"#)
            await server.stop()
            let client = try await server.client("anna")
            let channel = client.channelController(for: teamX)
            let error = await #expect(throws: ClientError.self) { try await channel.synchronize() }
            #expect(error?.isPassing == true)
            try await server.start()
            try await eventually("it is read") { channel.messages.map(\.text) == ["hi"] }
            try await server.call("POST", "/v1/channels/team:x/messages", as: "bob", json: #"{"text":"ho"}"#)
            try await eventually("it is watched") { channel.messages.map(\.text) == ["hi", "ho"] }
            // What is known is an answer, too.
            await server.stop()
            #expect(try await channel.synchronize().cid == teamX)
            await client.disconnect()
        }
    }

    @Test func `the next run of the app shows what the last one knew and goes on from there`() async throws {
        try await withStoreFolder { folder in
            try await LiveServer.run { server in
                try await server.makeChannel(["anna", "bob"])
                let store = folder.appending(path: "store")
                var first: ChatClient? = try await server.client("anna", server.config("phone", store: store))
                try await first?.channelListController().synchronize()
                try await first?.channelController(for: teamX).synchronize()
                for number in 1...3 {
                    try await server.call(
                        "POST", "/v1/channels/team:x/messages", as: "bob", json: #"{"text":"\#(number)"}"#)
                }
                try await eventually("all are known") {
                    first?.channelController(for: teamX).messages.count == 3
                }
                await first?.disconnect()
                first = nil
                try await server.call(
                    "POST", "/v1/channels/team:x/messages", as: "bob", json: #"{"text":"4"}"#)
                await server.stop()
                try await eventually("the store is let go") { (try? LocalStore(store)) != nil }

                let next = try await server.client("anna", server.config("phone", store: store))
                #expect(next.connectionStatus == .connecting)
                let channel = next.channelController(for: teamX)
                #expect(next.channelListController().channels.map(\.cid) == [teamX])
                #expect(channel.messages.map(\.text) == ["1", "2", "3"])
                #expect(channel.channel?.memberCount == 2)
                _ = try await channel.synchronize()
                try await server.start()
                try await eventually("what was missed has come") {
                    channel.messages.map(\.text) == ["1", "2", "3", "4"]
                }
                await next.disconnect()
            }
        }
    }

    @Test func `a pin moves for those who never saw its message, and says whose it is`() async throws {
        try await LiveServer.run { server in
            try await server.makeChannel(["anna", "bob"])
            let bob = try await server.client("bob")
            let message = try await bob.channelController(for: teamX).startLiveLocationSharing(
                place(0), endDate: .now + 600, options: .init(text: "mine"))
            for number in 0..<40 {
                try await server.call(
                    "POST", "/v1/channels/team:x/messages", as: "bob", json: #"{"text":"\#(number)"}"#)
            }
            let anna = try await server.client("anna")
            let channel = anna.channelController(for: teamX)
            try await channel.synchronize()
            #expect(!channel.messages.contains { $0.id == message.id })
            let moves = channel.activeLiveLocationChanges
            try await bob.currentUserController().updateLiveLocation(place(7))
            for await shares in moves where shares.first?.latitude == 7 { break }
            try await eventually("its message is known") {
                anna.messageController(cid: teamX, messageId: message.id).message?.text == "mine"
            }
            await anna.disconnect()
            await bob.disconnect()
        }
    }

    @Test func `what failed says why also in the next run`() async throws {
        try await withStoreFolder { folder in
            let store = folder.appending(path: "store")
            try await LiveServer.run { server in
                try await server.makeChannel(["anna"], config: #"{"shared_locations":false}"#)
                var client: ChatClient? = try await server.client(
                    "anna", server.config("phone", store: store))
                _ = try? await client?.channelController(for: teamX).sendStaticLocation(place(1))
                await client?.disconnect()
                client = nil
                try await eventually("the store is let go") { (try? LocalStore(store)) != nil }
                let next = try await server.client("anna", server.config("phone", store: store))
                let failed = next.channelController(for: teamX).messages.last
                #expect(failed?.localState == .failed)
                #expect(failed?.localError?.code == .server(.locationSharingDisabled))
                #expect(!next.hasUnsentActions)
                await next.disconnect()
            }
        }
    }

    @Test func `positions that were kept for a trail are sent after the interval`() async throws {
        let clock = ManualClock()
        try await LiveServer.run(clock: { clock.now }) { server in
            try await server.makeChannel(["anna"])
            let transport = CurlTransport(baseURL: URL(string: server.url)!, caFile: nil)
            let client = ChatClient(
                config: server.config("phone", interval: .seconds(60)), transport: transport,
                deviceTime: { clock.now })
            try await server.connect(client, "anna")
            let message = try await client.channelController(for: teamX).startLiveLocationSharing(
                place(0), endDate: clock.now.date + 3_600, options: .init(keepTrail: true))
            let tokens = TokenKeeper(server.token("anna"), of: UserId("anna")!, provider: nil)
            let feeder = LiveLocationFeeder(
                api: ServerAPI(transport: transport, tokens: tokens), replica: client.replica,
                deviceId: DeviceId("phone"), interval: .seconds(60), trailInterval: .milliseconds(300),
                fixes: [])
            feeder.connectionOpened()
            let work = Task { await feeder.run() }
            clock.advance(seconds: 1)
            try await feeder.send(place(1))
            for number in 2...5 {
                clock.advance(seconds: 1)
                feeder.offer(place(Double(number)))
            }
            let controller = client.messageController(cid: teamX, messageId: message.id)
            try await eventually("the trail is whole") {
                try await controller.trail().map(\.coordinate.latitude) == [0, 1, 2, 3, 4, 5]
            }
            work.cancel()
            await client.disconnect()
        }
    }
}
