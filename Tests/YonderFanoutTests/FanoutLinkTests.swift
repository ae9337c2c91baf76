import Testing
import YonderModel

@testable import YonderFanout

/// Guests of view links: each link's are told of one share, and of nothing else.
struct FanoutLinkTests {
    private let coarse = LinkId("coarse")!
    private let exact = LinkId("exact")!
    private let share = MessageId("a")!

    @Test func `a link's guests get what is for the link, the channel's watchers what is for the channel`()
        async throws
    {
        try await withStage { stage in
            let member = try await Watcher(stage)
            try await member.watch(.x)
            let guest = try await Watcher(stage, "link:coarse")
            let other = try await Watcher(stage, "link:exact")
            try await guest.watch(.link(coarse))
            try await other.watch(.link(exact))
            stage.durable("m1")
            stage.publish("exact@1", .position(share), link: exact)
            stage.publish("coarse@1", .position(share), link: coarse)
            stage.position(of: "a", "a@1")
            stage.publish("c-end", .shareEnded(share), link: coarse)
            stage.publish("e-end", .shareEnded(share), link: exact)
            stage.end(of: "a", "a-end")
            try await member.listen(until: "a-end")
            try await guest.listen(until: "c-end")
            try await other.listen(until: "e-end")
            #expect(!(guest.heard + other.heard).contains { $0.hasPrefix("m") || $0.hasPrefix("a") })
            #expect(!guest.heard.contains { $0.hasPrefix("exact") || $0.hasPrefix("e-") })
            #expect(!member.heard.contains { $0.hasPrefix("coarse") || $0.hasPrefix("exact") })
        }
    }

    @Test func `guests count as watchers of the share`() async throws {
        try await withStage { stage in
            let guest = try await Watcher(stage, "link:coarse")
            try await guest.watch(.link(coarse))
            #expect(await eventually { stage.fanout.watchers(of: share, in: .x, without: .ann) == 1 })
            #expect(stage.fanout.takeChannelsWithOtherWatchers() == [.x])
            #expect(stage.fanout.watchers(of: MessageId("b")!, in: .x, without: .ann) == 0)
            guest.hangUp()
            #expect(await eventually { stage.fanout.watchers(of: share, in: .x, without: .ann) == 0 })
        }
    }

    @Test func `when a link ends its guests get what was said before, nothing after, and go`() async throws {
        try await withStage { stage in
            let guest = try await Watcher(stage, "link:coarse")
            try await guest.watch(.link(coarse))
            let idle = try await Watcher(stage, "link:coarse")
            let other = try await Watcher(stage, "link:exact")
            try await other.watch(.link(exact))
            stage.publish("end", .shareEnded(share), link: coarse)
            stage.fanout.close(coarse)
            stage.publish("after", .durable, link: coarse)
            try await guest.listenToEnd()
            #expect(guest.heard == ["end"] && guest.closeCode == 4401)
            try await idle.listenToEnd()
            #expect(idle.heard == ["hello"] && idle.closeCode == 4401)
            stage.publish("still", .durable, link: exact)
            try await other.listen(until: "still")
        }
    }

    @Test func `who may not be there any more when the loop knows them is sent away`() async throws {
        try await withStage { stage in
            let gone = try await Watcher(stage, "gone", isAdmitted: false)
            try await gone.listenToEnd()
            #expect(gone.heard == [] && gone.closeCode == 4401)
        }
    }

    @Test func `an account's and a session's connections end by themselves`() async throws {
        try await withStage { stage in
            let ann = try await Watcher(stage, "ann")
            let ben = try await Watcher(stage, "ben")
            stage.fanout.disconnect(.session([1]))
            try await ben.listenToEnd()
            #expect(ben.closeCode == 4401 && !ann.isGone)
            stage.fanout.disconnect(.user(.ann))
            try await ann.listenToEnd()
            #expect(ann.closeCode == 4403)
        }
    }
}
