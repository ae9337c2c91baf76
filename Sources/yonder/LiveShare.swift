import Foundation
import Synchronization
import YonderClient
import YonderLocation

/// One live share of `yonder share` while it is on: feeds it and sees when it is over.
struct LiveShare: Sendable {
    /// What brought it to its end.
    enum End: Hashable, Sendable {
        /// The last point was sent and acknowledged.
        case trackEnd
        case interrupted
        /// The server has ended it, in words.
        case over(String)
        case failed(CommandFailure)
    }

    let client: ChatClient
    let channel: ChannelId
    let messageId: MessageId
    /// When it ends by itself, on this machine's clock.
    let deadline: ContinuousClock.Instant
    /// The same as the server says it.
    let endDate: Date

    /// How often a position that does not change is sent.
    static let holdInterval = Duration.seconds(60)
    /// How often progress is said, at most.
    static let progressInterval = Duration.seconds(15)

    /// Feeds the share until something ends it; without a source another device does.
    func run(
        _ source: ShareSource.Kind?, stopsAtEnd: Bool, events: AsyncStream<ReceivedEvent>,
        statuses: AsyncStream<ConnectionStatus>, interrupts: Interrupts
    ) async -> End {
        await withTaskGroup(of: End?.self) { group in
            if let source { group.addTask { await feed(source, stopsAtEnd: stopsAtEnd) } }
            group.addTask { await over(events) }
            group.addTask {
                if case .failure(let failure) = await WatchCommand.reportReconnections(
                    statuses, of: client, as: "yonder share")
                {
                    return .failed(failure)
                }
                return nil
            }
            group.addTask {
                await interrupts.wait()
                return .interrupted
            }
            group.addTask {
                // The server says it first; this is for when it cannot be reached.
                try? await Task.sleep(until: deadline + .seconds(5), clock: .continuous)
                return .over("its time is up")
            }
            defer { group.cancelAll() }
            for await end in group {
                if let end { return end }
            }
            return .interrupted
        }
    }

    /// Stops it on the server.
    func stop() async throws(ClientError) {
        try await client.messageController(cid: channel, messageId: messageId).stopLiveLocationSharing()
    }

    private func feed(_ source: ShareSource.Kind, stopsAtEnd: Bool) async -> End? {
        switch source {
        case .place(let place): return await hold(place)
        case .receiver(let receiver): return await follow(receiver.provider)
        case .track(let track, let speed):
            let replay = ReplaySource(track, speed: speed)
            let me = client.currentUserController()
            var progress = ReplayProgress(count: replay.schedule.entries.count)
            var last: Fix?
            let fixes = replay.fixes
            replay.start()
            defer { replay.stop() }
            for await fix in fixes {
                offer(LocationInfo(fix), to: me)
                last = fix
                if let text = progress.passed(at: .now) { Output.line(text) }
            }
            guard !Task.isCancelled, let last else { return nil }
            guard stopsAtEnd else {
                Output.line("the track is at its end; its last point stays")
                return await hold(last.coordinate)
            }
            do throws(ClientError) {
                try await me.updateLiveLocation(LocationInfo(last))
                return .trackEnd
            } catch {
                return Self.end(error)
            }
        }
    }

    private final class Sampling: Sendable {
        let sampler = Mutex(AdaptiveSampler())
    }

    /// Sends what a receiver says, as often as it is worth it.
    private func follow(_ provider: LocationProvider) async -> End? {
        let me = client.currentUserController()
        let sampling = Sampling()
        let (losses, loss) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(16))
        provider.didFailWithError = { loss.yield($0.message) }
        let (fixes, fix) = AsyncStream.makeStream(of: Fix.self, bufferingPolicy: .bufferingNewest(64))
        provider.didUpdateLocation = { fix.yield($0) }
        let told = provider.source.events
        provider.startMonitoringLocation()
        defer { provider.stopMonitoringLocation() }
        let events = client.eventsController().events
        await withTaskGroup { group in
            group.addTask {
                for await event in events {
                    guard case .locationWatchers(let watchers) = event, watchers.messageId == messageId else {
                        continue
                    }
                    sampling.sampler.withLock { $0.watchers = watchers.count }
                }
            }
            group.addTask {
                for await event in told where event == .ended {
                    loss.yield("the receiver has ended; no more locations come from it")
                }
            }
            group.addTask {
                for await text in losses { Output.problem(text, as: "yonder share") }
            }
            group.addTask {
                for await fix in fixes {
                    if let location = sampling.sampler.withLock({ $0.offer(fix) }) { offer(location, to: me) }
                }
            }
        }
        return nil
    }

    /// Sends one place again and again.
    private func hold(_ place: Coordinate) async -> End? {
        let me = client.currentUserController()
        while !Task.isCancelled {
            var location = LocationInfo(latitude: place.latitude, longitude: place.longitude)
            location.nextWithin = Double(Self.holdInterval.components.seconds)
            offer(location, to: me)
            try? await Task.sleep(for: Self.holdInterval)
        }
        return nil
    }

    /// The form that does not wait; in an async function the name alone means the other one.
    private func offer(_ location: LocationInfo, to me: CurrentChatUserController) {
        me.updateLiveLocation(location)
    }

    private static func end(_ error: ClientError) -> End? {
        switch error.code {
        case .noActiveShare, .server(.liveLocationEnded): .over("the server has ended it")
        case .notConnected, .cancelled: nil
        default: .failed(CommandFailure(error, "cannot send the last position"))
        }
    }

    /// Waits for the event that says that it is over.
    private func over(_ events: AsyncStream<ReceivedEvent>) async -> End? {
        var hasBegun = false
        for await received in events {
            switch received.event {
            case .locationStarted(let event) where event.messageId == messageId: hasBegun = true
            case .locationEnded(let event) where event.messageId == messageId:
                return .over(Self.words(event.location.endedReason))
            // Tells of what was missed; one that was asked for before the share began says nothing of it.
            case .channelState(let state) where hasBegun && state.channelId == channel:
                if !state.activeLiveLocations.contains(where: { $0.messageId == messageId }) {
                    return .over("it was ended meanwhile")
                }
            default: break
            }
        }
        return nil
    }

    private static func words(_ reason: EndedReason?) -> String {
        switch reason {
        case .expired: "its time is up"
        case .stopped: "it was stopped"
        case .replaced: "another share has replaced it"
        case .deleted: "its message was deleted"
        case .left: "the user is no member of the channel any more"
        case .disabled: "the channel does not allow locations any more"
        case nil: "it was ended"
        }
    }
}

/// When a replay's progress is worth a line.
struct ReplayProgress {
    private let count: Int
    private var passed = 0
    private var lastSaid: ContinuousClock.Instant?

    init(count: Int) { self.count = count }

    /// One more point was passed.
    ///
    /// - Parameter now: The time.
    /// - Returns: The line; `nil` = none yet.
    mutating func passed(at now: ContinuousClock.Instant) -> String? {
        passed += 1
        guard let last = lastSaid else {
            lastSaid = now
            return nil
        }
        guard last.duration(to: now) >= LiveShare.progressInterval else { return nil }
        lastSaid = now
        return "\(passed) of \(count) points"
    }
}
