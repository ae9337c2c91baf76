import Testing
import YonderRules

private func at(_ seconds: Double) -> Timestamp { Timestamp(milliseconds: Int64(seconds * 1000)) }

struct ClockCorrectionTests {
    @Test(arguments: [
        (0.0, 0.0), (2.0, 0), (-2.0, 0), (2.001, 2.001), (-60, -60), (600, 600),
    ])
    func `a clock off by more than two seconds is corrected`(behind: Double, shift: Double) {
        let correction = ClockCorrection(sentAt: at(1000 - behind), now: at(1000))
        #expect(correction.shift == Int64(shift * 1000))
        #expect(correction.corrected(at(50)) == at(50 + shift))
    }

    @Test func `without sent_at nothing is shifted`() {
        #expect(ClockCorrection(sentAt: nil, now: at(1000)).shift == 0)
    }

    @Test(
        arguments: [
            (nil, 1000.0), (999, 999), (1060, 1060), (1060.001, 1000), (5, 5), (4_000_000, 1000),
        ] as [(Double?, Double)])
    func `a fix measured over a minute ahead counts at its arrival`(recorded: Double?, expected: Double) {
        let correction = ClockCorrection(sentAt: nil, now: at(1000))
        #expect((correction.measured(recorded.map(at), arrival: at(1000)) ?? at(1000)) == at(expected))
    }
}

struct ShareLifetimeTests {
    @Test func `a share is on until its end and not a millisecond longer`() {
        let share = ShareLifetime(startedAt: at(0), endAt: at(60))
        #expect(share.isActive(at: at(59.999)))
        #expect(!share.isActive(at: at(60)))
        #expect(share.isDue(at: at(60)) && !share.isDue(at: at(59.999)))
        let stopped = ShareLifetime(startedAt: at(0), endAt: at(60), endedAt: at(10))
        #expect(!stopped.isActive(at: at(5)) && !stopped.isDue(at: at(61)))
    }

    @Test(arguments: [
        (57.999, false), (58, true), (60, true), (28_800, true), (28_802, true), (28_802.001, false),
        (-5, false),
    ])
    func `a share lasts a minute to eight hours, with two seconds of grace`(
        seconds: Double, allowed: Bool
    ) {
        #expect(ShareLimits().allows(endAt: at(100 + seconds), startingAt: at(100)) == allowed)
    }

    @Test func `times at the ends of the scale do not overflow`() {
        let far = Timestamp(milliseconds: .max)
        let early = Timestamp(milliseconds: .min)
        #expect(far.advanced(bySeconds: 1) == far)
        #expect(early.advanced(byMilliseconds: -1) == early)
        #expect(far.milliseconds(since: early) == .max)
        #expect(early.milliseconds(since: far) == .min)
        #expect(!ShareLimits().allows(endAt: far, startingAt: early))
    }
}

struct FixVerdictTests {
    @Test(arguments: [
        (20.0, FixVerdict.apply), (10, .duplicate), (9.999, .older), (-5, .older), (-5.001, .beforeStart),
    ])
    func `a fix is judged by when it was measured`(measured: Double, verdict: FixVerdict) {
        let share = ShareLifetime(startedAt: at(0), endAt: at(60))
        #expect(
            FixVerdict(measuredAt: at(measured), lastMeasuredAt: at(10), lifetime: share, now: at(30))
                == verdict)
    }

    @Test func `nothing moves a share that is over`() {
        let due = ShareLifetime(startedAt: at(0), endAt: at(60))
        let stopped = ShareLifetime(startedAt: at(0), endAt: at(60), endedAt: at(20))
        for (share, now) in [(due, at(60)), (stopped, at(30))] {
            #expect(
                FixVerdict(measuredAt: at(50), lastMeasuredAt: at(10), lifetime: share, now: now) == .ended)
        }
    }
}

struct FreshnessTests {
    @Test(
        arguments: [
            (30.0, nil, false), (30.001, nil, true), (60, 30, false), (60.001, 30, true), (29, 1, false),
        ] as [(Double, Double?, Bool)])
    func `a position is stale after twice its promise but never before 30 s`(
        age: Double, nextWithin: Double?, stale: Bool
    ) {
        #expect(Freshness.isStale(recordedAt: at(0), nextWithin: nextWithin, now: at(age)) == stale)
    }
}

struct ServerTimeTests {
    @Test func `before the server has said its time nobody knows it`() {
        let time = ServerTime()
        #expect(time.now(at: 5) == nil && time.offset == nil)
    }

    @Test(arguments: [(500, 500), (-300, 0), (-60_000, 0), (60_000, 60_000)] as [(Int64, Int64)])
    func `a reading that was long on its way counts less`(_ late: Int64, _ offset: Int64) {
        var time = ServerTime()
        time.heard(at(100), at: 7)
        time.heard(at(125).advanced(byMilliseconds: late), at: 25_007)
        #expect(time.now(at: 25_007) == at(125).advanced(byMilliseconds: offset))
    }

    @Test func `a server whose clock was set back is believed at the fifth time`() {
        var time = ServerTime()
        time.heard(at(1_000), at: 0)
        for _ in 1..<ServerTime.memory { time.heard(at(10), at: 0) }
        #expect(time.now(at: 0) == at(1_000))
        time.heard(at(10), at: 0)
        #expect(time.now(at: 0) == at(10))
    }

    @Test func `after a restart the next reading counts alone`() {
        var time = ServerTime()
        time.heard(at(1_000), at: 0)
        time.restart()
        #expect(time.now(at: 0) == nil)
        time.heard(at(10), at: 0)
        #expect(time.now(at: 0) == at(10))
    }
}
