import Foundation
import YonderClient

/// `yonder watch`: a channel's events, until interrupted.
struct WatchCommand: Command {
    static let declaration = CommandDeclaration(
        name: "watch", summary: "Print what happens in a channel, as it happens.",
        options: ChannelAccess.options + [
            .init("--json", nil, "Every event of the server as it came, one a line.")
        ],
        notes: [
            "Without --json there is a readable line for each event but heartbeats and acknowledgements, and",
            "the messages among events that the server calls lost (resync) are read and shown.",
        ])

    private let access: ChannelAccess
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        access = try ChannelAccess(arguments)
        isJSON = arguments.flag("--json")
    }

    func run() async throws(CommandFailure) -> Int32 {
        let interrupts = Interrupts.listen()
        let client = access.client()
        let events = client.eventsController().received
        let statuses = client.connectionStatusChanges
        let (access, isJSON) = (access, isJSON)
        let history = WatchHistory(client.channelController(for: access.channel))
        let result = await withTaskGroup(of: Result<Int32, CommandFailure>?.self) { group in
            group.addTask {
                await interrupts.wait()
                return .success(0)
            }
            group.addTask {
                for await received in events {
                    if isJSON { Self.show(received.json) } else { await history.show(received.event) }
                }
                return nil
            }
            group.addTask { await Self.reportReconnections(statuses, of: client, as: "yonder watch") }
            group.addTask {
                if let end = await Self.open(client, access) { return end }
                if !isJSON { await history.begin() }
                return nil
            }
            defer { group.cancelAll() }
            for await result in group {
                if let result { return result }
            }
            return .success(0)
        }
        await access.server.disconnect(client)
        return try result.get()
    }

    /// Connects and begins to watch; `nil` = it stands.
    private static func open(
        _ client: ChatClient, _ access: ChannelAccess
    ) async -> Result<Int32, CommandFailure>? {
        do throws(CommandFailure) {
            try await access.server.connect(client)
            do throws(ClientError) {
                try await client.channelController(for: access.channel).synchronize()
            } catch {
                // A connection that breaks here comes back by itself, with the channel.
                if !error.isPassing { throw CommandFailure(error, "cannot watch \(access.channel)") }
            }
            return nil
        } catch {
            return .failure(error)
        }
    }

    private static func show(_ json: [UInt8]) {
        // Between tokens a line break is as good as a space, and within them there is none.
        Output.lineOrLeave(json.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
    }

    /// Says when the connection is lost and when it is back.
    ///
    /// - Returns: The failure that ends the command, where the server refuses for good.
    static func reportReconnections(
        _ statuses: AsyncStream<ConnectionStatus>, of client: ChatClient, as name: String
    ) async -> Result<Int32, CommandFailure>? {
        var wasConnected = false
        for await status in statuses {
            switch status {
            case .connected:
                if wasConnected { Output.problem("connected again", as: name) }
                wasConnected = true
            case .connecting where wasConnected:
                Output.problem("connection lost, reconnecting", as: name)
            case .disconnected where wasConnected:
                let action = "the server has ended the session"
                return .failure(
                    client.connectionProblem.map { CommandFailure($0, action) }
                        ?? CommandFailure(status: 1, message: action))
            case .connecting, .disconnected, .initialized: break
            }
        }
        return nil
    }
}
