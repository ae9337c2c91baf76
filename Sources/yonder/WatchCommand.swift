import Foundation
import YonderClient

/// `yonder watch`: a channel's events, until interrupted.
struct WatchCommand: Command {
    static let declaration = CommandDeclaration(
        name: "watch", summary: "Print what happens in a channel, as it happens.",
        options: ServerAccess.options + [
            .init("--json", nil, "Every event of the server as it came, one a line.")
        ],
        notes: ["Without --json there is a readable line for each event but heartbeats and acknowledgements."]
    )

    private let access: ServerAccess
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        access = try ServerAccess(arguments)
        isJSON = arguments.flag("--json")
    }

    func run() async throws(CommandFailure) -> Int32 {
        let interrupts = Interrupts.listen()
        let client = access.client()
        let events = client.eventsController().received
        let statuses = client.connectionStatusChanges
        let (access, isJSON) = (access, isJSON)
        let result = await withTaskGroup(of: Result<Int32, CommandFailure>?.self) { group in
            group.addTask {
                await interrupts.wait()
                return .success(0)
            }
            group.addTask {
                for await received in events { Self.show(received, isJSON: isJSON) }
                return nil
            }
            group.addTask { await Self.reportReconnections(statuses) }
            group.addTask { await Self.open(client, access) }
            defer { group.cancelAll() }
            for await result in group {
                if let result { return result }
            }
            return .success(0)
        }
        await access.disconnect(client)
        return try result.get()
    }

    /// Connects and begins to watch; `nil` = it stands.
    private static func open(
        _ client: ChatClient, _ access: ServerAccess
    ) async -> Result<Int32, CommandFailure>? {
        do throws(CommandFailure) {
            try await access.connect(client)
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

    private static func show(_ received: ReceivedEvent, isJSON: Bool) {
        if isJSON {
            // Between tokens a line break is as good as a space, and within them there is none.
            Output.lineOrLeave(received.json.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
        } else if let text = EventText.line(for: received.event) {
            Output.lineOrLeave(Array("\(EventText.time(.now))  \(text)".utf8))
        }
    }

    /// Says when the connection is lost and when it is back.
    ///
    /// - Returns: The failure that ends the command, where the server refuses for good.
    static func reportReconnections(
        _ statuses: AsyncStream<ConnectionStatus>
    ) async -> Result<Int32, CommandFailure>? {
        var wasConnected = false
        for await status in statuses {
            switch status {
            case .connected:
                if wasConnected { Output.problem("connected again") }
                wasConnected = true
            case .connecting where wasConnected: Output.problem("connection lost, reconnecting")
            case .disconnected where wasConnected:
                return .failure(
                    CommandFailure(status: 1, message: "the server has ended the session"))
            case .connecting, .disconnected, .initialized: break
            }
        }
        return nil
    }
}
