import Testing
import YonderModel

@testable import YonderFanout

struct FanoutWatchTests {
    @Test func `the greeting comes first, whatever is going on`() async throws {
        try await withStage { stage in
            let first = try await Watcher(stage)
            for number in 0..<20 {
                stage.durable("m\(number)", owner: .ann)
                let watcher = try await Watcher(stage)
                stage.durable("last\(number)", owner: .ann)
                try await watcher.listen(until: "last\(number)")
                #expect(watcher.heard.first == "hello")
            }
            try await first.listen(until: "last19")
        }
    }

    @Test func `nothing comes before the opening, then all from the watching on`() async throws {
        try await withStage { stage in
            let other = try await Watcher(stage)
            try await other.watch(.x)
            let watcher = try await Watcher(stage, "ben")
            stage.durable("before")
            stage.position(of: "a", "a@0")
            watcher.handle.watch([.x], answer: Array("watching".utf8))
            stage.durable("m1")
            stage.position(of: "a", "a@1")
            try await other.listen { $0.contains("m1") && $0.contains("a@1") }
            watcher.handle.send(Array("mark".utf8))
            watcher.open(.x, with: ["o1", "o2"])
            stage.durable("m2")
            try await watcher.listen(until: "m2")
            #expect(watcher.heard == ["hello", "watching", "mark", "o1", "o2", "m1", "a@1", "m2"])
        }
    }

    @Test func `a channel that is watched again begins with its opening again, and nothing twice`()
        async throws
    {
        try await withStage { stage in
            let other = try await Watcher(stage)
            try await other.watch(.x)
            let watcher = try await Watcher(stage, "ben")
            try await watcher.watch(.x)
            stage.durable("m1")
            try await watcher.listen(until: "m1")
            watcher.handle.watch([.x], answer: Array("again".utf8))
            stage.durable("m2")
            try await other.listen(until: "m2")
            watcher.open(.x, with: ["o"])
            stage.durable("m3")
            try await watcher.listen(until: "m3")
            #expect(watcher.heard == ["m1", "again", "o", "m2", "m3"])
            #expect(stage.fanout.watchers(of: .x, without: .ann) == 1)
        }
    }

    @Test func `one channel waits for its opening while another goes on`() async throws {
        try await withStage { stage in
            let watcher = try await Watcher(stage)
            watcher.handle.watch([.x, .y], answer: Array("watching".utf8))
            stage.durable("x1", in: .x)
            watcher.open(.y, with: [])
            stage.durable("y1", in: .y)
            try await watcher.listen(until: "y1")
            #expect(watcher.heard == ["hello", "watching", "y1"])
            watcher.open(.x, with: ["o"])
            try await watcher.listen(until: "x1")
            #expect(watcher.heard.suffix(2) == ["o", "x1"])
        }
    }

    @Test func `who ceases to watch hears nothing more of that channel, and of others all`() async throws {
        try await withStage { stage in
            let watcher = try await Watcher(stage, "ben")
            try await watcher.watch(.x, .y)
            stage.durable("x1", in: .x)
            try await watcher.listen(until: "x1")
            watcher.handle.unwatch([.x], answer: Array("ceased".utf8))
            for number in 2..<50 {
                stage.durable("x\(number)", in: .x)
                stage.position(of: "a", "a@\(number)", in: .x)
            }
            stage.durable("y1", in: .y)
            try await watcher.listen(until: "y1")
            #expect(watcher.heard == ["x1", "ceased", "y1"])
        }
    }

    @Test func `connections that watch are counted, without those of one user`() async throws {
        try await withStage(loops: 2) { stage in
            let fanout = stage.fanout
            var watchers: [Watcher] = []
            for user in ["ann", "ann", "ben", "cid"] { watchers.append(try await Watcher(stage, user)) }
            for watcher in watchers { try await watcher.watch(.x) }
            try await watchers[0].watch(.y)
            #expect(fanout.connectionCount == 4)
            #expect(fanout.watchers(of: .x, without: .ann) == 2)
            #expect(fanout.watchers(of: .x, without: .ben) == 3)
            #expect(fanout.takeChannelsWithOtherWatchers() == [.x, .y])
            #expect(fanout.takeChannelsWithOtherWatchers() == [])
            watchers[2].handle.unwatch([.x], answer: Array("ceased".utf8))
            try await watchers[2].listen(until: "ceased")
            #expect(await eventually { fanout.watchers(of: .x, without: .ann) == 1 })
            watchers.removeLast()
            #expect(await eventually { fanout.watchers(of: .x, without: .ann) == 0 })
            #expect(await eventually { fanout.connectionCount == 3 })
            #expect(fanout.takeChannelsWithOtherWatchers() == [.x])
        }
    }
}

/// Waits for something another thread does, at most 20 s.
func eventually(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    while !condition() {
        guard ContinuousClock.now < deadline else { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}
