import Foundation
import YonderClient
import YonderLocation

/// Events as lines for people.
enum EventText {
    /// A moment as it is shown: UTC, to the second.
    static func time(_ date: Date) -> String { date.formatted(.iso8601) }

    /// One event's line.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - name: What somebody is called.
    /// - Returns: The line; `nil` for what is no news.
    static func line(for event: ServerEvent, name: (UserId) -> String) -> String? {
        switch event {
        case .hello(let hello): "connected as \(Output.plain(hello.user?.name ?? "a guest"))"
        case .ack, .heartbeat: nil
        case .error(_, let code, _): "the server refused a command: \(code.wire)"
        case .channelState(let state): shares(state, name)
        case .messageNew(let event): line(for: event.message)
        case .messageUpdated(let event): "\(author(event)) changed a message: \(content(event.message))"
        case .messageDeleted(let event): "a message of \(author(event)) was deleted"
        case .locationStarted(let event):
            "\(name(event.location.userId)) shares a live location\(start(event.location))"
        case .locationChanged(let event):
            "\(name(event.location.userId))'s live location goes on\(until(event.location))"
        case .locationEnded(let event):
            // The server lets an end take the place of a position that was just about to be told.
            "\(name(event.location.userId))'s live location is over\(end(event.location))"
        case .locationUpdated(let update): "\(name(update.userId)) is at \(place(update.position))"
        case .memberAdded(let event): "\(member(event)) joined"
        case .memberUpdated(let event): "\(member(event)) is \(event.member.role.rawValue) now"
        case .memberRemoved(let event): "\(member(event)) left"
        case .channelUpdated(let event):
            "\(event.channelId) is called \(Output.plain(event.channel.name ?? "nothing")) now"
        case .channelDeleted(let event): "\(event.channelId) is deleted"
        case .shareState(let state):
            "\(name(state.location.userId)) shares a location\(until(state.location))"
        case .locationWatchers(let watchers): "\(viewers(watchers.count)) your live location"
        case .resync(let channel): "\(channel): some events are lost"
        case .unknown(let name): Output.plain(name)
        }
    }

    /// A message's line.
    static func line(for message: Message) -> String {
        "\(Output.plain(message.user.name)): \(content(message))"
    }

    private static func author(_ event: MessageEvent) -> String { Output.plain(event.message.user.name) }

    private static func member(_ event: MemberEvent) -> String { Output.plain(event.member.user.name) }

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

    /// What a connection begins with, also after a break: where everybody is by then.
    private static func shares(_ state: ChannelState, _ name: (UserId) -> String) -> String {
        let shares = state.activeLiveLocations
        let count = shares.count == 1 ? "1 live location" : "\(shares.count) live locations"
        let places = shares.map { share in
            name(share.userId) + (share.position.map { " at \(place($0))" } ?? "")
        }
        return "\(state.channelId): \(count)" + (places.isEmpty ? "" : ": " + places.joined(separator: "; "))
    }

    /// Degrees to the fifth digit, about a metre: more is noise to people. Programs have `--json`.
    static func degrees(_ value: Double) -> String {
        var text = String(format: "%.5f", value)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text == "-0" ? "0" : text
    }

    /// How many connections: somebody may have more than one.
    private static func viewers(_ count: Int) -> String {
        switch count {
        case 0: "nobody watches"
        case 1: "1 viewer watches"
        default: "\(count) viewers watch"
        }
    }

    private static func start(_ share: SharedLocation) -> String {
        until(share) + (share.position.map { ", from \(place($0))" } ?? "")
    }

    private static func end(_ share: SharedLocation) -> String {
        ": \(share.endedReason?.rawValue ?? "ended")" + (share.position.map { ", at \(place($0))" } ?? "")
    }

    private static func place(_ position: Position) -> String {
        let coordinate = position.coordinate
        let place = "\(degrees(coordinate.latitude)),\(degrees(coordinate.longitude))"
        guard let accuracy = position.accuracy else { return place }
        return "\(place) ±\(Int(min(accuracy, 1e9).rounded(.up))) m"
    }
}
