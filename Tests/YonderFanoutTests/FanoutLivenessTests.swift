import Testing
import YonderModel

@testable import YonderFanout

struct FanoutLivenessTests {
    @Test func `a silent connection gets heartbeats, one that is told things gets none`() async throws {
        try await withStage(heartbeat: .seconds(4)) { stage in
            // The silent one comes last: where it is due, the others would be too.
            let busy = try await Watcher(stage, "ben")
            let answered = try await Watcher(stage, "cid")
            try await busy.watch(.x)
            let silent = try await Watcher(stage)
            var number = 0
            var last = ContinuousClock.now
            try await silent.listen { heard in
                number += 1
                if number == 1 || last.duration(to: .now) > .milliseconds(200) {
                    last = .now
                    stage.durable("m\(number)")
                    answered.handle.send(Array("answer".utf8))
                }
                return heard.contains("heartbeat")
            }
            stage.durable("last")
            answered.handle.send(Array("last".utf8))
            for watcher in [busy, answered] { try await watcher.listen(until: "last") }
            #expect(silent.heard == ["hello", "heartbeat"])
            for watcher in [busy, answered] {
                #expect(watcher.heard.count > 2 && !watcher.heard.contains("heartbeat"))
            }
        }
    }

    @Test func `a connection ends with its token, and nobody else's does`() async throws {
        try await withStage { stage in
            let short = try await Watcher(stage, "ann.5000")
            let long = try await Watcher(stage, "ann.9000")
            let endless = try await Watcher(stage, "ann")
            stage.setTime(milliseconds: 4_999)
            stage.durable("m1", owner: .ann)
            try await short.listen(until: "m1")
            #expect(short.closeCode == nil)
            stage.setTime(milliseconds: 5_000)
            try await short.listenToEnd()
            #expect(short.closeCode == 4401)
            stage.durable("m2", owner: .ann)
            for watcher in [long, endless] {
                try await watcher.listen(until: "m2")
                #expect(watcher.closeCode == nil)
            }
        }
    }

    @Test(arguments: [1, 2]) func `stopping says going away to everybody`(loops: Int) async throws {
        try await withStage(loops: loops) { stage in
            var watchers: [Watcher] = []
            for _ in 0..<5 { watchers.append(try await Watcher(stage)) }
            async let stopped: Void = stage.stop()
            for watcher in watchers {
                try await watcher.listenToEnd()
                #expect(watcher.closeCode == 1001)
            }
            await stopped
            #expect(stage.fanout.connectionCount == 0)
        }
    }
}
