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

    /// The payloads of a batch of short frames.
    private func texts(_ batch: FrameBatch) -> [String] {
        var start = 0
        return batch.ends.map { end in
            defer { start = end }
            return String(decoding: batch.bytes[(start + 2)..<end], as: UTF8.self)
        }
    }

    @Test func `a newer position takes the older one's place`() {
        var log = ChannelLog()
        for publication in [position("a", "a1"), durable("m1"), position("b", "b1"), position("a", "a2")] {
            log.append(publication)
        }
        #expect(texts(log.frames(after: 0)) == ["m1", "b1", "a2"])
        #expect(log.frames(after: 0).reached == log.end)
    }

    @Test func `no position of a share stays behind its end`() {
        var log = ChannelLog()
        log.append(position("a", "a1"))
        log.append(Publication(channel: channel, kind: .shareEnded(MessageId("a")!), json: Array("end".utf8)))
        #expect(texts(log.frames(after: 0)) == ["end"])
    }

    @Test func `a watcher gets what it misses and no more`() {
        var log = ChannelLog()
        log.append(durable("m1"))
        let cursor = log.end
        #expect(texts(log.frames(after: cursor)) == [])
        log.append(durable("m2"))
        log.append(position("a", "a1"))
        #expect(texts(log.frames(after: cursor)) == ["m2", "a1"])
    }

    @Test func `who is behind gets a little, and then the rest as it is by then`() {
        var log = ChannelLog()
        for number in 0..<10 { log.append(position("s\(number)", "p\(number)")) }
        let first = log.frames(after: 0, maxBytes: 13)
        #expect(texts(first) == ["p0", "p1", "p2"])
        log.append(position("s5", "new"))
        #expect(texts(log.frames(after: first.reached)) == ["p3", "p4", "p6", "p7", "p8", "p9", "new"])
    }

    @Test func `a frame larger than the limit still goes`() {
        var log = ChannelLog()
        log.append(durable(String(repeating: "x", count: 100)))
        #expect(log.frames(after: 0, maxBytes: 10).ends.count == 1)
    }

    @Test func `what everybody has is forgotten`() {
        var log = ChannelLog()
        for number in 0..<5 { log.append(durable("m\(number)")) }
        log.trim(upTo: 3)
        #expect(texts(log.frames(after: 0)) == ["m3", "m4"])
        #expect(log.lost == 0)
        log.trim(upTo: log.end)
        #expect(log.isEmpty)
    }

    @Test func `durable events are bounded and a watcher that falls off knows`() {
        var log = ChannelLog()
        log.append(position("a", "a1"))
        for number in 0..<(ChannelLog.maxDurableFrames + 5) { log.append(durable("m\(number)")) }
        #expect(log.lost == 6)
        let batch = log.frames(after: 0)
        #expect(batch.ends.count == ChannelLog.maxDurableFrames + 1)
        #expect(texts(batch).first == "a1")
    }

    @Test func `durable events are bounded by bytes too`() {
        var log = ChannelLog()
        let text = String(repeating: "x", count: 100_000)
        for _ in 0..<50 { log.append(durable(text)) }
        #expect(log.frames(after: 0).bytes.count <= ChannelLog.maxDurableBytes)
        #expect(log.lost > 0)
    }

    @Test func `a random run never loses a durable event nor the newest position`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var log = ChannelLog()
            var cursor: UInt64 = 0
            var expectedDurable: [String] = []
            var seen: [String] = []
            var newest: [String: String] = [:]
            var known: [String: String] = [:]
            for step in 0..<200 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    log.append(durable("m\(step)"))
                    expectedDurable.append("m\(step)")
                case 1, 2:
                    let share = "s\(Int.random(in: 0..<5, using: &random))"
                    log.append(position(share, "\(share)@\(step)"))
                    newest[share] = "\(share)@\(step)"
                default:
                    let batch = log.frames(after: cursor, maxBytes: Int.random(in: 1..<60, using: &random))
                    let count = Int.random(in: 0...batch.ends.count, using: &random)
                    for text in texts(batch).prefix(count) {
                        seen.append(text)
                        if let at = text.firstIndex(of: "@") { known[String(text[..<at])] = text }
                    }
                    cursor = batch.cursor(after: count, from: cursor)
                    if Bool.random(using: &random) { log.trim(upTo: cursor) }
                }
            }
            for text in texts(log.frames(after: cursor)) {
                seen.append(text)
                if let at = text.firstIndex(of: "@") { known[String(text[..<at])] = text }
            }
            #expect(seen.filter { $0.hasPrefix("m") } == expectedDurable)
            #expect(known == newest)
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
            if case .channelLost = $0 { true } else { false }
        }
        #expect(lost.count == 1)
    }
}
