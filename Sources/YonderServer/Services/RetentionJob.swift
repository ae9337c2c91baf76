import YonderModel
import YonderRules
import YonderStore

/// How long what is over is kept.
package struct Retention: Hashable, Sendable {
    /// Days that a channel's events can be replayed.
    static let eventDays: Int64 = 7
    /// Events of one channel that can be replayed.
    static let eventsPerChannel: Int64 = 10_000

    /// Days after its end that a share's last position is kept. Default 30.
    package var days: Int64 = 30
    /// Days that a static location is kept; `nil` = as long as its message. Default `nil`.
    package var staticDays: Int64?

    package init() {}

    /// Shares that ended before this are erased.
    func endedBefore(_ now: Timestamp) -> Timestamp { now.advanced(bySeconds: -days * 86_400) }

    /// Static locations sent before this are erased; `nil` = none.
    func sentBefore(_ now: Timestamp) -> Timestamp? {
        staticDays.map { now.advanced(bySeconds: -$0 * 86_400) }
    }

    /// Links that ended before this are unknown: 30 days.
    func linksEndedBefore(_ now: Timestamp) -> Timestamp { now.advanced(bySeconds: -30 * 86_400) }

    /// Events before this are forgotten.
    func eventsBefore(_ now: Timestamp) -> Timestamp { now.advanced(bySeconds: -Self.eventDays * 86_400) }
}

/// Erases what is older than agreed, at the start and then every ten minutes; every twenty seconds the trails of
/// shares that have ended and were not to be kept, what trails have too much, and links whose time has come.
struct RetentionJob: Sendable {
    let retention: Retention
    let store: any Store
    let links: LinkService
    let log: Log
    let clock: @Sendable () -> Timestamp

    /// Runs until its task is cancelled.
    func run() async {
        var turn = 0
        while !Task.isCancelled {
            do {
                try await eraseTrails()
                try await links.endExpired()
                if turn % 30 == 0 { try await erase() }
            } catch {
                log.error("what is older than agreed could not be erased, trying again", error)
            }
            turn += 1
            try? await Task.sleep(for: .seconds(20))
        }
    }

    /// Erases the trails that are due, and shortens those that are too long.
    func eraseTrails() async throws {
        let time = retention.endedBefore(clock())
        try await store.commit { change in
            try change.eraseTrails(ofKeptEndedBefore: time)
            try change.thinLongTrails()
        }
    }

    /// Erases what is due.
    func erase() async throws {
        let now = clock()
        let retention = retention
        try await store.commit { change in
            try change.trimEvents(
                before: retention.eventsBefore(now), keeping: Retention.eventsPerChannel)
            try change.forgetExpired(now: now, linksEndedBefore: retention.linksEndedBefore(now))
            _ = try change.erasePositions(
                endedBefore: retention.endedBefore(now), sentBefore: retention.sentBefore(now))
        }
    }
}
