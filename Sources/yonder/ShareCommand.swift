import Foundation
import YonderClient
import YonderLocation

/// `yonder share`: a live location, from its start to its end.
struct ShareCommand: Command {
    static let declaration = CommandDeclaration(
        name: "share", summary: "Share a live location in a channel.",
        options: ChannelAccess.options + ShareSource.options + [
            .init(
                "--for", "TIME",
                "How long: 1m to the channel's limit, 8h by default; 90s, 1h30m. Default: 1h."),
            .init("--stop-at-end", nil, "Stop when the track is at its end, not when the time is over."),
            .init("--text", "TEXT", "A text to go with it."),
            .init(
                "--fed-by", "DEVICE",
                "Begin with --at; from then on this device of yours moves it, see connect."),
        ],
        notes: [
            "Replayed points are stamped with the present time. Ctrl-C stops the share; another one, a second",
            "later or more, leaves at once, and the share goes on to its end.",
        ])

    private let access: ChannelAccess
    private let source: ShareSource
    private let length: Duration
    private let stopsAtEnd: Bool
    private let text: String?
    private let feeder: DeviceId?

    init(_ arguments: Arguments) throws(CommandFailure) {
        length =
            try arguments.value("--for", expected: Values.durationForm, Values.duration) ?? .seconds(3_600)
        source = try ShareSource(arguments)
        access = try ChannelAccess(arguments)
        stopsAtEnd = arguments.flag("--stop-at-end")
        text = arguments.value("--text")
        feeder = try arguments.value("--fed-by", expected: "a device's id", DeviceId.init)
        if feeder != nil {
            guard case .place = source.kind else {
                throw .wrong("--fed-by", expected: "--at LAT,LON beside it, nothing else")
            }
        }
    }

    func run() async throws(CommandFailure) -> Int32 {
        let interrupts = Interrupts.listen(
            farewell: "\(Self.name): left at once; a share that has begun goes on to its end")
        for note in source.notes { Output.problem(note, as: Self.name) }
        let client = access.client()
        let events = client.eventsController().received
        let statuses = client.connectionStatusChanges
        let result = await share(client, events, statuses, interrupts)
        await access.server.disconnect(client)
        try result.get()
        return 0
    }

    private func share(
        _ client: ChatClient, _ events: AsyncStream<ReceivedEvent>, _ statuses: AsyncStream<ConnectionStatus>,
        _ interrupts: Interrupts
    ) async -> Result<Void, CommandFailure> {
        do throws(CommandFailure) {
            let connecting = Task { await connect(client) }
            guard let connected = await interrupts.value(of: connecting, grace: .zero) else {
                connecting.cancel()
                throw CommandFailure(status: 1, message: "interrupted before \(Self.goal)")
            }
            try connected.get()
            let start = try await source.firstLocation(as: Self.name, goal: Self.goal, interrupts)
            // Never cancelled: what the server may have got already has to be known, to be stopped.
            let beginning = Task { await begin(client, at: start) }
            guard let begun = await interrupts.value(of: beginning, grace: Self.grace) else {
                throw CommandFailure(
                    status: 1,
                    message: "interrupted while the share began: the server does not answer, "
                        + "and it may be on for \(Values.text(length))")
            }
            let share = try begun.get()
            let mover = feeder.map { ", moved by \($0)" } ?? ""
            Output.line("sharing in \(access.channel) until \(EventText.time(share.endDate))\(mover)")
            let end = await share.run(
                feeder == nil ? source.kind : nil, stopsAtEnd: stopsAtEnd, events: events,
                statuses: statuses, interrupts: interrupts)
            try await finish(share, end)
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// How long an interruption waits for the server to say whether the share has begun.
    private static let grace = Duration.seconds(10)
    private static let name = "yonder share"
    private static let goal = "the share began"

    private func connect(_ client: ChatClient) async -> Result<Void, CommandFailure> {
        do throws(CommandFailure) {
            try await access.server.connect(client)
            let channel: ChatChannel
            do {
                channel = try await client.channelController(for: access.channel).synchronize()
            } catch {
                throw CommandFailure(error, "cannot share in \(access.channel)")
            }
            let longest = Duration.seconds(channel.config.maxLiveSeconds)
            guard length <= longest else {
                throw .wrong("--for", expected: "at most \(Values.text(longest)), the channel's limit")
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private func begin(
        _ client: ChatClient, at start: LocationInfo
    ) async -> Result<LiveShare, CommandFailure> {
        do {
            let began = ContinuousClock.now
            let message = try await client.channelController(for: access.channel).startLiveLocationSharing(
                start,
                endDate: .now + Double(length.components.seconds),
                options: LocationSharingOptions(fedBy: feeder, text: text))
            try await access.server.settle(client, "cannot share in \(access.channel)")
            return .success(
                LiveShare(
                    client: client, channel: access.channel, messageId: message.id,
                    deadline: began + length, endDate: message.sharedLocation?.endAt ?? .now))
        } catch let error as ClientError {
            if error.code == .server(.invalidArgument), length < .seconds(60) {
                return .failure(.wrong("--for", expected: "at least 1m"))
            }
            return .failure(CommandFailure(error, "cannot share in \(access.channel)"))
        } catch let failure as CommandFailure {
            return .failure(failure)
        } catch {
            return .failure(CommandFailure(status: 1, message: "cannot share: \(error)"))
        }
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
            do {
                try await access.server.settle(share.client, "cannot stop the share")
            } catch {
                throw CommandFailure(
                    status: 1, message: "\(error.message); it ends at \(EventText.time(share.endDate))")
            }
            Output.line(end == .trackEnd ? "stopped at the track's end" : "stopped")
        }
    }
}
