import Dispatch
import Foundation
import YonderClient
import YonderLocation

/// A courier's device: shares the way to one customer, by a link that is good until the delivery.
@main @MainActor final class Delivery {
    static let help = """
        usage: Delivery --order ID --gpx FILE [--speed N] [--for MINUTES] [--server URL] [--token TOKEN]

        Drives along a GPX track, N times faster, and prints a link by which the customer sees it: for 30 minutes or
        as long as you say, longer where it is late, until it arrives or Ctrl-C calls it off. YONDER_SERVER and
        YONDER_TOKEN stand in for the last two options.
        """

    static func main() async {
        if CommandLine.arguments.contains("--help") { return print(help) }
        do {
            try await Delivery().run()
        } catch {
            FileHandle.standardError.write(Data("Delivery: \(error)\n".utf8))
            exit(1)
        }
    }

    private let token = Token(option("token") ?? "")
    private let user: UserId
    private let order: ChannelId
    private let client: ChatClient
    private let way: Track
    private let speed: Double
    private let minutes: Double
    private var isInterrupted = false

    private init() throws {
        guard let file = option("gpx"), let server = option("server").flatMap({ URL(string: $0) }),
            let order = option("order").flatMap({ ChannelId("messaging:order-\($0)") }),
            let user = token.userId,
            let speed = Double(option("speed") ?? "1"), speed > 0, speed.isFinite,
            let minutes = Double(option("for") ?? "30")
        else { throw Problem(description: "an option is missing or wrong; see --help") }
        let tracks = try GPXReader.read(contentsOf: URL(filePath: file)).tracks
        guard let way = tracks.first(where: { $0.pointCount > 0 }) else {
            throw Problem(description: "--gpx: there is no track with points")
        }
        (self.user, self.order, self.way, self.speed, self.minutes) = (user, order, way, speed, minutes)
        // No store: a courier's device forgets its customers.
        client = ChatClient(config: ChatClientConfig(baseURL: server))
    }

    private func run() async throws {
        guard try await client.connectUser(userInfo: UserInfo(id: user), token: token) == .connected else {
            throw client.connectionProblem ?? Problem(description: "there is no connection")
        }
        let channel = client.channelController(creating: order, name: "Order \(option("order") ?? "")")
        try await channel.synchronize()
        let source = ReplaySource(way, speed: speed)
        guard let start = source.schedule.entries.first?.coordinate else { return }
        signal(SIGINT, SIG_IGN)
        let interrupt = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
        interrupt.setEventHandler { MainActor.assumeIsolated { self.interrupt(source) } }
        interrupt.activate()
        let message = try await channel.startLiveLocationSharing(
            LocationInfo(start),
            endDate: .now + minutes * 60,
            options: LocationSharingOptions(precision: .exact, keepTrail: false, text: "On the way"))
        let delivery = client.messageController(cid: order, messageId: message.id)
        do {
            try await drive(source, delivery, until: message.sharedLocation?.endAt ?? .now + minutes * 60)
        } catch {
            // Whatever went wrong on the way: nobody goes on seeing the courier.
            try await stop(delivery)
            throw error
        }
        try await stop(delivery)
    }

    private func interrupt(_ source: ReplaySource) {
        isInterrupted = true
        source.stop()
    }

    private func stop(_ delivery: ChatMessageController) async throws {
        try await delivery.stopLiveLocationSharing()
        guard await client.sendUnsentActions() else {
            throw Problem(description: "no connection: the share stays on until its end")
        }
        say("sharing has stopped")
        await client.disconnect()
    }

    private func drive(
        _ source: ReplaySource, _ delivery: ChatMessageController, until end: Date
    ) async throws {
        let me = client.currentUserController()
        let link = try await delivery.makeViewLink()  // without an end of its own it ends with the share
        say("for the customer: \(link.url?.absoluteString ?? "")")
        var end = end
        let fixes = source.fixes
        source.start()
        if isInterrupted { source.stop() }
        for await fix in fixes {
            guard delivery.message?.sharedLocation?.isLiveSharingActive == true else {
                return say("the share was ended, and the link with it")
            }
            me.updateLiveLocation(LocationInfo(fix), completion: nil)
            guard end.timeIntervalSinceNow < 60 else { continue }
            // Late. Where that fails, the next fix tries again; the link follows the share.
            if let share = try? await delivery.extendLiveLocationSharing(until: end + 300) {
                end = share.endAt ?? end
                say("late: the link is good for five minutes more")
            }
        }
        try await delivery.revoke(link)
        say("the link is good no more")
    }

    private func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
}

private struct Problem: Error, CustomStringConvertible {
    let description: String
}

/// What follows `--name`, or `YONDER_NAME` in the environment.
private func option(_ name: String) -> String? {
    let words = CommandLine.arguments
    let place = words.firstIndex(of: "--\(name)").map { $0 + 1 }
    return place.map { $0 < words.count ? words[$0] : "" }
        ?? ProcessInfo.processInfo.environment["YONDER_\(name.uppercased())"]
}
