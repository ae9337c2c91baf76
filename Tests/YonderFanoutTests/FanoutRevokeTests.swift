import Testing
import YonderModel

@testable import YonderFanout

struct FanoutRevokeTests {
    private static let padding = " " + String(repeating: ".", count: 250)

    /// Positions of many shares in one go: more than a small buffer takes.
    private func positions(_ mark: String, on stage: Stage) {
        for share in 0..<300 { stage.position(of: "s\(share)", "s\(share)@\(mark)" + Self.padding) }
    }

    @Test(arguments: [1, 2])
    func `who is put out hears what was before, and nothing after`(loops: Int) async throws {
        try await withStage(loops: loops, tick: .milliseconds(20)) { stage in
            let stays = try await Watcher(stage, "ann")
            let out = [try await Watcher(stage, "ben"), try await Watcher(stage, "ben")]
            for watcher in out + [stays] { try await watcher.watch(.x, .y) }
            stage.durable("m1")
            stage.durable("removed")
            stage.fanout.revoke(.ben, from: .x)
            for number in 2..<40 {
                stage.durable("m\(number)")
                stage.position(of: "a", "a@\(number)")
            }
            try await stays.listen(until: "m39")
            stage.durable("y1", in: .y)
            for watcher in out {
                try await watcher.listen(until: "y1")
                #expect(watcher.heard == ["m1", "removed", "y1"])
            }
            #expect(stays.heard.filter { $0.hasPrefix("m") } == (1..<40).map { "m\($0)" })
            #expect(await eventually { stage.fanout.watchers(of: .x, without: .ann) == 0 })
            #expect(stage.fanout.watchers(of: .x, without: .ben) == 1)
        }
    }

    @Test func `who does not read hears of its removal too, but of no position from then on`() async throws {
        try await withStage { stage in
            let stays = try await Watcher(stage, "ann")
            let out = try await Watcher(stage, "ben", receiveBuffer: FanoutSlowReaderTests.smallBuffer)
            for watcher in [stays, out] { try await watcher.watch(.x) }
            // It is stopped half-way through the positions of these.
            positions("before", on: stage)
            try await stays.listen { heard in Set(heard.filter { $0.hasSuffix("before") }).count == 300 }
            stage.durable("removed")
            stage.fanout.revoke(.ben, from: .x)
            positions("after", on: stage)
            stage.durable("m2")
            try await stays.listen { heard in
                heard.contains("m2") && Set(heard.filter { $0.hasSuffix("after") }).count == 300
            }
            try await out.listen(until: "removed")
            out.handle.send(Array("mark".utf8))
            try await out.listen(until: "mark")
            #expect(!out.heard.contains { $0.hasSuffix("after") })
            #expect(Set(out.heard).count < 300)
            #expect(out.heard.suffix(2) == ["removed", "mark"])
            #expect(stage.fanout.watchers(of: .x, without: .ann) == 0)
        }
    }

    @Test func `an opening that comes too late tells nothing`() async throws {
        try await withStage { stage in
            let watcher = try await Watcher(stage, "ben")
            watcher.handle.watch([.x], answer: Array("watching".utf8))
            stage.durable("removed")
            stage.fanout.revoke(.ben, from: .x)
            watcher.open(.x, with: ["late"])
            stage.durable("m1")
            watcher.handle.send(Array("mark".utf8))
            try await watcher.listen(until: "mark")
            #expect(watcher.heard == ["hello", "watching", "removed", "mark"])
            #expect(stage.fanout.watchers(of: .x, without: .ann) == 0)
        }
    }

    @Test func `a removed user who comes back hears on`() async throws {
        try await withStage { stage in
            let watcher = try await Watcher(stage, "ben")
            try await watcher.watch(.x)
            stage.fanout.revoke(.ben, from: .x)
            stage.durable("m1")
            watcher.handle.watch([.x], answer: Array("watching".utf8))
            watcher.open(.x, with: ["o"])
            stage.durable("m2")
            try await watcher.listen(until: "m2")
            #expect(watcher.heard == ["watching", "o", "m2"])
        }
    }

    @Test(arguments: [1, 2])
    func `a channel that closes says its last word to everybody`(loops: Int) async throws {
        try await withStage(loops: loops) { stage in
            var watchers: [Watcher] = []
            for user in ["ann", "ben", "cid"] { watchers.append(try await Watcher(stage, user)) }
            let slow = try await Watcher(stage, "dan", receiveBuffer: FanoutSlowReaderTests.smallBuffer)
            for watcher in watchers + [slow] { try await watcher.watch(.x) }
            for number in 0..<200 { stage.durable("m\(number)" + Self.padding) }
            stage.durable("deleted")
            stage.fanout.close(.x)
            stage.durable("after")
            stage.position(of: "a", "a@1")
            let expected = (0..<200).map { "m\($0)" } + ["deleted"]
            for watcher in watchers + [slow] {
                try await watcher.listen(until: "deleted")
                watcher.handle.send(Array("mark".utf8))
                try await watcher.listen(until: "mark")
                #expect(watcher.heard == expected + ["mark"])
            }
            #expect(stage.fanout.watchers(of: .x, without: UserId("nobody")!) == 0)
        }
    }
}
