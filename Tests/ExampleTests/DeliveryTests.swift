import Foundation
import Testing
import YonderClient
import YonderTestSupport

/// `Examples/Delivery` as a process, and what its customer gets.
struct DeliveryTests {
    /// The link of the program's output: its message's path and its token.
    private func link(_ courier: ChildProcess, _ town: Town) async throws -> (path: String, token: String) {
        try await courier.waits(for: "for the customer: ")
        try await courier.waits(for: "\n")
        let match = try #require(courier.text.firstMatch(of: /for the customer: (\S+)\/s\/(\S+)#(\S+)\n/))
        #expect(String(match.1) == town.base.absoluteString)
        return ("/v1/messages/\(match.2)", String(match.3))
    }

    @Test func `the customer's link shows the courier, a late one too, until the end`() async throws {
        try await Town.run { town in
            let file = try town.track(seconds: 3_600)
            let courier = try town.start("Delivery", ["--order", "17", "--gpx", file, "--for", "1"])
            let (path, token) = try await link(courier, town)
            try await courier.waits(for: "late: ")
            let shown = try await town.read(path, token: token)
            let location = try #require(shown.body["shared_location"] as? [String: Any])
            #expect(shown.status == 200 && location["active"] as? Bool == true)
            #expect(location["precision"] as? String == "exact")
            let end = try #require(location["end_at"] as? String)
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            #expect(try style.parse(end) > .now + 300)
            let first = location["latitude"] as? Double ?? .nan
            try await until("a courier who moves") {
                let now = try await town.read(path, token: token).body["shared_location"] as? [String: Any]
                return now?["latitude"] as? Double ?? .nan > first
            }
            courier.send(SIGINT)
            #expect(await courier.status() == 0)
            #expect(courier.text.hasSuffix("the link is good no more\nsharing has stopped\n"))
            #expect(courier.problemText.isEmpty)
            #expect(try await town.read(path, token: token).status == 401)
        }
    }

    @Test func `a share that is ended elsewhere ends the drive`() async throws {
        try await Town.run { town in
            let file = try town.track(seconds: 3_600)
            let courier = try town.start("Delivery", ["--order", "19", "--gpx", file])
            let (path, token) = try await link(courier, town)
            let phone = ChatClient(config: ChatClientConfig(baseURL: town.base))
            try await phone.connectUser(userInfo: UserInfo(id: "anna"), token: town.anna)
            try await phone.currentUserController().stopAllLiveLocationSharing()
            #expect(await courier.status() == 0)
            #expect(courier.text.contains("the share was ended, and the link with it\n"))
            #expect(courier.problemText.isEmpty)
            #expect(try await town.read(path, token: token).status == 401)
            await phone.disconnect()
        }
    }

    @Test func `a courier who has arrived is seen no more, and leaves no trail`() async throws {
        try await Town.run { town in
            for _ in 1...2 {  // the second time its channel is there
                let file = try town.track(seconds: 600)
                let courier = try town.start(
                    "Delivery", ["--order", "18", "--gpx", file, "--speed", "200"])
                let (path, token) = try await link(courier, town)
                #expect(await courier.status() == 0)
                #expect(courier.text.hasSuffix("the link is good no more\nsharing has stopped\n"))
                #expect(!courier.text.contains("late"))
                #expect(try await town.read(path, token: token).status == 401)
                #expect(try await town.read(path + "/trail", token: town.anna.rawValue).status == 404)
                let mine = try await town.read("/v1/live-locations", token: town.anna.rawValue).body
                #expect((mine["active_live_locations"] as? [Any])?.isEmpty == true)
            }
        }
    }
}
