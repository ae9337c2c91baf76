import Foundation
import YonderClient
import YonderLocation

/// Events as lines for people.
enum EventText {
    /// A moment as it is shown: UTC, to the second.
    static func time(_ date: Date) -> String { date.formatted(.iso8601) }

    /// One event's line; `nil` for what is no news.
    static func line(for event: ServerEvent) -> String? {
        switch event {
        case .hello(let hello): "connected as \(Output.plain(hello.user?.name ?? "a guest"))"
        case .ack, .heartbeat: nil
        case .error(_, let code, _): "the server refused a command: \(code.wire)"
        case .channelState(let state): "\(state.channelId): \(count(state.activeLiveLocations.count))"
        case .messageNew(let event): line(for: event.message)
        case .messageUpdated(let event): "\(author(event)) changed a message: \(content(event.message))"
        case .messageDeleted(let event): "a message of \(author(event)) was deleted"
        case .locationStarted(let event):
            "\(event.location.userId) shares a live location\(until(event.location))"
        case .locationChanged(let event):
            "\(event.location.userId)'s live location goes on\(until(event.location))"
        case .locationEnded(let event):
            "\(event.location.userId)'s live location is over: \(event.location.endedReason?.rawValue ?? "ended")"
        case .locationUpdated(let update): "\(update.userId) is at \(place(update))"
        case .memberAdded(let event): "\(name(event)) joined"
        case .memberUpdated(let event): "\(name(event)) is \(event.member.role.rawValue) now"
        case .memberRemoved(let event): "\(name(event)) left"
        case .channelUpdated(let event):
            "\(event.channelId) is called \(Output.plain(event.channel.name ?? "nothing")) now"
        case .channelDeleted(let event): "\(event.channelId) is deleted"
        case .shareState(let state):
            "\(state.location.userId) shares a location\(until(state.location))"
        case .locationWatchers(let watchers): "\(watchers.count) watch"
        case .resync(let channel): "\(channel): some events are lost"
        case .unknown(let name): Output.plain(name)
        }
    }

    /// A message's line.
    static func line(for message: Message) -> String {
        "\(Output.plain(message.user.name)): \(content(message))"
    }

    private static func author(_ event: MessageEvent) -> String { Output.plain(event.message.user.name) }

    private static func name(_ event: MemberEvent) -> String { Output.plain(event.member.user.name) }

    private static func content(_ message: Message) -> String {
        if !message.text.isEmpty { return Output.plain(message.text) }
        guard let location = message.sharedLocation else { return "(nothing)" }
        return location.isLive
            ? "(live location)"
            : "(location) \(degrees(location.latitude)),\(degrees(location.longitude))"
    }

    private static func until(_ share: SharedLocation) -> String {
        share.endAt.map { " until \(time($0))" } ?? ""
    }

    private static func count(_ shares: Int) -> String {
        shares == 1 ? "1 live location" : "\(shares) live locations"
    }

    /// Degrees to the fifth digit, about a metre: more is noise to people. Programs have `--json`.
    static func degrees(_ value: Double) -> String {
        var text = String(format: "%.5f", value)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text == "-0" ? "0" : text
    }

    private static func place(_ update: LocationUpdate) -> String {
        let coordinate = update.position.coordinate
        let place = "\(degrees(coordinate.latitude)),\(degrees(coordinate.longitude))"
        guard let accuracy = update.position.accuracy else { return place }
        return "\(place) ±\(Int(min(accuracy, 1e9).rounded(.up))) m"
    }
}
