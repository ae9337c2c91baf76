import Foundation
import Testing
import YonderClient
import YonderCurl
import YonderTestSupport

/// A server, two people, and a way for one of them to go.
struct Town {
    private static let secret = ["YONDER_SECRET": "a secret of at least thirty-two bytes"]

    let folder: URL
    let base: URL
    let anna: Token
    let bob: Token

    /// Runs `body` beside a server of its own.
    static func run(_ body: (Town) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "yonder-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ChildProcess(
            ChildProcess.yonder,
            ["serve", "--listen", "127.0.0.1:0", "--data", folder.appending(path: "data").path()],
            environment: secret.merging(["YONDER_RATE_LIMIT": "off"]) { $1 })
        defer { server.send(SIGKILL) }
        try await server.waits(for: "\n")
        let address = server.text.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("http://") }
        var tokens: [Token] = []
        for user in ["anna", "bob"] {
            let token = try ChildProcess(ChildProcess.yonder, ["token", "--user", user], environment: secret)
            #expect(await token.status() == 0)
            tokens.append(Token(token.text.trimmingCharacters(in: .whitespacesAndNewlines)))
        }
        let base = try #require(address.flatMap { URL(string: String($0)) })
        try await body(Town(folder: folder, base: base, anna: tokens[0], bob: tokens[1]))
    }

    /// A GPX file: a degree to the north in so many seconds, a point every second.
    func track(seconds: Int) throws -> String {
        let points = (0...seconds).map { second in
            let time = Date(timeIntervalSince1970: 1_577_836_800 + Double(second)).formatted(.iso8601)
            let lat = 60 + Double(second) / Double(seconds)
            return #"<trkpt lat="\#(lat)" lon="24.9"><time>\#(time)</time></trkpt>"#
        }
        let file = folder.appending(path: "way-\(seconds).gpx")
        let text = "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        try Data(text.utf8).write(to: file)
        return file.path()
    }

    /// Starts an example as anna's.
    func start(_ example: String, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            ChildProcess.yonder.deletingLastPathComponent().appending(path: example), arguments,
            environment: [
                "YONDER_SERVER": base.absoluteString, "YONDER_TOKEN": anna.rawValue,
                "YONDER_CHANNEL": "messaging:walk", "HOME": folder.path(),
            ])
    }

    /// Connects bob, and makes the channel in which he and anna walk.
    func friend() async throws -> ChatChannelController {
        let anna = ChatClient(config: ChatClientConfig(baseURL: base))
        try await anna.connectUser(userInfo: UserInfo(id: "anna"), token: self.anna)
        let bob = ChatClient(config: ChatClientConfig(baseURL: base))
        try await bob.connectUser(userInfo: UserInfo(id: "bob"), token: self.bob)
        let walk = ChannelId(type: "messaging", id: "walk")
        try await anna.channelController(creating: walk, members: [UserId("bob")!]).synchronize()
        await anna.disconnect()
        let channel = bob.channelController(for: walk)
        try await channel.synchronize()
        return channel
    }

    /// What the server answers to who has a token of any kind.
    func read(_ path: String, token: String) async throws -> (status: Int, body: [String: Any]) {
        let answer = try await CurlHTTP().perform(
            CurlRequest(
                method: "GET", url: base.absoluteString + path,
                headers: [("Authorization", "Bearer \(token)")], body: nil))
        let body = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        return (answer.status, body ?? [:])
    }
}

/// Waits until something is so.
func until(_ what: String, _ isSo: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while try await !isSo() {
        try #require(ContinuousClock.now < deadline, "not in time: \(what)")
        try await Task.sleep(for: .milliseconds(10))
    }
}

extension ChildProcess {
    /// Waits until its output holds something.
    func waits(for part: String) async throws {
        try await until("'\(part)' in: \(problemText)") { text.contains(part) }
    }
}
