import Foundation
import YonderClient
import YonderLocation

/// The README's example, word for word.
func readmeExample(token: Token) async throws {
    // begin
    let client = ChatClient(config: .init(baseURL: URL(string: "http://127.0.0.1:8080")!))
    try await client.connectUser(userInfo: .init(id: "you"), token: token)
    let walk = client.channelController(for: ChannelId(type: "messaging", id: "demo"))
    let device = LocationProvider.shared  // of YonderLocation: Core Location; on Linux gpsd
    let here = try await device.getCurrentLocation()
    try await walk.startLiveLocationSharing(LocationInfo(here), endDate: .now + 3600)
    let me = client.currentUserController()
    device.didUpdateLocation = { me.updateLiveLocation(LocationInfo($0)) }
    device.startMonitoringLocation()
    // end
}
