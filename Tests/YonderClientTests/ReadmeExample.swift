import Foundation
import YonderClient

/// The README's example, word for word.
func readmeExample(token: Token, fixes: AsyncStream<Fix>) async throws {
    // begin
    let client = ChatClient(config: .init(baseURL: URL(string: "http://127.0.0.1:8080")!))
    try await client.connectUser(userInfo: .init(id: "anna"), token: token)
    let berlin = client.channelController(for: ChannelId(type: "messaging", id: "berlin"))
    let here = LocationInfo(latitude: 52.52, longitude: 13.405)
    try await berlin.startLiveLocationSharing(here, endDate: .now + 3600)
    for await fix in fixes {  // where you are, from CoreLocation or a ReplaySource
        try await client.currentUserController().updateLiveLocation(LocationInfo(fix))
    }
    // end
}
