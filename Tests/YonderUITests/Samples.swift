import Foundation
import YonderLocation
import YonderModel
import YonderUI

/// Shared locations as they are at 14:20:00 UTC on a day in November.
enum Samples {
    static let now = Date(timeIntervalSince1970: 1_795_875_600 + 0)
    static let english = Words(
        languages: ["en"], locale: Locale(identifier: "en_GB"), timeZone: TimeZone(secondsFromGMT: 0)!)
    static let german = Words(
        languages: ["de-CH", "en"], locale: Locale(identifier: "de_CH"),
        timeZone: TimeZone(secondsFromGMT: 0)!)
    static let channel = ChannelId(type: "messaging", id: "demo")

    static func location(
        _ kind: String, user: String = "ada", device: String = "phone", channel: ChannelId = channel,
        latitude: Double = 60.17
    ) -> SharedLocation {
        let isLive = kind != "place"
        let age = kind == "stale" ? 540.0 : 5
        var position = Position(coordinate: Coordinate(latitude: latitude, longitude: 24.94)!)
        position.accuracy = 12
        var location = SharedLocation(
            messageId: MessageId("m-\(user)")!, channelId: channel, userId: UserId(user)!,
            createdByDeviceId: DeviceId(device)!, fedByDeviceId: isLive ? DeviceId(device)! : nil,
            position: position,
            recordedTime: moment(-age), createdTime: moment(-1_200), updatedTime: moment(-age),
            endTime: isLive ? moment(720) : nil)
        if kind == "ended" {
            location.endedTime = moment(-600)
            location.endedReason = .stopped
        }
        if kind == "erased" { location.position = nil }
        if kind == "approximate" { location.precision = .approximate }
        return location
    }

    static func moment(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: Int64((now.timeIntervalSince1970 + seconds) * 1_000))
    }
}
