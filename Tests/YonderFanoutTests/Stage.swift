import Foundation
import Synchronization
import YonderHTTP
import YonderModel
import YonderRules

@testable import YonderFanout

/// A fan-out behind a real server that takes everybody, as the user that the path names.
final class Stage: Sendable {
    let fanout: Fanout
    let commands = TestCommands()
    private let clock = TestClock()
    private let lastKey = Mutex(0)
    let port = Mutex(0)

    init(_ configuration: Fanout.Configuration) {
        fanout = Fanout(configuration: configuration) { [clock] in clock.now.withLock { $0 } }
    }

    func setTime(milliseconds: Int64) {
        clock.now.withLock { $0 = Timestamp(milliseconds: milliseconds) }
    }

    func newKey() -> String {
        lastKey.withLock { key in
            key += 1
            return "key\(key)"
        }
    }

    func durable(_ text: String, in channel: ChannelId = .x, owner: UserId? = nil) {
        publish(text, .durable, in: channel, owner: owner)
    }

    func position(of share: String, _ text: String, in channel: ChannelId = .x, owner: UserId? = nil) {
        publish(text, .position(MessageId(share)!), in: channel, owner: owner)
    }

    func end(of share: String, _ text: String, in channel: ChannelId = .x, owner: UserId? = nil) {
        publish(text, .shareEnded(MessageId(share)!), in: channel, owner: owner)
    }

    func publish(
        _ text: String, _ kind: Publication.Kind, in channel: ChannelId = .x, link: LinkId? = nil,
        owner: UserId? = nil
    ) {
        fanout.publish(
            Publication(channel: channel, link: link, owner: owner, kind: kind, json: Array(text.utf8)))
    }
}

private final class TestClock: Sendable {
    let now = Mutex(Timestamp(milliseconds: 0))
}

/// Greets with "hello USER", keeps each connection's handle under the first text that it sends, and
/// holds up the loop's thread at the text "hold".
final class TestCommands: ViewerCommands {
    private let handles = Mutex<[String: ViewerHandle]>([:])
    private let held = DispatchSemaphore(value: 0)
    private let release = DispatchSemaphore(value: 0)

    func greeting(of viewer: Viewer, connectionId: String) -> [UInt8]? {
        viewer.user?.rawValue == "gone" ? nil : Array("hello \(viewer.user?.rawValue ?? "guest")".utf8)
    }

    func heartbeat(at now: Timestamp) -> [UInt8] { Array("heartbeat".utf8) }

    func received(_ text: [UInt8], from viewer: ViewerHandle) {
        let text = String(decoding: text, as: UTF8.self)
        guard text == "hold" else { return handles.withLock { $0[text] = viewer } }
        held.signal()
        release.wait()
    }

    func handle(_ key: String) -> ViewerHandle? { handles.withLock { $0[key] } }

    /// Waits until a loop is held up.
    func waitUntilHeld() { held.wait() }

    /// Lets the held loop go on.
    func letGo() { release.signal() }
}

struct StageService: HTTPService {
    let loop: @Sendable () -> WebSocketLoop

    func bodyLimit(for head: HTTPRequestHead) -> Int { 0 }

    func failure(_ failure: HTTPFailure, for head: HTTPRequestHead) -> HTTPResponse {
        HTTPResponse(status: 400)
    }

    /// `/USER` or `/USER.MILLISECONDS` with the time at which the token ends; `/link:LINK` for a guest of the
    /// share `a` in the channel `x`.
    func respond(to request: HTTPRequest) async -> HTTPReply {
        let parts = request.path.dropFirst().split(separator: ".")
        let end = parts.count > 1 ? Int64(parts[1]).map { Timestamp(milliseconds: $0) } : nil
        let name = String(parts[0])
        let link = name.hasPrefix("link:") ? LinkId(String(name.dropFirst("link:".count))) : nil
        let guest = link.map { ShareGuest(link: $0, message: MessageId("a")!, channel: .x) }
        return .webSocket(
            WebSocketAcceptance(
                context: Viewer(
                    guest.map(Viewer.Identity.guest) ?? .user(UserId(name)!), expiresAt: end,
                    admittedAt: Timestamp(milliseconds: 0),
                    session: name == "ben" ? [1] : nil), loop: loop()))
    }
}

/// Runs `body` with a stage of its own and takes it down whatever happens.
func withStage(
    loops: Int = 1, tick: Duration = .milliseconds(3), heartbeat: Duration = .seconds(60),
    _ body: (Stage) async throws -> Void
) async throws {
    var configuration = Fanout.Configuration()
    (configuration.loops, configuration.tick, configuration.heartbeat) = (loops, tick, heartbeat)
    let stage = Stage(configuration)
    stage.fanout.start(commands: stage.commands)
    var failure: (any Error)?
    do {
        try await withServer(of: stage, { stage.fanout.leastBusyLoop! }) { try await body(stage) }
    } catch { failure = error }
    await stage.stop()
    if let failure { throw failure }
}

/// Runs `body` with a server that gives each connection to a loop.
func withServer(
    of stage: Stage, _ loop: @escaping @Sendable () -> WebSocketLoop, _ body: () async throws -> Void
) async throws {
    let server = HTTPServer(configuration: HTTPServerConfiguration(), service: StageService(loop: loop))
    let port = try server.start()
    stage.port.withLock { $0 = port }
    var failure: (any Error)?
    do { try await body() } catch { failure = error }
    await server.stop(within: .zero)
    if let failure { throw failure }
}

extension Stage {
    func stop() async { await stopElsewhere { self.fanout.stop() } }
}

/// For what joins threads: not on those that all tests share.
func stopElsewhere(_ stop: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            stop()
            continuation.resume()
        }
    }
}

extension ChannelId {
    static let x = ChannelId(type: "team", id: "x")
    static let y = ChannelId(type: "team", id: "y")
}

extension Topic {
    static let x = Topic.channel(.x)
    static let y = Topic.channel(.y)
}

extension Fanout {
    /// How many connections watch a channel, without those of one user.
    func watchers(of channel: ChannelId, without user: UserId) -> Int {
        watchers(of: MessageId("none")!, in: channel, without: user)
    }
}

extension UserId {
    static let ann = UserId("ann")!
    static let ben = UserId("ben")!
}
