import Testing
import YonderModel
import YonderTestSupport

@testable import YonderFanout

/// Many come, watch, cease and go while others publish.
struct FanoutCrowdTests {
    private final class Member {
        let watcher: Watcher
        /// Numbers published in each channel when it began to watch, and when it ceased.
        var spans: [ChannelId: [(from: Int, to: Int?)]] = [:]

        init(_ watcher: Watcher) { self.watcher = watcher }
    }

    private static let channels = (0..<4).map { ChannelId(type: "team", id: "c\($0)") }

    private func expectNoGap(_ member: Member, in channel: ChannelId, published: Int) {
        let prefix = channel.id + ":"
        let numbers = member.watcher.heard.filter { $0.hasPrefix(prefix) && !$0.contains("@") }
            .map { Int($0.dropFirst(prefix.count))! }
        var next = 0
        for span in member.spans[channel] ?? [] {
            var expected = span.from
            while next < numbers.count, numbers[next] == expected, expected < span.to ?? published {
                next += 1
                expected += 1
            }
            // Whoever ceases may not get what is not yet written.
            if span.to == nil { #expect(expected == published, "\(channel): the rest is missing") }
        }
        #expect(next == numbers.count, "\(channel): \(numbers) in \(member.spans[channel] ?? [])")
        let positions = member.watcher.heard.filter { $0.hasPrefix(prefix) && $0.contains("@") }
            .map { Int($0.drop { $0 != "@" }.dropFirst())! }
        #expect(
            zip(positions, positions.dropFirst()).allSatisfy { $0 <= $1 }, "\(channel): positions go back")
    }

    @Test(arguments: [1, 2])
    func `nothing is lost, doubled or out of order`(loops: Int) async throws {
        try await withStage(loops: loops, tick: .milliseconds(1)) { stage in
            var random = SplitMix(seed: 42)
            var members: [Member] = []
            var gone: [Member] = []
            var published = [Int](repeating: 0, count: Self.channels.count)
            for _ in 0..<3_000 {
                let index = Int.random(in: 0..<Self.channels.count, using: &random)
                let channel = Self.channels[index]
                let member = members.randomElement(using: &random)
                switch Int.random(in: 0..<40, using: &random) {
                case 0 where members.count < 30:
                    members.append(Member(try await Watcher(stage, "user\(members.count)")))
                case 1 where members.count > 10:
                    let leaver = members.remove(at: Int.random(in: 0..<members.count, using: &random))
                    leaver.watcher.drain()
                    gone.append(leaver)
                    leaver.watcher.hangUp()
                case 2...5:
                    guard let member, member.spans[channel]?.last.map({ $0.to != nil }) ?? true else {
                        continue
                    }
                    member.watcher.handle.watch([.channel(channel)], answer: Array("answer".utf8))
                    member.spans[channel, default: []].append((published[index], nil))
                    member.watcher.open(.channel(channel), with: ["open"])
                case 6:
                    guard let member, let last = member.spans[channel]?.last, last.to == nil else { continue }
                    member.watcher.handle.unwatch([.channel(channel)], answer: Array("answer".utf8))
                    member.spans[channel]![member.spans[channel]!.count - 1].to = published[index]
                case 7...14:
                    stage.position(of: "s\(index)", "\(channel.id):@\(published[index])", in: channel)
                    stage.durable("\(channel.id):\(published[index])", in: channel)
                    published[index] += 1
                case 15: member?.watcher.drain()
                default:
                    stage.durable("\(channel.id):\(published[index])", in: channel)
                    published[index] += 1
                }
            }
            for channel in Self.channels { stage.durable("done:\(channel.id)", in: channel) }
            for member in members {
                let open = Self.channels.filter { member.spans[$0]?.last.map { $0.to == nil } ?? false }
                try await member.watcher.listen { heard in
                    open.allSatisfy { heard.contains("done:\($0.id)") }
                }
                for (index, channel) in Self.channels.enumerated() {
                    expectNoGap(member, in: channel, published: published[index])
                }
            }
            for member in gone {
                for channel in Self.channels {
                    let prefix = channel.id + ":"
                    let numbers = member.watcher.heard.filter { $0.hasPrefix(prefix) && !$0.contains("@") }
                        .map { Int($0.dropFirst(prefix.count))! }
                    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
                }
            }
            #expect(await eventually { stage.fanout.connectionCount == members.count })
        }
    }
}
