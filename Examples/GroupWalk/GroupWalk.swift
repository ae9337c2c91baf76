import Dispatch
import Foundation
import YonderClient
import YonderGeo
import YonderLocation

/// A walk in a group: shares where one is, and shows in the terminal where the others are.
@main @MainActor final class GroupWalk: CurrentChatUserControllerDelegate {
    static let help = """
        usage: GroupWalk --gpx FILE [--speed N] [--for MINUTES] [--store FILE]
                         [--server URL] [--token TOKEN] [--channel TYPE:ID]

        Walks along a GPX track, N times faster, shares where it is, for an hour or as long as you say, and shows
        where the others are. Ctrl-C stops the share. YONDER_SERVER, YONDER_TOKEN and YONDER_CHANNEL stand in for
        the last three options. The store keeps what cannot be sent yet.
        """

    static func main() async {
        if CommandLine.arguments.contains("--help") { return print(help) }
        do {
            try await GroupWalk().run()
        } catch {
            FileHandle.standardError.write(Data("GroupWalk: \(error)\n".utf8))
            exit(1)
        }
    }

    private let token = Token(option("token") ?? "")
    private let (way, speed, minutes): (Track, Double, Double)
    private let user: UserId
    private let me: CurrentChatUserController
    private let group: ChatChannelController
    private let (shareEnds, shareEnd) = AsyncStream<Void>.makeStream()
    private var source: ReplaySource?
    private var here: Coordinate
    private var drawnLines = 0

    private init() throws {
        guard let file = option("gpx"), let server = option("server").flatMap({ URL(string: $0) }),
            let cid = option("channel").flatMap(ChannelId.init), let user = token.userId,
            let speed = Double(option("speed") ?? "1"), speed > 0, speed.isFinite,
            let minutes = Double(option("for") ?? "60")
        else { throw Problem(description: "an option is missing or wrong; see --help") }
        let tracks = try GPXReader.read(contentsOf: URL(filePath: file)).tracks
        guard let way = tracks.first(where: { $0.pointCount > 0 }),
            let start = way.segments.lazy.flatMap(\.points).first
        else { throw Problem(description: "--gpx: there is no track with points") }
        (self.way, self.speed, self.minutes) = (way, speed, minutes)
        (self.user, here) = (user, start.coordinate)
        let home = FileManager.default.homeDirectoryForCurrentUser
        let standard = home.appending(path: ".local/share/GroupWalk/\(user).db")
        let store = option("store").map { URL(filePath: $0) } ?? standard
        let client = ChatClient(config: ChatClientConfig(baseURL: server, localStoreURL: store))
        me = client.currentUserController()
        group = client.channelController(for: cid)
    }

    private func run() async throws {
        let client = group.client
        if try await client.connectUser(userInfo: UserInfo(id: user), token: token) == .connected {
            try await group.synchronize()
            try await me.loadActiveLiveLocationMessages()
        } else {
            show("no connection yet: the share is kept until there is one")
            group.synchronize { _ in }  // fails now, and watches the channel from then on
        }
        me.delegate = self
        // What an earlier run has left on goes on.
        if !me.activeLiveLocationMessages.contains(where: { $0.cid == group.cid }) {
            try await group.startLiveLocationSharing(LocationInfo(here), endDate: .now + minutes * 60)
        }
        signal(SIGINT, SIG_IGN)
        let interrupt = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
        interrupt.setEventHandler { Task { await self.stopSharing() } }
        interrupt.activate()
        let drawing = Task { for await _ in group.activeLiveLocationChanges { show() } }
        for await _ in shareEnds {}
        drawing.cancel()
        if await !client.sendUnsentActions(within: .seconds(5)) {
            show("no connection: the server hears of it when you come back")
        }
        await client.disconnect()
    }

    private func stopSharing() async {
        for message in me.activeLiveLocationMessages {
            let controller = me.client.messageController(cid: message.cid, messageId: message.id)
            do { try await controller.stopLiveLocationSharing() } catch { show("cannot stop: \(error)") }
        }
    }

    func currentUserControllerDidStartSharingLiveLocation(_ controller: CurrentChatUserController) {
        show("sharing has started; Ctrl-C stops it")
        let source = ReplaySource(way, speed: speed)
        self.source = source
        let fixes = source.fixes
        source.start()
        Task {
            for await fix in fixes {
                here = fix.coordinate
                controller.updateLiveLocation(LocationInfo(fix), completion: nil)
            }
        }
    }

    func currentUserControllerDidStopSharingLiveLocation(_ controller: CurrentChatUserController) {
        source?.stop()
        show("sharing has stopped")
        shareEnd.finish()
    }

    /// Writes a line, and below it where the others are; on a terminal in the place of what stood there.
    private func show(_ note: String? = nil) {
        let names = Dictionary(group.messages.map { ($0.id, $0.author.name) }) { $1 }
        let others = group.channel?.activeLiveLocations.filter { $0.userId != user } ?? []
        let lines = others.compactMap { share in
            share.position.map { position in
                // A name is somebody else's text: nothing in it may steer the terminal.
                let name = (names[share.messageId] ?? "\(share.userId)")
                    .components(separatedBy: .controlCharacters).joined()
                let age = max(0, Int(me.client.serverTime.timeIntervalSince(share.recordedAt)))
                return "  \(name): \(way(to: position.coordinate)), \(age) s ago"
            }
        }
        let back = isatty(1) == 1 && drawnLines > 0 ? "\u{1B}[\(drawnLines)A\u{1B}[J" : ""
        let text = ([note] + lines).compactMap { $0.map { "\($0)\n" } }.joined()
        FileHandle.standardOutput.write(Data((back + text).utf8))
        drawnLines = lines.count
    }

    private func way(to place: Coordinate) -> String {
        let winds = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
        let wind = winds[Int((here.initialBearing(to: place) / 45).rounded()) % 8]
        return "\(Int(here.distance(to: place).rounded())) m \(wind)"
    }
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
