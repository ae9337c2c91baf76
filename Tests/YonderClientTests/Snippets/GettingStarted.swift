import Foundation
import YonderClient
import YonderLocation

// The code of GettingStarted.md, block by block, word for word.

private func connect() async throws {
    // begin
    let server = URL(string: "http://127.0.0.1:8080")!
    let token = Token(ProcessInfo.processInfo.environment["YONDER_TOKEN"] ?? "")
    let client = ChatClient(config: .init(baseURL: server))
    switch try await client.connectUser(userInfo: .init(id: "you"), token: token) {
    case .connected: print("the server has said hello")
    default: print("no connection yet: \(client.connectionProblem?.message ?? "")")
    }
    // end
}

private func showChat(client: ChatClient) async throws {
    // begin
    let demo = client.channelController(for: ChannelId(type: "messaging", id: "demo"))
    let channel = try await demo.synchronize()
    print(channel.name ?? "unnamed", channel.memberCount)
    for message in demo.messages { print(message.author.name, message.text) }
    try await demo.sendMessage(text: "On my way")
    // end
}

private func followChanges(demo: ChatChannelController) {
    // begin
    let printing = Task {
        for await change in demo.messageChanges {
            switch change {
            case .create(let message): print("new: \(message.text)")
            case .update(let message): print("changed: \(message.id)")
            case .remove(let message): print("gone: \(message.id)")
            }
        }
    }
    // end
    printing.cancel()
}

func startSharing(demo: ChatChannelController) async throws -> ChatMessage {
    // begin
    let here = LocationInfo(latitude: 60.1699, longitude: 24.9384)
    let message = try await demo.startLiveLocationSharing(here, endDate: .now + 3600)
    // end
    return message
}

func moveShare(client: ChatClient) {
    // begin
    let me = client.currentUserController()
    LocationProvider.shared.didUpdateLocation = { me.updateLiveLocation(LocationInfo($0)) }
    LocationProvider.shared.startMonitoringLocation()
    // end
}

private func renewTokens(server: URL) -> ChatClientConfig {
    // begin
    let config = ChatClientConfig(
        baseURL: server, localStoreURL: ChatClientConfig.standardStoreURL(for: "Walk"),
        tokenProvider: { user in
            // Ask your backend here. While you try things out: a file that `yonder token` has filled.
            let text = try String(contentsOf: URL(filePath: "\(user).token"), encoding: .utf8)
            return Token(text.trimmingCharacters(in: .newlines))
        })
    // end
    return config
}

private func makeChat(client: ChatClient) async throws {
    // begin
    let friend = UserId("friend")!
    let team = client.channelController(
        creating: ChannelId(type: "messaging", id: "team"), name: "Team", members: [friend])
    try await team.synchronize()
    // end
}

// begin
@MainActor final class ChatScreen: ChatChannelControllerDelegate {
    private let controller: ChatChannelController
    private var rows: [ChatMessage] = []

    init(_ client: ChatClient, _ cid: ChannelId) {
        controller = client.channelController(for: cid)
        controller.delegate = self
        controller.synchronize()
    }

    func channelController(
        _ controller: ChatChannelController, didUpdateMessage change: EntityChange<ChatMessage>
    ) {
        rows = controller.messages
    }

    func channelController(_: ChatChannelController, didFailWith error: ClientError) {
        print(error.message)
    }
}
// end

private func program() async {
    // begin
    /// Shares a recorded walk as long as it lasts, and prints what comes in the chat meanwhile.
    func shareWalk(along file: URL, as token: Token) async throws {
        let server = URL(string: "http://127.0.0.1:8080")!
        let client = ChatClient(config: .init(baseURL: server))
        try await client.connectUser(userInfo: .init(id: "you"), token: token)
        let demo = client.channelController(for: ChannelId(type: "messaging", id: "demo"))
        let channel = try await demo.synchronize()
        print("\(channel.name ?? "unnamed"), \(channel.memberCount) members")
        let printing = Task {
            for await change in demo.messageChanges {
                if case .create(let message) = change { print("\(message.author.name): \(message.text)") }
            }
        }
        defer { printing.cancel() }

        let tracks = try TrackReader.read(contentsOf: file).tracks
        guard let track = tracks.first(where: { $0.pointCount > 0 }) else { return }
        let walk = ReplaySource(track, speed: 10)
        let here = LocationInfo(walk.schedule.entries[0].coordinate)
        let message = try await demo.startLiveLocationSharing(
            here, endDate: .now + 3600, options: .init(text: "Follow me"))

        let me = client.currentUserController()
        let fixes = walk.fixes
        walk.start()
        var last: Fix?
        for await fix in fixes {
            me.updateLiveLocation(LocationInfo(fix), completion: nil)
            last = fix
        }
        if let last { try await me.updateLiveLocation(LocationInfo(last)) }  // waits until the server has it

        let share = client.messageController(cid: message.cid, messageId: message.id)
        try await share.stopLiveLocationSharing()
        await client.disconnect()
        print("the walk is over")
    }

    guard let token = ProcessInfo.processInfo.environment["YONDER_TOKEN"], CommandLine.arguments.count == 2
    else {
        print("usage: YONDER_TOKEN=… swift run Walk FILE.gpx")
        exit(2)
    }
    do {
        try await shareWalk(along: URL(filePath: CommandLine.arguments[1]), as: Token(token))
    } catch {
        print("no walk: \(error)")
        exit(1)
    }
    // end
}
