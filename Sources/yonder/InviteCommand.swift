import Foundation
import YonderClient

/// `yonder invite`: a link by which others join a channel.
struct InviteCommand: Command {
    static let declaration = CommandDeclaration(
        name: "invite", summary: "Make a link by which others join a channel; prints it.",
        options: ChannelAccess.options + [
            .init("--uses", "N", "How many may join by it, at most 1000 (1)."),
            .init("--for", "DURATION", "How long it is good for (7d)."),
        ],
        notes: ["Whoever has the link may join: hand it on like a key."])

    private let access: ChannelAccess
    private let uses: Int
    private let lifetime: Duration

    init(_ arguments: Arguments) throws(CommandFailure) {
        uses =
            try arguments.value("--uses", expected: "a whole number in 1...1000") { text in
                Int(text).flatMap { (1...1_000).contains($0) ? $0 : nil }
            } ?? 1
        lifetime =
            try arguments.value("--for", expected: Values.durationForm, Values.duration)
            ?? .seconds(7 * 86_400)
        access = try ChannelAccess(arguments)
    }

    func run() async throws(CommandFailure) -> Int32 {
        let client = access.client()
        try await access.server.connect(client)
        let result = await make(client)
        await access.server.disconnect(client)
        Output.line(try result.get().url.absoluteString)
        return 0
    }

    private func make(_ client: ChatClient) async -> Result<ChannelInvite, CommandFailure> {
        do {
            let channel = client.channelController(for: access.channel)
            return .success(try await channel.makeInvite(uses: uses, validFor: lifetime))
        } catch {
            return .failure(CommandFailure(error, "cannot invite"))
        }
    }
}
