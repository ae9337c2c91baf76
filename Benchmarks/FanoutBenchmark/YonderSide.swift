import Foundation
import YonderFanout
import YonderGeo
import YonderHTTP
import YonderModel
import YonderRules
import YonderTestSupport

/// The server's real loops and fan-out, with a publisher in place of sharers.
struct YonderSide {
    private static let channel = ChannelId(type: "team", id: "bench")

    private let load: Load

    init(_ load: Load) { self.load = load }

    /// Says its port, then publishes until it is killed.
    func run() async throws {
        var configuration = Fanout.Configuration()
        configuration.tick = .milliseconds(load.tick)
        let fanout = Fanout(configuration: configuration) { Timestamp(milliseconds: 0) }
        fanout.start(commands: Commands(channel: Self.channel))
        let server = HTTPServer(configuration: HTTPServerConfiguration(), service: Service(fanout: fanout))
        print("port \(try server.start())")
        fflush(nil)
        let load = load
        Thread.detachNewThread { Self.publish(load, to: fanout) }
        while true { try await Task.sleep(for: .seconds(60)) }
    }

    private static func publish(_ load: Load, to fanout: Fanout) {
        var random = SplitMix(seed: 1)
        let shares = (0..<load.shares).map { MessageId("share-\($0)")! }
        let users = (0..<load.shares).map { UserId("sharer-\($0)")! }
        let start = monotonicMilliseconds()
        let between = 1e3 / (Double(load.shares) * load.hertz)
        var made = 0
        while true {
            usleep(1_000)
            let now = monotonicMilliseconds()
            while start + Double(made) * between <= now {
                let index = made % load.shares
                let update = LocationUpdate(
                    channelId: channel, messageId: shares[index], userId: users[index],
                    position: position(&random), recordedTime: Timestamp(milliseconds: 1_767_225_600_000))
                fanout.publish(
                    Publication(channel: channel, kind: .position(shares[index]), json: update.eventJSON()))
                made += 1
            }
        }
    }

    /// Somewhere near Helsinki; the altitude says when it was made.
    private static func position(_ random: inout SplitMix) -> Position {
        func number(_ range: Range<Double>, _ unit: Double) -> Double {
            (Double.random(in: range, using: &random) / unit).rounded() * unit
        }
        var position = Position(
            coordinate: Coordinate(latitude: number(60..<60.1, 1e-6), longitude: number(25..<25.1, 1e-6))!)
        position.accuracy = 5
        position.heading = number(0..<359, 0.1)
        position.speed = number(0..<9, 0.01)
        position.altitude = (monotonicMilliseconds() * 1e3).rounded() / 1e3
        return position
    }
}

private struct Service: HTTPService {
    let fanout: Fanout

    func bodyLimit(for head: HTTPRequestHead) -> Int { 0 }

    func failure(_ failure: HTTPFailure, for head: HTTPRequestHead) -> HTTPResponse {
        HTTPResponse(status: 400)
    }

    func respond(to request: HTTPRequest) async -> HTTPReply {
        let user = User(
            id: UserId("viewer")!, name: "viewer", role: .user, createdTime: Timestamp(milliseconds: 0))
        return .webSocket(
            WebSocketAcceptance(context: Viewer(user: user, expiresAt: nil), loop: fanout.leastBusyLoop!))
    }
}

/// Whoever says anything watches the channel.
private struct Commands: ViewerCommands {
    let channel: ChannelId

    func greeting(of viewer: Viewer, connectionId: String) -> [UInt8] { Array("hello".utf8) }

    func heartbeat(at now: Timestamp) -> [UInt8] { Array("heartbeat".utf8) }

    func received(_ text: [UInt8], from viewer: ViewerHandle) {
        viewer.watch([channel], answer: Array("watching".utf8))
        viewer.open(channel, with: [])
    }
}
