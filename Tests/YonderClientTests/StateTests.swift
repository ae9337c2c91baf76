import Foundation
import Testing
import YonderModel
import YonderRules
import YonderTestSupport

@testable import YonderClient

struct FixQueueTests {
    private let share = MessageId("m1")!

    private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test func `at most one fix a second is kept, whichever way the clock runs`() {
        var queue = FixQueue()
        let taken = [0, 400, 999, 1_000, 1_500, 2_000, 1_800, 900].map { (time: Int64) in
            queue.offer(place(1), recordedAt: self.time(time), to: [share]) != nil
        }
        #expect(taken == [true, false, false, true, false, true, false, true])
    }

    @Test func `a fix whose time is no time is taken like any other`() {
        var queue = FixQueue()
        for time in [.now, Timestamp(Date(timeIntervalSince1970: .nan)), time(.max), time(.min)] {
            #expect(queue.offer(place(1), recordedAt: time, to: [share]) != nil)
        }
    }

    @Test func `a full queue drops every second one of its older half`() {
        var queue = FixQueue()
        for number in 0..<10_000 {
            _ = queue.offer(place(0), recordedAt: time(Int64(number) * 1_000), to: [share])
        }
        #expect(queue.fixes.count == 10_000)
        let dropped = queue.offer(place(0), recordedAt: time(10_000_000), to: [share])?.dropped
        #expect(dropped?.count == 2_500)
        #expect(queue.fixes.count == 7_501)
        #expect(queue.fixes.prefix(3).map(\.recordedTime) == [time(1_000), time(3_000), time(5_000)])
        #expect(queue.fixes.suffix(5_001).map(\.recordedTime) == (5_000...10_000).map { time($0 * 1_000) })
        #expect(Set(queue.fixes.map(\.id)).isDisjoint(with: dropped ?? []))
    }

    @Test func `a batch is the newest ones, without those whose share the server does not know`() {
        var queue = FixQueue()
        let other = MessageId("m2")!
        for number in 0..<1_500 {
            _ = queue.offer(
                place(0), recordedAt: time(Int64(number) * 1_000), to: [number < 1_400 ? share : other])
        }
        #expect(queue.batch(without: []).map(\.recordedTime) == (500..<1_500).map { time($0 * 1_000) })
        #expect(queue.batch(without: [other]).map(\.recordedTime) == (400..<1_400).map { time($0 * 1_000) })
    }

    @Test func `a share that is over gets none of what waits, the others get all`() {
        var queue = FixQueue()
        let other = MessageId("m2")!
        _ = queue.offer(place(0), recordedAt: time(0), to: [share])
        _ = queue.offer(place(0), recordedAt: time(1_000), to: [share, other])
        _ = queue.offer(place(0), recordedAt: time(2_000), to: [other])
        let (changed, dropped) = queue.forget(share)
        #expect(dropped == [1] && changed.map(\.id) == [2])
        #expect(queue.fixes.map(\.shares) == [[other], [other]])
        #expect(!queue.concerns(share) && queue.concerns(other))
    }

    @Test func `a fix that was sent on its own still waits for the shares that have not got it`() {
        var queue = FixQueue()
        let other = MessageId("m2")!
        _ = queue.offer(place(0), recordedAt: time(0), to: [share, other])
        #expect(queue.sent(recordedAt: time(0), to: [share])?.shares == [other])
        #expect(!queue.concerns(share) && queue.concerns(other))
        #expect(queue.sent(recordedAt: time(0), to: [other])?.shares == [])
        #expect(queue.isEmpty)
    }

    @Test func `numbers go on where an earlier run has left off`() {
        var first = FixQueue()
        _ = first.offer(place(0), recordedAt: time(0), to: [share])
        _ = first.offer(place(0), recordedAt: time(1_000), to: [share])
        var second = FixQueue(first.fixes)
        #expect(second.offer(place(0), recordedAt: time(1_500), to: [share]) == nil)
        #expect(second.offer(place(0), recordedAt: time(2_000), to: [share])?.fix.id == 3)
    }
}

struct TimelineTests {
    private func ids(_ range: Range<Int>) -> [MessageId] { range.map { MessageId("m\($0)")! } }
    private func number(_ id: MessageId) -> Int { Int(id.rawValue.dropFirst())! }

    @Test func `a page that reaches what is known joins it, and what came meanwhile stays behind`() {
        var timeline = Timeline(ids(0..<10) + ids(15..<17))
        timeline.merge(newest: ids(5..<15), isLast: false) { _ in false }
        #expect(timeline.ids == ids(0..<17))
    }

    @Test func `a page beyond a gap takes the place of what is known`() {
        var timeline = Timeline(ids(0..<10))
        timeline.merge(newest: ids(20..<30), isLast: false) { self.number($0) > 29 }
        #expect(timeline.ids == ids(20..<30))
        #expect(!timeline.reachesBeginning)
    }

    @Test func `older pages go before, twice is once, and an incomplete one is the beginning`() {
        var timeline = Timeline(ids(20..<30))
        timeline.prepend(ids(10..<20), isLast: false)
        timeline.prepend(ids(10..<20), isLast: false)
        #expect(timeline.ids == ids(10..<30) && !timeline.reachesBeginning)
        timeline.prepend([], isLast: true)
        #expect(timeline.ids == ids(10..<30) && timeline.reachesBeginning)
    }

    /// Any page of the server's list at any moment, any events: the run is always one without gaps.
    @Test(arguments: 0..<50)
    func `whatever is read and whenever, the run has no gap and no double`(_ seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        var count = 40
        var timeline = Timeline()
        for _ in 0..<200 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:  // a page that was read some moments ago
                // After it was subscribed to.
                let end = max(40, count - Int.random(in: 0..<5, using: &random))
                let start = max(0, end - 10)
                timeline.merge(newest: ids(start..<end), isLast: start == 0) { self.number($0) >= end }
            case 1:
                guard let first = timeline.ids.first.map(number) else { continue }
                let start = max(0, first - 10)
                timeline.prepend(ids(start..<first), isLast: start == 0)
            default:  // an event, which come in order; without any page it begins a run of its own
                timeline.append(MessageId("m\(count)")!)
                count += 1
            }
            let numbers = timeline.ids.map(number)
            #expect(numbers == Array((numbers.first ?? 0)..<((numbers.last ?? -1) + 1)))
        }
    }
}

struct SharingMonitorTests {
    private func messages(_ ids: [String]) -> [ChatMessage] {
        ids.map { id in
            let message = try! WireJSON.decode(
                Message.self, from: Array(Sample.message(id, location: Sample.location(id)).utf8))
            return ChatMessage(message, currentUserId: UserId("anna"))
        }
    }

    /// `+` began, `-` ended, a number the shares that are on.
    @Test(
        arguments: [
            ([["a"]], "+1"), ([["a"], ["a"]], "+1"), ([["a"], ["a", "b"], ["b"], []], "+1210-"),
            ([[], ["a"], [], ["a"]], "+10-+1"), ([["a"], ["b"]], "+11"), ([[]], ""),
        ] as [([[String]], String)])
    func `sharing begins once and ends once whatever the number in between`(
        _ sets: [[String]], _ told: String
    ) {
        var monitor = SharingMonitor()
        let notices = sets.flatMap { monitor.update(messages($0)) }
        #expect(
            notices.map { notice in
                switch notice {
                case .started: "+"
                case .changed(let messages): String(messages.count)
                case .stopped: "-"
                }
            }.joined() == told)
    }
}

struct ChatStateTests {
    private static let cid = ChannelId(type: "messaging", id: "berlin")

    private func state() -> ChatState {
        var state = ChatState(deviceId: DeviceId("phone")!, onlyCurrentDevice: true)
        state.userId = UserId("anna")
        state.now = .now
        return state
    }

    private func message(_ id: String, text: String = "", location: String? = nil) -> Message {
        try! WireJSON.decode(
            Message.self, from: Array(Sample.message(id, text: text, location: location).utf8))
    }

    @Test(arguments: [(Int.max, 1), (0, -1)])
    func `a number of members beyond all bounds is no crash`(_ known: Int, _ change: Int) throws {
        var state = state()
        var channel = try WireJSON.decode(Channel.self, from: Array(Sample.channel.utf8))
        channel.memberCount = known
        state.merge(channel)
        let bob = Member(
            user: User(id: UserId("bob")!, name: "Bob", role: .user, createdTime: .now), role: .member,
            joinedTime: .now)
        let event = MemberEvent(channelId: Self.cid, seq: 4, member: bob)
        state.apply(change > 0 ? .memberAdded(event) : .memberRemoved(event))
        #expect(state.channels[Self.cid]?.memberCount == 0)
    }

    private func event(_ seq: Int64, _ message: Message) -> ServerEvent {
        .messageNew(MessageEvent(channelId: Self.cid, seq: seq, message: message))
    }

    @Test func `what is told twice changes nothing the second time`() {
        var state = state()
        let told = event(1, message("m1", text: "hi", location: Sample.location("m1")))
        state.apply(told)
        _ = state.takeChanges()
        state.apply(told)
        #expect(state.takeChanges().isEmpty)
        #expect(state.chatMessages(Self.cid).count == 1)
    }

    @Test func `an old position never comes after a newer one`() {
        var state = state()
        state.apply(event(1, message("m1", location: Sample.location("m1"))))
        func update(_ latitude: Double, at time: Timestamp) -> ServerEvent {
            .locationUpdated(
                LocationUpdate(
                    channelId: Self.cid, messageId: MessageId("m1")!, userId: UserId("anna")!,
                    position: Position(coordinate: Coordinate(latitude: latitude, longitude: 0)!),
                    recordedTime: time))
        }
        let time = Timestamp.now
        state.apply(update(5, at: time))
        state.apply(update(4, at: time.advanced(byMilliseconds: -1)))
        state.merge(message("m1", location: Sample.location("m1")))
        #expect(state.location(MessageId("m1")!)?.latitude == 5)
    }

    @Test func `a share that has ended does not come back by what was said before`() {
        var state = state()
        state.apply(event(1, message("m1", location: Sample.location("m1"))))
        #expect(state.ownShares.count == 1)
        var ended = Sample.share("m1", active: false)
        ended.updatedTime = Timestamp.now
        state.apply(
            .locationEnded(
                LocationEvent(channelId: Self.cid, seq: 2, messageId: MessageId("m1")!, location: ended)))
        state.merge(message("m1", location: Sample.location("m1")))
        #expect(state.ownShares == [])
    }

    @Test func `a deleted message takes its share, and what quotes it shows nothing of it`() throws {
        var state = state()
        let shared = message("m1", text: "secret", location: Sample.location("m1"))
        state.apply(event(1, shared))
        var quote = message("m2", text: "look")
        quote.quotedMessage = shared
        state.apply(event(2, quote))
        #expect(state.chatMessage(MessageId("m2")!)?.quotedMessage?.sharedLocation?.latitude == 1)
        var tombstone = shared
        tombstone.deletedTime = .now
        state.apply(
            .messageDeleted(MessageEvent(channelId: Self.cid, seq: 3, message: tombstone.asSeen(at: .now))))
        #expect(state.chatMessages(Self.cid).map(\.id.rawValue) == ["m2"])
        let quoted = try #require(state.chatMessage(MessageId("m2")!)?.quotedMessage)
        #expect(quoted.sharedLocation == nil && quoted.text == "")
        #expect(state.ownShares == [])
    }

    @Test func `a share ends by the clock and whoever observes is told once`() throws {
        var state = state()
        state.apply(event(1, message("m1", location: Sample.location("m1"))))
        _ = state.takeChanges()
        let end = try #require(state.nextEnd)
        state.now = end.advanced(byMilliseconds: -1)
        state.expire()
        #expect(state.takeChanges().isEmpty && state.ownShares.count == 1)
        state.now = end
        state.expire()
        let changes = state.takeChanges()
        #expect(
            changes.count {
                if case .message(.update(let message)) = $0 {
                    message.sharedLocation?.isLiveSharingActive == false
                } else {
                    false
                }
            } == 1)
        #expect(changes.count { if case .ownShares = $0 { true } else { false } } == 1)
        state.expire()
        #expect(state.takeChanges().isEmpty)
    }

    @Test func `someone else's shares and another device's are not one's own`() {
        var state = state()
        for (id, user, device) in [("a", "anna", "phone"), ("b", "anna", "laptop"), ("c", "bob", "phone")] {
            state.merge(Sample.share(id, user: user, device: device))
        }
        #expect(state.ownShares.map(\.messageId.rawValue) == ["a"])
        #expect(state.activeShares { _ in true }.count == 3)
    }
}

struct TokenKeeperTests {
    @Test func `of many who ask at once the app is asked once`() async throws {
        let asked = ManualCounter()
        let keeper = TokenKeeper(Token("old"), of: UserId("anna")!) { _ in
            asked.add()
            try await Task.sleep(for: .milliseconds(50))
            return Token("new")
        }
        let refusal = ClientError(.server(.tokenExpired), "over")
        let tokens = await withTaskGroup(of: Token?.self) { group in
            for _ in 0..<20 {
                group.addTask { try? await keeper.replacement(for: Token("old"), after: refusal) }
            }
            return await group.reduce(into: Set<Token?>()) { $0.insert($1) }
        }
        #expect(tokens == [Token("new")])
        #expect(asked.count == 1)
    }

    @Test func `an app that fails to give one is asked again, and one of another user is refused`()
        async throws
    {
        struct Down: Error {}
        let refusal = ClientError(.server(.tokenExpired), "over")
        let down = TokenKeeper(Token("old"), of: UserId("anna")!) { _ in throw Down() }
        let failure = await #expect(throws: ClientError.self) {
            try await down.replacement(for: Token("old"), after: refusal)
        }
        #expect(failure?.code == .tokenUnavailable && failure?.isPassing == true)
        let wrong = TokenKeeper(Token("old"), of: UserId("bob")!) { _ in Token(Sample.token) }
        let other = await #expect(throws: ClientError.self) {
            try await wrong.replacement(for: Token("old"), after: refusal)
        }
        #expect(other?.code == .invalidToken)
    }
}
