import Testing
import YonderModel

@testable import YonderFanout

/// One does not read for a while; the others must not notice, and it must miss nothing that counts.
struct FanoutSlowReaderTests {
    static let smallBuffer: Int32 = 2_048
    private static let padding = " " + String(repeating: ".", count: 250)

    /// What was published.
    private struct Script {
        var durable: [String] = []
        /// The newest position of each share that goes on.
        var newest: [String: String] = [:]
    }

    /// A round of events: a message, now and then a share's end, and a position of each share.
    private func play(_ round: Int, on stage: Stage, _ script: inout Script) {
        func durable(_ text: String) {
            script.durable.append(text)
            stage.durable(text + Self.padding)
        }
        durable("m\(round)")
        for share in 0..<20 {
            let name = "s\(share)-\(round / 50)"
            switch (round + share) % 50 {
            case 0..<30 where round % 50 < 30:
                script.newest[name] = "\(name)@\(round)"
                stage.position(of: name, "\(name)@\(round)" + Self.padding)
            case 40 where script.newest[name] != nil:
                script.newest[name] = nil
                script.durable.append("end:\(name)")
                stage.end(of: name, "end:\(name)" + Self.padding)
            default: break
            }
        }
    }

    private func expect(_ heard: [String], toFollow script: Script, _ who: String) {
        #expect(heard.filter { !$0.contains("@") } == script.durable, "\(who)")
        var newest: [String: Int] = [:]
        var ended: Set<Substring> = []
        for text in heard {
            let parts = text.split(separator: "@")
            guard parts.count == 2 else {
                if text.hasPrefix("end:") { ended.insert(text.dropFirst(4)) }
                continue
            }
            #expect(!ended.contains(parts[0]), "\(who): \(text) after its end")
            let round = Int(parts[1])!
            // The same one twice is no harm: a reader that lags may get it at a lap's end and the next one's start.
            #expect(round >= newest[String(parts[0])] ?? -1, "\(who): \(text) is older")
            newest[String(parts[0])] = round
        }
        for (share, text) in script.newest {
            #expect(newest[share].map { "\(share)@\($0)" } == text, "\(who)")
        }
    }

    @Test(arguments: [1, 2])
    func `fast ones get everything at once, the slow one what counts once it reads`(loops: Int) async throws {
        try await withStage(loops: loops) { stage in
            var fast: [Watcher] = []
            for _ in 0..<6 { fast.append(try await Watcher(stage)) }
            let slow = try await Watcher(stage, receiveBuffer: Self.smallBuffer)
            for watcher in fast + [slow] { try await watcher.watch(.x) }
            var script = Script()
            for round in 0..<220 {
                play(round, on: stage, &script)
                guard round % 5 == 4 else { continue }
                for watcher in fast { try await watcher.listen(until: "m\(round)") }
                if round > 100, round % 20 == 4 { slow.drain(upTo: 3_000) }
            }
            script.durable.append("last")
            stage.durable("last")
            for (index, watcher) in fast.enumerated() {
                try await watcher.listen { heard in
                    heard.contains("last") && script.newest.values.allSatisfy(heard.contains)
                }
                expect(watcher.heard, toFollow: script, "fast \(index)")
            }
            #expect(slow.heard.count < script.durable.count / 2)
            try await slow.listen { heard in
                heard.contains("last") && script.newest.values.allSatisfy(heard.contains)
            }
            expect(slow.heard, toFollow: script, "slow")
            #expect(slow.heard.count < fast[0].heard.count)
        }
    }

    /// Publishes in pieces that a reader can take before the next one comes.
    private func publish(_ numbers: Range<Int>, on stage: Stage, with reader: Watcher) async throws {
        for number in numbers {
            stage.durable("m\(number)" + Self.padding)
            if number % 100 == 99 { try await reader.listen(until: "m\(number)") }
        }
    }

    @Test func `who falls off the log is told so once, and goes on`() async throws {
        try await withStage { stage in
            let fast = try await Watcher(stage)
            let slow = try await Watcher(stage, receiveBuffer: Self.smallBuffer)
            for watcher in [fast, slow] { try await watcher.watch(.x) }
            let count = 2_500
            try await publish(0..<count, on: stage, with: fast)
            #expect(fast.heard == (0..<count).map { "m\($0)" })
            try await slow.listen(until: "m\(count - 1)")
            stage.durable("more")
            try await slow.listen(until: "more")
            let told = try #require(slow.heard.firstIndex(of: "resync:team:x"))
            let first = count - (slow.heard.count - told - 2)
            #expect(first > told)
            let expected = (0..<told).map { "m\($0)" } + ["resync:team:x"] + (first..<count).map { "m\($0)" }
            #expect(slow.heard == expected + ["more"])
        }
    }

    /// It stops half-way through what it misses, and the log goes on without it.
    @Test func `who falls off the log on its way is told so too`() async throws {
        try await withStage { stage in
            let fast = try await Watcher(stage)
            let slow = try await Watcher(stage, receiveBuffer: Self.smallBuffer)
            for watcher in [fast, slow] { try await watcher.watch(.x) }
            try await publish(0..<900, on: stage, with: fast)
            // By now it is on its way from the first few to number 900.
            while slow.heard.count < 100 {
                slow.drain(upTo: 4_000)
                try await Task.sleep(for: .milliseconds(1))
            }
            try await publish(900..<1_500, on: stage, with: fast)
            try await slow.listen(until: "m1499")
            let told = slow.heard.indices.filter { slow.heard[$0] == "resync:team:x" }
            #expect(told.count == 1)
            for index in slow.heard.indices.dropFirst() where !told.contains(index) {
                guard !told.contains(index - 1) else { continue }
                let (before, after) = (slow.heard[index - 1], slow.heard[index])
                #expect(Int(before.dropFirst())! + 1 == Int(after.dropFirst())!)
            }
        }
    }

    @Test func `who cannot be told everything of a burst is told to read again`() async throws {
        try await withStage { stage in
            let watcher = try await Watcher(stage)
            let holder = try await Watcher(stage)
            try await watcher.watch(.x)
            try await holder.say("hold")
            stage.commands.waitUntilHeld()
            for number in 0..<1_500 { stage.durable("m\(number)") }
            stage.commands.letGo()
            try await watcher.listen(until: "m1499")
            #expect(watcher.heard.first == "resync:team:x")
            #expect(watcher.heard.dropFirst().elementsEqual((500..<1_500).map { "m\($0)" }))
        }
    }

    /// Nobody watches the channel that fills the mailbox.
    @Test func `what a full mailbox drops is made known to whom it concerns`() async throws {
        try await withStage { stage in
            let watcher = try await Watcher(stage, "cid")
            let ann = try await Watcher(stage, "ann")
            let ben = try await Watcher(stage, "ben")
            let holder = try await Watcher(stage, "dan")
            try await watcher.watch(.y)
            for watcher in [ann, ben] {
                try await watcher.listen(until: "hello")
                watcher.forget()
            }
            try await holder.say("hold")
            stage.commands.waitUntilHeld()
            for _ in 0..<Mailbox.maxDurableFrames { stage.durable("full") }
            for owner in [nil, UserId.ann, .ben] { stage.durable("dropped", in: .y, owner: owner) }
            stage.commands.letGo()
            for watcher in [watcher, ann, ben] {
                try await watcher.listen { $0.last == "resync:team:y" }
            }
            stage.durable("after", in: .y, owner: .ann)
            stage.durable("last", in: .y, owner: .ben)
            try await watcher.listen(until: "last")
            try await ann.listen(until: "after")
            try await ben.listen(until: "last")
            let resync = "resync:team:y"
            #expect(watcher.heard == [resync, "after", "last"])
            #expect(ann.heard == [resync, "after"])
            #expect(ben.heard == [resync, "last"])
        }
    }
}
