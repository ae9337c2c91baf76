import Foundation
import YonderClient
import YonderLocation

/// `yonder share`: a live location, from its start to its end.
struct ShareCommand: Command {
    static let declaration = CommandDeclaration(
        name: "share", summary: "Share a live location in a channel.",
        options: ServerAccess.options + ShareSource.options + [
            .init("--for", "TIME", "How long: 90s, 30m, 8h. Default: 1h."),
            .init("--stop-at-end", nil, "Stop when the track is at its end, not when the time is over."),
            .init("--text", "TEXT", "A text to go with it."),
        ],
        notes: [
            "Replayed points are stamped with the present time. Ctrl-C stops the share; a second one leaves",
            "at once, and the share goes on to its end.",
        ])

    private let access: ServerAccess
    private let source: ShareSource
    private let length: Duration
    private let stopsAtEnd: Bool
    private let text: String?

    init(_ arguments: Arguments) throws(CommandFailure) {
        length =
            try arguments.value("--for", expected: Values.durationForm, Values.duration) ?? .seconds(3_600)
        source = try ShareSource(arguments)
        access = try ServerAccess(arguments)
        stopsAtEnd = arguments.flag("--stop-at-end")
        text = arguments.value("--text")
    }

    func run() async throws(CommandFailure) -> Int32 {
        let interrupts = Interrupts.listen()
        for note in source.notes { Output.problem(note, as: "yonder share") }
        let client = access.client()
        let events = client.eventsController().received
        let statuses = client.connectionStatusChanges
        try await access.connect(client)
        do throws(CommandFailure) {
            try await share(client, events, statuses, interrupts)
            await access.disconnect(client)
            return 0
        } catch {
            await access.disconnect(client)
            throw error
        }
    }

    private func share(
        _ client: ChatClient, _ events: AsyncStream<ReceivedEvent>, _ statuses: AsyncStream<ConnectionStatus>,
        _ interrupts: Interrupts
    ) async throws(CommandFailure) {
        let share: LiveShare
        do {
            share = try await begin(client)
        } catch {
            throw CommandFailure(error, "cannot share in \(access.channel)")
        }
        Output.line("sharing in \(access.channel) until \(EventText.time(share.endDate))")
        let end = await share.run(
            source.kind, stopsAtEnd: stopsAtEnd, events: events, statuses: statuses, interrupts: interrupts)
        try await finish(share, end)
    }

    private func begin(_ client: ChatClient) async throws(ClientError) -> LiveShare {
        let channel = client.channelController(for: access.channel)
        try await channel.synchronize()
        let began = ContinuousClock.now
        let message = try await channel.startLiveLocationSharing(
            LocationInfo(latitude: source.start.latitude, longitude: source.start.longitude),
            endDate: .now + Double(length.components.seconds), text: text)
        return LiveShare(
            client: client, channel: access.channel, messageId: message.id, deadline: began + length,
            endDate: message.sharedLocation?.endAt ?? .now)
    }

    private func finish(_ share: LiveShare, _ end: LiveShare.End) async throws(CommandFailure) {
        switch end {
        case .over(let reason): Output.line("the share is over: \(reason)")
        case .failed(let failure): throw failure
        case .trackEnd, .interrupted:
            do {
                try await share.stop()
            } catch {
                throw CommandFailure(
                    status: 1,
                    message: "cannot stop the share: \(error.message); "
                        + "it ends at \(EventText.time(share.endDate))")
            }
            Output.line(end == .trackEnd ? "stopped at the track's end" : "stopped")
        }
    }
}
