import Testing
import YonderModel
import YonderTestSupport

@testable import YonderFanout

struct FanoutOwnEventsTests {
    private static let padding = " " + String(repeating: ".", count: 250)

    @Test(arguments: [1, 2])
    func `a user's own shares are told of to all that user's connections, once`(loops: Int) async throws {
        try await withStage(loops: loops) { stage in
            let watching = try await Watcher(stage, "ann")
            let other = try await Watcher(stage, "ann")
            let stranger = try await Watcher(stage, "ben")
            try await watching.watch(.x)
            stage.durable("theirs")
            stage.durable("start", owner: .ann)
            stage.position(of: "a", "a@1", owner: .ann)
            for watcher in [watching, other] { try await watcher.listen(until: "a@1") }
            stage.end(of: "a", "end", owner: .ann)
            stage.durable("strange", owner: .ben)
            for watcher in [watching, other] { try await watcher.listen(until: "end") }
            try await stranger.listen(until: "strange")
            watching.handle.send(Array("mark".utf8))
            try await watching.listen(until: "mark")
            #expect(watching.heard.filter { $0 != "strange" } == ["theirs", "start", "a@1", "end", "mark"])
            #expect(other.heard == ["hello", "start", "a@1", "end"])
            #expect(stranger.heard == ["hello", "strange"])
        }
    }

    @Test func `how many watch a share is told to its owner alone, watching or not`() async throws {
        try await withStage { stage in
            let watching = try await Watcher(stage, "ann")
            let other = try await Watcher(stage, "ann")
            let stranger = try await Watcher(stage, "ben")
            for watcher in [watching, stranger] { try await watcher.watch(.x) }
            stage.publish("count", .watchers(MessageId("a")!), owner: .ann)
            for watcher in [watching, other] { try await watcher.listen(until: "count") }
            stage.durable("m1")
            for watcher in [watching, stranger] { try await watcher.listen(until: "m1") }
            #expect(watching.heard == ["count", "m1"])
            #expect(stranger.heard == ["m1"])
        }
    }

    /// Commands and events in one turn of the loop: nothing of it has been written when the next comes.
    @Test(arguments: [Duration.milliseconds(1), .milliseconds(30)])
    func `own events are neither lost nor doubled around watching`(tick: Duration) async throws {
        try await withStage(tick: tick) { stage in
            var random = SplitMix(seed: 7)
            let watcher = try await Watcher(stage, "ann")
            let reference = try await Watcher(stage, "ann")
            watcher.forget()
            var count = 0
            var synced = 0
            var isInOpening: Set<Int> = []
            for _ in 0..<400 {
                switch UInt8.random(in: 0..<8, using: &random) {
                case 0:
                    watcher.handle.watch([.x], answer: Array("answer".utf8))
                    watcher.open(.x, with: [])
                    // Not written yet, but in what the server would read for the opening.
                    isInOpening.formUnion(synced..<count)
                case 1: watcher.handle.unwatch([.x], answer: Array("answer".utf8))
                case 2, 3:
                    try await reference.listen { count == 0 || $0.contains("m\(count - 1)") }
                    synced = count
                default:
                    stage.durable("m\(count)", owner: .ann)
                    count += 1
                }
            }
            stage.durable("m\(count)", owner: .ann)
            try await watcher.listen(until: "m\(count)")
            let numbers = watcher.heard.filter { $0.hasPrefix("m") }.map { Int($0.dropFirst())! }
            #expect(numbers.count == Set(numbers).count, "\(numbers)")
            #expect(Set(0...count).subtracting(numbers).subtracting(isInOpening) == [])
            #expect(isInOpening.count < count / 2)
        }
    }

    @Test func `own events that a channel still owed come when it is left`() async throws {
        try await withStage { stage in
            let other = try await Watcher(stage, "ann")
            let slow = try await Watcher(stage, "ann", receiveBuffer: FanoutSlowReaderTests.smallBuffer)
            let awaiting = try await Watcher(stage, "ann")
            try await slow.watch(.x)
            awaiting.handle.watch([.x], answer: Array("watching".utf8))
            for number in 0..<300 {
                let owner: UserId? = number.isMultiple(of: 2) ? .ann : .ben
                stage.durable("m\(number)" + Self.padding, owner: owner)
            }
            try await other.listen(until: "m298")
            for watcher in [slow, awaiting] { watcher.handle.unwatch([.x], answer: Array("ceased".utf8)) }
            stage.durable("last", owner: .ann)
            let owned = stride(from: 0, to: 300, by: 2).map { "m\($0)" }
            for watcher in [slow, awaiting] {
                try await watcher.listen(until: "last")
                let heard = watcher.heard.filter { Int($0.dropFirst()).map { $0 % 2 == 0 } ?? false }
                #expect(heard == owned)
            }
        }
    }

    @Test func `who was put out and does not read hears of the end of its own share`() async throws {
        try await withStage { stage in
            let other = try await Watcher(stage, "ben")
            let slow = try await Watcher(stage, "ben", receiveBuffer: FanoutSlowReaderTests.smallBuffer)
            try await slow.watch(.x)
            for number in 0..<300 { stage.durable("m\(number)" + Self.padding) }
            stage.durable("removed", owner: .ben)
            stage.fanout.revoke(.ben, from: .x)
            stage.durable("ended", owner: .ben)
            try await other.listen(until: "ended")
            try await slow.listen { $0.contains("removed") && $0.contains("ended") }
            slow.handle.send(Array("mark".utf8))
            try await slow.listen(until: "mark")
            for text in ["removed", "ended"] { #expect(slow.heard.count { $0 == text } == 1) }
        }
    }
}
