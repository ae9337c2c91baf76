import Foundation
import Testing
import YonderClient
import YonderTestSupport

/// `Examples/GroupWalk` as a process, beside a friend who sees it.
struct GroupWalkTests {
    private static let anna = UserId("anna")!

    private func share(_ channel: ChatChannelController) -> SharedLocation? {
        channel.channel?.activeLiveLocations.first { $0.userId == Self.anna }
    }

    @Test func `a walker is seen to move, sees a friend, and is seen no more after Ctrl-C`() async throws {
        try await Town.run { town in
            let friend = try await town.friend()
            let place = LocationInfo(latitude: 59.9, longitude: 24.9)
            try await friend.startLiveLocationSharing(place, endDate: .now + 600)
            let file = try town.track(seconds: 3_600)
            let walk = try town.start("GroupWalk", ["--gpx", file, "--speed", "20"])
            try await walk.waits(for: "sharing has started")
            try await until("a pin") { share(friend) != nil }
            let first = try #require(share(friend)?.latitude)
            try await until("a pin that moves") { share(friend).map { $0.latitude > first } == true }
            try await walk.waits(for: " m S, ")
            #expect(walk.text.contains(#/  bob: \d+ m S, \d+ s ago\n/#))
            walk.send(SIGINT)
            #expect(await walk.status() == 0)
            #expect(walk.text.contains("sharing has stopped") && walk.problemText.isEmpty)
            try await until("no pin") { share(friend) == nil }
            let ended = friend.messages.last { $0.author.id == Self.anna }?.sharedLocation
            #expect(ended?.endedReason == .stopped)
            await friend.client.disconnect()
        }
    }

    @Test func `a walk that was killed goes on with the share that it left`() async throws {
        try await Town.run { town in
            let friend = try await town.friend()
            let words = ["--gpx", try town.track(seconds: 3_600), "--store", town.folder.path() + "/walk.db"]
            let killed = try town.start("GroupWalk", words)
            try await until("a pin") { share(friend) != nil }
            killed.send(SIGKILL)
            #expect(await killed.status() == -1)
            let id = share(friend)?.messageId
            let walk = try town.start("GroupWalk", words)
            try await walk.waits(for: "sharing has started")
            let moved = share(friend)?.recordedAt ?? .now
            try await until("a pin that moves") { share(friend).map { $0.recordedAt > moved } == true }
            #expect(id != nil && share(friend)?.messageId == id)
            // Ended by somebody else than the program: it hears of it, and ends.
            let phone = ChatClient(config: ChatClientConfig(baseURL: town.base))
            try await phone.connectUser(userInfo: UserInfo(id: Self.anna), token: town.anna)
            try await phone.currentUserController().stopAllLiveLocationSharing()
            #expect(await walk.status() == 0)
            #expect(walk.text.contains("sharing has stopped") && walk.problemText.isEmpty)
            await phone.disconnect()
            await friend.client.disconnect()
        }
    }

    @Test func `what is missing is said, and help is at hand`() async throws {
        try await Town.run { town in
            for example in ["GroupWalk", "Delivery"] {
                let help = try town.start(example, ["--help"])
                #expect(await help.status() == 0)
                #expect(help.text.hasPrefix("usage: \(example) "))
                let wrong = try town.start(example, ["--order", "1", "--gpx", "nowhere.gpx"])
                #expect(await wrong.status() == 1)
                #expect(wrong.problemText == "\(example): there is no such file\n")
                let missing = try town.start(example, [])
                #expect(await missing.status() == 1)
                #expect(missing.problemText == "\(example): an option is missing or wrong; see --help\n")
            }
        }
    }

    @Test func `a whole sharing client is under 150 lines`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appending(path: "Examples/GroupWalk")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
        let text = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        #expect(!files.isEmpty && text.count { $0 == "\n" } < 150)
    }
}
