import Foundation
import YonderClient

/// The README's example, word for word.
func readmeExample(token: Token, fixes: AsyncStream<Fix>) async throws {
    // begin
    let client = ChatClient(config: .init(baseURL: URL(string: "http://127.0.0.1:8080")!))
    try await client.connectUser(userInfo: .init(id: "you"), token: token)
    let walk = client.channelController(for: ChannelId(type: "messaging", id: "demo"))
    let here = LocationInfo(latitude: 60.1699, longitude: 24.9384)
    try await walk.startLiveLocationSharing(here, endDate: .now + 3600)
    let me = client.currentUserController()
    for await fix in fixes {  // where you are, from CoreLocation or a ReplaySource
        me.updateLiveLocation(LocationInfo(fix), completion: nil)
    }
    // end
}
