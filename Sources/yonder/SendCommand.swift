import YonderClient
import YonderLocation

/// `yonder send`: one message.
struct SendCommand: Command {
    static let declaration = CommandDeclaration(
        name: "send", summary: "Send a text or a place to a channel.",
        word: ("TEXT", "The text."),
        options: ChannelAccess.options + [.init("--at", "LAT,LON", "A place instead of a text.")])

    private enum Content {
        case text(String)
        case place(Coordinate)
    }

    private let access: ChannelAccess
    private let content: Content

    init(_ arguments: Arguments) throws(CommandFailure) {
        let place = try arguments.value("--at", expected: Values.placeForm, Values.place)
        switch (arguments.word, place) {
        case (let text?, nil):
            guard text.contains(where: { !$0.isWhitespace }) else {
                throw CommandFailure(status: 2, message: "expected a TEXT that is not empty")
            }
            content = .text(text)
        case (nil, let place?): content = .place(place)
        default: throw CommandFailure(status: 2, message: "expected either TEXT or --at LAT,LON")
        }
        access = try ChannelAccess(arguments)
    }

    func run() async throws(CommandFailure) -> Int32 {
        let client = access.client()
        try await access.server.connect(client)
        let result = await send(client)
        await access.server.disconnect(client)
        Output.line("sent \(try result.get())")
        return 0
    }

    private func send(_ client: ChatClient) async -> Result<MessageId, CommandFailure> {
        let channel = client.channelController(for: access.channel)
        do {
            let message =
                switch content {
                case .text(let text): try await channel.sendMessage(text: text)
                case .place(let place):
                    try await channel.sendStaticLocation(
                        LocationInfo(latitude: place.latitude, longitude: place.longitude))
                }
            try await access.server.settle(client, "cannot send")
            if let refusal = client.messageController(cid: access.channel, messageId: message.id).message?
                .localError
            {
                throw refusal
            }
            return .success(message.id)
        } catch let error as ClientError {
            return .failure(CommandFailure(error, "cannot send"))
        } catch let failure as CommandFailure {
            return .failure(failure)
        } catch {
            return .failure(CommandFailure(status: 1, message: "cannot send: \(error)"))
        }
    }
}
