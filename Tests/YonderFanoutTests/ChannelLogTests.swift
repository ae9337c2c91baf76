import Testing
import YonderModel

@testable import YonderFanout

struct ChannelLogTests {
    private let channel = ChannelId(type: "team", id: "x")

    private func durable(_ text: String) -> Publication {
        Publication(channel: channel, kind: .durable, json: Array(text.utf8))
    }

    private func position(_ share: String, _ text: String) -> Publication {
        Publication(channel: channel, kind: .position(MessageId(share)!), json: Array(text.utf8))
    }

    private func end(_ share: String) -> Publication {
        Publication(channel: channel, kind: .shareEnded(MessageId(share)!), json: Array("end \(share)".utf8))
    }

    /// The payloads of a batch of short frames.
    private func texts(_ batch: FrameBatch) -> [String] {
        var start = 0
        return batch.ends.map { end in
            defer { start = end }
            return String(decoding: batch.bytes[(start + 2)..<end], as: UTF8.self)
        }
    }

    private func log(_ publications: Publication...) -> ChannelLog {
        var log = ChannelLog()
        for publication in publications { log.append(publication) }
        return log
    }

    private func lap(_ log: ChannelLog, from start: UInt64 = 0) -> [String] {
        texts(log.frames(of: Lap(from: start, to: log.end), maxBytes: .max))
    }

    @Test func `of a share's positions the newest is given, once`() {
        var log = log(position("a", "a1"), durable("m1"), position("b", "b1"), position("a", "a2"))
        #expect(lap(log) == ["m1", "a2", "b1"])
        #expect(texts(log.takeNews()) == ["m1", "a2", "b1"])
        #expect(texts(log.takeNews()) == [])
        log.append(position("b", "b2"))
        #expect(texts(log.takeNews()) == ["b2"])
    }

    /// Who took some of the news goes on with a lap, which comes past the slots in their order.
    @Test(arguments: 0...3)
    func `what was not taken of the news is what a lap after them gives`(taken: Int) {
        var log = log(position("a", "a1"), position("b", "b1"), position("c", "c1"))
        _ = log.takeNews()
        let before = log.flushed
        for share in ["c", "a", "b"] { log.append(position(share, share + "2")) }
        let news = log.takeNews()
        var lap = Lap(from: before, to: log.end)
        lap.passed(news.marks.prefix(taken))
        let rest = log.frames(of: lap, maxBytes: .max)
        #expect(Set(texts(news).prefix(taken) + texts(rest)) == ["a2", "b2", "c2"])
    }

    @Test func `no position of a share stays behind its end`() {
        var log = log(position("a", "a1"), position("b", "b1"), end("a"))
        #expect(lap(log) == ["end a", "b1"])
        #expect(texts(log.takeNews()) == ["end a", "b1"])
    }

    @Test func `a lap gives what came after its start and nothing of shares born after its end`() {
        var log = log(durable("m1"), position("a", "a1"))
        let start = log.end
        log.append(durable("m2"))
        log.append(position("b", "b1"))
        let lap = Lap(from: start, to: log.end)
        log.append(durable("start c"))
        log.append(position("c", "c1"))
        log.append(position("b", "b2"))
        #expect(texts(log.frames(of: lap, maxBytes: .max)) == ["m2", "b2"])
    }

    @Test func `who is behind gets a little, and then the rest as it is by then`() {
        var log = ChannelLog()
        for number in 0..<10 { log.append(position("s\(number)", "p\(number)")) }
        var lap = Lap(from: 0, to: log.end)
        let first = log.frames(of: lap, maxBytes: 13)
        #expect(texts(first) == ["p0", "p1", "p2"])
        lap.passed(first.marks)
        log.append(position("s5", "new"))
        log.append(position("s0", "late"))
        #expect(
            texts(log.frames(of: lap, maxBytes: .max)) == ["p3", "p4", "new", "p6", "p7", "p8", "p9"])
    }

    @Test func `a frame larger than the limit still goes`() {
        let log = log(durable(String(repeating: "x", count: 100)))
        #expect(log.frames(of: Lap(from: 0, to: log.end), maxBytes: 10).ends.count == 1)
    }

    @Test func `who is about to leave gets no positions`() {
        let log = log(position("a", "a1"), durable("m1"))
        let lap = Lap(from: 0, to: log.end, takesPositions: false)
        #expect(texts(log.frames(of: lap, maxBytes: .max)) == ["m1"])
    }

    @Test func `what everybody has is forgotten`() {
        var log = log(durable("m1"), durable("m2"), position("a", "a1"))
        log.trim(events: 1, areLevel: false)
        #expect(lap(log) == ["m2", "a1"])
        #expect(log.lost == 0)
        log.trim(events: log.end, areLevel: true)
        #expect(log.isEmpty)
        log.append(position("a", "a2"))
        #expect(texts(log.takeNews()) == ["a2"])
    }

    @Test func `durable events are bounded and a watcher that falls off knows`() {
        var log = log(position("a", "a1"))
        for number in 0..<(ChannelLog.maxDurableFrames + 5) { log.append(durable("m\(number)")) }
        #expect(log.lost == 6 && log.lostChannels == [channel])
        #expect(lap(log).count == ChannelLog.maxDurableFrames + 1)
    }

    @Test func `a loss takes what the log still has of other channels along, and says so`() {
        let other = ChannelId(type: "team", id: "y")
        var log = log(durable("m1"))
        log.lose(other)
        #expect(lap(log) == [])
        #expect(log.lost == log.end && log.lostChannels == [channel, other])
    }

    @Test func `durable events are bounded by bytes too`() {
        var log = ChannelLog()
        let text = String(repeating: "x", count: 100_000)
        for _ in 0..<50 { log.append(durable(text)) }
        #expect(
            log.frames(of: Lap(from: 0, to: log.end), maxBytes: .max).bytes.count
                <= ChannelLog.maxDurableBytes)
        #expect(log.lost > 0)
    }

    /// A hundred sharers move once a second; a reader takes 8 KiB twice a second, a third of what is new.
    @Test func `a slow reader hears of every share, again and again`() {
        var log = ChannelLog()
        var lap: Lap?
        var had: UInt64 = 0
        var heard: [String: Int] = [:]
        for _ in 0..<120 {
            for share in 0..<100 {
                log.append(position("s\(share)", "s\(share) " + String(repeating: "x", count: 230)))
                guard share % 50 == 0 else { continue }
                var next = lap ?? Lap(from: had, to: log.end)
                let batch = log.frames(of: next, maxBytes: 8_192)
                for text in texts(batch.ends.isEmpty ? batch : short(batch)) { heard[text, default: 0] += 1 }
                next.passed(batch.marks)
                lap = batch.ends.isEmpty ? nil : next
                had = batch.ends.isEmpty ? next.end : had
            }
        }
        #expect(heard.count == 100)
        #expect(heard.values.min() ?? 0 >= 10, "\(heard)")
    }

    /// The same frames with payloads cut to their first word.
    private func short(_ batch: FrameBatch) -> FrameBatch {
        var cut = FrameBatch()
        var start = 0
        for (end, mark) in zip(batch.ends, batch.marks) {
            let payload = batch.bytes[(start + 4)..<end].prefix { $0 != 0x20 }
            cut.append([0, 0] + payload, mark)
            start = end
        }
        return cut
    }

    @Test func `a random run never loses a durable event nor the newest position`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var log = ChannelLog()
            var reader = Reader()
            var expectedDurable: [String] = []
            var newest: [String: String] = [:]
            for step in 0..<200 {
                let share = "s\(Int.random(in: 0..<5, using: &random))"
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    log.append(durable("m\(step)"))
                    expectedDurable.append("m\(step)")
                case 1, 2:
                    log.append(position(share, "\(share)@\(step)"))
                    newest[share] = "\(share)@\(step)"
                case 3:
                    log.append(end(share))
                    expectedDurable.append("end \(share)")
                    newest[share] = nil
                default:
                    reader.read(
                        &log, maxBytes: Int.random(in: 1..<60, using: &random),
                        committing: Int.random(in: 0...9, using: &random), texts)
                }
            }
            while !reader.isLevel(with: log) { reader.read(&log, maxBytes: 30, committing: 3, texts) }
            #expect(reader.durable == expectedDurable)
            #expect(reader.newest.filter { newest[$0.key] != nil } == newest)
        }
    }

    /// One watcher of a log, as slow as it is told to be.
    private struct Reader {
        var had: UInt64 = 0
        var lap: Lap?
        var durable: [String] = []
        var newest: [String: String] = [:]

        func isLevel(with log: ChannelLog) -> Bool { lap == nil && had == log.end }

        mutating func read(
            _ log: inout ChannelLog, maxBytes: Int, committing limit: Int, _ texts: (FrameBatch) -> [String]
        ) {
            var next = lap ?? Lap(from: had, to: log.end)
            let batch = log.frames(of: next, maxBytes: maxBytes)
            guard !batch.ends.isEmpty else {
                (had, lap) = (next.end, nil)
                log.trim(events: had, areLevel: had == log.end)
                return
            }
            for text in texts(batch).prefix(limit) { hear(text) }
            next.passed(batch.marks.prefix(limit))
            lap = next
            log.trim(events: next.events, areLevel: false)
        }

        private mutating func hear(_ text: String) {
            guard let at = text.firstIndex(of: "@") else {
                durable.append(text)
                return
            }
            newest[String(text[..<at])] = text
        }
    }
}

struct MailboxTests {
    private let channel = ChannelId(type: "team", id: "x")

    private func publication(_ kind: Publication.Kind) -> Publication {
        Publication(channel: channel, kind: kind, json: [])
    }

    @Test func `waiting positions of one share are one`() {
        let mailbox = Mailbox()
        for _ in 0..<1000 { mailbox.publish(publication(.position(MessageId("a")!))) }
        mailbox.publish(publication(.durable))
        #expect(mailbox.take().count == 2)
        #expect(mailbox.take().isEmpty)
    }

    @Test func `too many waiting events give the channel up instead of growing`() {
        let mailbox = Mailbox()
        for _ in 0..<(Mailbox.maxDurableFrames + 3) { mailbox.publish(publication(.durable)) }
        let lost = mailbox.take().filter {
            if case .lost = $0 { true } else { false }
        }
        #expect(lost.count == 1)
    }

    @Test func `a position that follows a command stays behind it`() {
        let mailbox = Mailbox()
        let position = publication(.position(MessageId("a")!))
        for command in [
            Mailbox.Item.revoke(UserId("u")!, channel), .watch(1, answer: [], [.channel(channel)]),
            .closeRoom(channel),
        ] {
            mailbox.publish(position)
            mailbox.post(command)
            mailbox.publish(position)
            let items = mailbox.take()
            #expect(items.count == 3)
            if case .publication = items[1] { Issue.record("the command lost its place") }
        }
    }
}
