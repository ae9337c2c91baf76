import Foundation
import YonderClient
import YonderLocation

// The code of GettingStarted.md, block by block, word for word.

private func connect(url: URL, folder: URL, token: Token) async throws {
    // begin
    let client = ChatClient(
        config: .init(baseURL: url, localStoreURL: folder.appending(path: "yonder.sqlite")))
    switch try await client.connectUser(userInfo: .init(id: "anna"), token: token) {
    case .connected: print("the server has said hello")
    default: print("no connection yet: \(client.connectionProblem?.message ?? "")")
    }
    // end
}

private func renewTokens(url: URL, store: URL, backend: Backend) -> ChatClientConfig {
    // begin
    let config = ChatClientConfig(
        baseURL: url, localStoreURL: store,
        tokenProvider: { userId in try await backend.token(for: userId) })
    // end
    return config
}

private func showChat(client: ChatClient) async throws {
    // begin
    let berlin = client.channelController(for: ChannelId(type: "messaging", id: "berlin"))
    let channel = try await berlin.synchronize()
    print(channel.name ?? "unnamed", channel.memberCount)
    for message in berlin.messages { print(message.author.name, message.text) }
    try await berlin.sendMessage(text: "On my way")
    // end
}

private func makeChat(client: ChatClient, ben: UserId) async throws {
    // begin
    let team = client.channelController(
        creating: ChannelId(type: "messaging", id: "team"), name: "Team", members: [ben])
    try await team.synchronize()
    // end
}

private func followChanges(berlin: ChatChannelController) async {
    // begin
    for await change in berlin.messageChanges {
        switch change {
        case .create(let message): print("new: \(message.text)")
        case .update(let message): print("changed: \(message.id)")
        case .remove(let message): print("gone: \(message.id)")
        }
    }
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

extension SharingDelegate {
    func tenLines(url: URL, token: Token, here: LocationInfo) async throws {
        // begin
        let client = ChatClient(config: .init(baseURL: url))
        try await client.connectUser(userInfo: .init(id: "anna"), token: token)
        let me = client.currentUserController()
        me.delegate = self  // starts and stops the receiver as sharing starts and stops
        me.loadActiveLiveLocationMessages(completion: nil)
        LocationProvider.shared.didUpdateLocation = { me.updateLiveLocation(LocationInfo($0)) }
        let berlin = client.channelController(for: ChannelId(type: "messaging", id: "berlin"))
        try await berlin.startLiveLocationSharing(here, endDate: .now + 3600)
        // end
    }
}
