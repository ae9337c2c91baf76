import Foundation
import YonderClient

// The code of LiveSharing.md, block by block, word for word.

// begin
@MainActor final class Sharing: CurrentChatUserControllerDelegate {
    private let me: CurrentChatUserController
    private let receiver: Receiver

    init(_ client: ChatClient, _ receiver: Receiver) {
        me = client.currentUserController()
        self.receiver = receiver
        receiver.onFix = { [me] fix in me.updateLiveLocation(LocationInfo(fix)) }
        me.delegate = self
    }

    func currentUserControllerDidStartSharingLiveLocation(_: CurrentChatUserController) {
        receiver.start()
    }

    func currentUserControllerDidStopSharingLiveLocation(_: CurrentChatUserController) {
        receiver.stop()
    }
}
// end

private func start(demo: ChatChannelController, here: LocationInfo) async throws {
    // begin
    let message = try await demo.startLiveLocationSharing(
        here, endDate: .now + 3600, options: .init(precision: .approximate, text: "On my way"))
    print(message.localState, message.sharedLocation?.endAt ?? .distantPast)
    // end
}

private func sendStatic(demo: ChatChannelController, here: LocationInfo) async throws {
    // begin
    try await demo.sendStaticLocation(here)
    // end
}

private func end(client: ChatClient, message: ChatMessage) async throws {
    // begin
    let share = client.messageController(cid: message.cid, messageId: message.id)
    try await share.extendLiveLocationSharing(until: .now + 7200)
    try await share.stopLiveLocationSharing()
    try await client.currentUserController().stopAllLiveLocationSharing()
    // end
}

private func show(demo: ChatChannelController, client: ChatClient) async {
    // begin
    for await shares in demo.activeLiveLocationChanges {
        for share in shares {
            let age = share.isStale(at: client.serverTime) ? "a while ago" : "now"
            print(share.userId, share.latitude, share.longitude, age)
        }
    }
    // end
}

private func takeOver(client: ChatClient, me: CurrentChatUserController) async throws {
    // begin
    for message in try await me.loadActiveLiveLocationMessages() {
        let share = client.messageController(cid: message.cid, messageId: message.id)
        try await share.feedLiveLocation(from: client.deviceId)
    }
    // end
}

private func makeLink(share: ChatMessageController) async throws {
    // begin
    let link = try await share.makeViewLink(precision: .approximate)
    print(link.url?.absoluteString ?? "")
    let audience = try await share.audience()
    print("\(audience.count) can see this")
    try await share.revoke(link)
    // end
}
