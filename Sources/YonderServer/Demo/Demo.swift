import Foundation
import YonderLocation
import YonderModel
import YonderRules
import YonderStore

/// The demo's three ways in.
package struct DemoLinks: Sendable, Codable {
    package var you: String
    package var friend: String
    /// The map, where the walker is already sharing.
    package var walker: String
}

/// A channel with you, a friend and somebody who walks through Helsinki, so that
/// there is something to see a minute after the first start.
///
/// The walker goes through the same services as anybody else.
struct Demo: Sendable {
    /// Days that the demo's links are good for.
    static let linkDays: Int64 = 30

    private static let channel = ChannelId(type: "messaging", id: "demo")
    private static let walkerDevice = DeviceId("demo-walker")!

    let users: UserService
    let channels: ChannelService
    let messages: MessageService
    let lives: LiveLocationService
    let signer: TokenSigner
    let store: any Store
    let log: Log
    let clock: @Sendable () -> Timestamp

    private enum Person: String, CaseIterable {
        case you, friend, walker

        var id: UserId { UserId(rawValue)! }
        var name: String {
            switch self {
            case .you: "Kim"
            case .friend: "Ada"
            case .walker: "Mo"
            }
        }
    }

    private var walker: Caller {
        Caller(user: Person.walker.id, role: .user, issuedAt: clock(), expiresAt: nil)
    }

    /// Makes what is missing, and the links, which begin with `base`.
    func prepare(base: String) async throws -> DemoLinks {
        for person in Person.allCases where try store.read({ try $0.user(person.id) }) == nil {
            _ = try await users.put(person.id, name: person.name, role: nil)
        }
        if try store.read({ try $0.channel(Self.channel) }) == nil {
            let body = ChannelBody(
                id: Self.channel.id, type: Self.channel.type, name: "Sunday walk",
                members: Person.allCases.map(\.id), config: nil)
            let you = Caller(user: Person.you.id, role: .user, issuedAt: clock(), expiresAt: nil)
            _ = try await channels.create(body, by: you)
            try await send(MessageBody(text: "Off for a walk through the centre. Follow me!"))
        }
        _ = try await users.putDevice(
            Self.walkerDevice, name: "Demo walker", platform: .other, of: walker)
        return DemoLinks(
            you: link(for: .you, base: base), friend: link(for: .friend, base: base),
            walker: link(for: .friend, base: base) + "&view=map")
    }

    private func link(for person: Person, base: String) -> String {
        let now = clock()
        let claims = TokenClaims(
            user: person.id, issuedAt: now,
            expiresAt: now.advanced(bySeconds: Self.linkDays * 86_400))
        return "\(base)/#token=\(signer.token(claims))&channel=\(Self.channel)"
    }

    /// Walks until the task is cancelled, always sharing.
    func run() async {
        while !Task.isCancelled {
            do {
                let document = try GPXReader.read(Data(PackageResources.helsinki_walk_gpx))
                guard let track = document.tracks.first(where: { $0.pointCount > 1 }) else {
                    return log.error("the demo's walk has no points")
                }
                try await walk(track)
            } catch is CancellationError {
                return
            } catch {
                log.error("the demo's walker stumbled, starting again", error)
                try? await Task.sleep(for: .seconds(5))
            }
        }
    }

    /// Goes round and round; a share that has ended is started anew.
    private func walk(_ track: Track) async throws {
        let source = ReplaySource(track, loops: true)
        let fixes = source.fixes
        source.start()
        defer { source.stop() }
        for await fix in fixes {
            var report = FixReport(position: Position(coordinate: fix.coordinate))
            report.position.accuracy = 8
            report.position.heading = fix.course
            report.position.speed = fix.speed
            report.deviceId = Self.walkerDevice
            let outcome = try await lives.apply(report, by: walker.user)
            if outcome.applied.isEmpty, outcome.skipped.isEmpty { try await startSharing(report.position) }
        }
        try Task.checkCancellation()
    }

    private func startSharing(_ position: Position) async throws {
        try await send(
            MessageBody(
                sharedLocation: SharedLocationBody(
                    position: RawPosition(position), endAt: clock().advanced(bySeconds: 8 * 3600),
                    deviceId: Self.walkerDevice)))
    }

    private func send(_ body: MessageBody) async throws {
        _ = try await messages.send(body, in: Self.channel, by: walker)
    }
}
