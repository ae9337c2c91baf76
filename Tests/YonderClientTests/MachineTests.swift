import Testing
import YonderModel
import YonderRules

@testable import YonderClient

struct UpdateThrottleTests {
    private let start = ContinuousClock.now
    private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }
    private func place(_ number: Int) -> LocationInfo { LocationInfo(latitude: Double(number), longitude: 0) }

    @Test func `the first position goes at once and the newest at the interval's end`() {
        var throttle = UpdateThrottle(interval: .seconds(2))
        #expect(throttle.next(now: at(0)) == .idle)
        #expect(throttle.offer(place(1)) == 1)
        #expect(throttle.next(now: at(0)) == .send(place(1), ticket: 1))
        for number in 2...9 { _ = throttle.offer(place(number)) }
        #expect(throttle.next(now: at(100)) == .idle)
        throttle.finished(now: at(150))
        #expect(throttle.next(now: at(150)) == .wait(until: at(2_000)))
        #expect(throttle.next(now: at(1_999)) == .wait(until: at(2_000)))
        #expect(throttle.next(now: at(2_000)) == .send(place(9), ticket: 9))
        throttle.finished(now: at(2_010))
        #expect(throttle.next(now: at(9_000)) == .idle)
    }

    @Test(arguments: [1, 7, 100, 1_999, 2_001])
    func `no two requests are closer than the interval whatever the rate`(_ step: Int) {
        var throttle = UpdateThrottle(interval: .seconds(2))
        var sent: [Int] = []
        for time in stride(from: 0, to: 60_000, by: step) {
            _ = throttle.offer(place(time % 90))
            if case .send = throttle.next(now: at(time)) {
                sent.append(time)
                throttle.finished(now: at(time))
            }
        }
        #expect(zip(sent, sent.dropFirst()).allSatisfy { $1 - $0 >= 2_000 })
        #expect(sent.count >= 60_000 / (2_000 + 2 * step))
    }

    @Test func `a slow request is never joined by a second one`() {
        var throttle = UpdateThrottle(interval: .seconds(2))
        _ = throttle.offer(place(1))
        _ = throttle.next(now: at(0))
        _ = throttle.offer(place(2))
        #expect(throttle.next(now: at(10_000)) == .idle)
        throttle.finished(now: at(10_000))
        #expect(throttle.next(now: at(10_000)) == .send(place(2), ticket: 2))
    }

    @Test func `a failed position is sent again unless a newer one waits`() {
        var throttle = UpdateThrottle(interval: .milliseconds(100))
        _ = throttle.offer(place(1))
        _ = throttle.next(now: at(0))
        throttle.failed(place(1), ticket: 1, retryAfter: nil, jitter: 1, now: at(10))
        #expect(throttle.next(now: at(10)) == .wait(until: at(1_010)))
        #expect(throttle.next(now: at(1_010)) == .send(place(1), ticket: 1))
        _ = throttle.offer(place(2))
        throttle.failed(place(1), ticket: 1, retryAfter: .seconds(7), jitter: 1, now: at(1_020))
        #expect(throttle.next(now: at(1_020)) == .wait(until: at(8_020)))
        throttle.connectionReturned()
        #expect(throttle.next(now: at(1_030)) == .send(place(2), ticket: 2))
    }

    @Test(arguments: [(3_600, 30), (-5, 2), (0, 2), (7, 7)])
    func `a share never falls silent for long whatever the server asks`(_ asked: Int, _ waits: Int) {
        var throttle = UpdateThrottle(interval: .seconds(2))
        _ = throttle.offer(place(1))
        _ = throttle.next(now: at(0))
        throttle.failed(place(1), ticket: 1, retryAfter: .seconds(asked), jitter: 1, now: at(0))
        #expect(throttle.next(now: at(0)) == .wait(until: at(waits * 1_000)))
    }

    @Test func `a connection that returns ends a wait that the server asked for`() {
        var throttle = UpdateThrottle(interval: .seconds(2))
        _ = throttle.offer(place(1))
        _ = throttle.next(now: at(0))
        throttle.failed(place(1), ticket: 1, retryAfter: .seconds(20), jitter: 1, now: at(0))
        throttle.connectionReturned()
        #expect(throttle.next(now: at(10)) == .send(place(1), ticket: 1))
    }

    @Test func `what was dropped is not sent`() {
        var throttle = UpdateThrottle(interval: .seconds(2))
        _ = throttle.offer(place(1))
        throttle.drop()
        #expect(throttle.next(now: at(0)) == .idle)
    }
}

struct ReconnectBackoffTests {
    @Test func `waits double up to thirty seconds and begin again after a success`() {
        var backoff = ReconnectBackoff()
        for whole in [1, 2, 4, 8, 16, 30, 30, 30] { #expect(backoff.failed(jitter: 1) == .seconds(whole)) }
        backoff.succeeded()
        #expect(backoff.failed(jitter: 0) == .milliseconds(500))
    }

    @Test(arguments: [-3.0, 0, 0.25, 1, 9]) func `jitter stays between half and all`(_ jitter: Double) {
        var backoff = ReconnectBackoff()
        for whole in [1, 2, 4, 8, 16, 30, 30] {
            let wait = backoff.failed(jitter: jitter)
            #expect(wait >= .milliseconds(whole * 500) && wait <= .seconds(whole))
        }
    }
}

struct ServerClockTests {
    private let start = ContinuousClock.now
    private let noon = Timestamp(milliseconds: 1_790_000_000_000)

    @Test func `the server's time goes on by itself`() {
        var clock = ServerClock()
        #expect(clock.now(at: start) == nil)
        clock.heard(noon, at: start)
        #expect(clock.now(at: start + .milliseconds(1_234)) == noon.advanced(byMilliseconds: 1_234))
    }

    @Test(
        arguments: [
            (500, 500), (-300, 0), (-1_999, 0), (-2_001, 0), (-60_000, 0), (60_000, 60_000),
        ] as [(Int64, Int64)])
    func `a reading that was long on its way counts less`(_ offset: Int64, _ expected: Int64) {
        var clock = ServerClock()
        clock.heard(noon, at: start)
        let later = start + .seconds(25)
        clock.heard(noon.advanced(byMilliseconds: 25_000 + offset), at: later)
        #expect(clock.now(at: later) == noon.advanced(byMilliseconds: 25_000 + expected))
    }
}

struct EventLedgerTests {
    private let berlin = ChannelId(type: "messaging", id: "berlin")
    private let other = ChannelId(type: "messaging", id: "other")

    @Test func `each event passes once over a reconnection`() {
        var ledger = EventLedger()
        ledger.subscribe(to: berlin)
        #expect(ledger.since == [:])
        ledger.stateReceived(berlin, seq: 4)
        #expect(ledger.admit([5]) == [true])
        #expect(ledger.admit([5]) == [false])
        ledger.connectionOpened()
        #expect(ledger.since == [berlin: 5])
        #expect(ledger.admit([4, 5, 6, 7]) == [false, false, true, true])
        ledger.stateReceived(berlin, seq: 7)
        #expect(ledger.admit([7, 8]) == [false, true])
    }

    @Test func `an own event that comes before the replay hides nothing and comes once`() {
        var ledger = EventLedger()
        ledger.subscribe(to: berlin)
        ledger.stateReceived(berlin, seq: 4)
        ledger.connectionOpened()
        #expect(ledger.admit([6]) == [true])
        #expect(ledger.since == [berlin: 4])
        #expect(ledger.admit([5, 6, 7]) == [true, false, true])
    }

    @Test func `a server that lost events is believed`() {
        var ledger = EventLedger()
        ledger.subscribe(to: berlin)
        ledger.stateReceived(berlin, seq: 100)
        ledger.connectionOpened()
        ledger.resyncReceived(berlin)
        ledger.stateReceived(berlin, seq: 3)
        #expect(ledger.admit([3, 4]) == [false, true])
        #expect(ledger.since == [berlin: 4])
    }

    @Test func `channels that are not subscribed pass`() {
        var ledger = EventLedger()
        let passes = [ledger.admits(other, seq: 1), ledger.admits(other, seq: 1)]
        #expect(passes == [true, true])
        ledger.stateReceived(other, seq: 9)
        #expect(ledger.channels == [])
        ledger.subscribe(to: berlin)
        ledger.unsubscribe(from: berlin)
        #expect(ledger.channels == [])
    }
}

struct TokenTests {
    @Test(
        arguments: [
            ("e30.eyJzdWIiOiJhbm5hIn0.x", "anna"), ("e30.eyJzdWIiOiJhIn0.", "a"),
            ("e30.eyJzdWIiOiIifQ.x", nil), ("e30.e30.x", nil), ("e30.!.x", nil), ("a.b", nil), ("", nil),
            ("a.b.c.d", nil),
        ] as [(String, String?)])
    func `the user is read from the claims`(_ token: String, _ user: String?) {
        #expect(Token(token).userId?.rawValue == user)
    }

    @Test func `a token shows itself nowhere`() {
        let token: Token = "e30.secret.x"
        #expect(
            !"\(token) \(String(reflecting: token)) \(Mirror(reflecting: token).children.count)".contains(
                "secret"))
        var dumped = ""
        dump(token, to: &dumped)
        #expect(!dumped.contains("secret"))
    }
}

extension EventLedger {
    fileprivate mutating func admit(_ numbers: [Int64]) -> [Bool] {
        numbers.map { admits(ChannelId(type: "messaging", id: "berlin"), seq: $0) }
    }
}
