import Foundation
import YonderClient

// The code of Offline.md, block by block, word for word.

private func send(demo: ChatChannelController) async throws {
    // begin
    let message = try await demo.sendMessage(text: "On my way")
    if message.localState == .pending { print("will be sent") }
    // end
}

private func dealWithRefusals(client: ChatClient, demo: ChatChannelController) async throws {
    // begin
    for message in demo.messages where message.localState == .failed {
        print(message.text, message.localError?.message ?? "")
        let controller = client.messageController(cid: message.cid, messageId: message.id)
        if message.sharedLocation == nil {
            try controller.resendMessage()
        } else {
            try await controller.deleteMessage()
        }
    }
    // end
}

private func start(demo: ChatChannelController, here: LocationInfo) async throws {
    // begin
    let message = try await demo.startLiveLocationSharing(here, endDate: .now + 3600)
    print(message.localState == .pending, message.sharedLocation?.isLiveSharingActive == true)
    // end
}

private func suspend(client: ChatClient) async {
    // begin
    if await !client.sendUnsentActions(within: .seconds(5)) {
        print("the rest is sent when the app runs again")
    }
    await client.disconnect()
    // end
}
