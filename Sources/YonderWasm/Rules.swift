#if hasFeature(Embedded)
    import YonderRules

    // Times are milliseconds since 1970, NaN for none.

    private func moment(_ milliseconds: Double) -> Timestamp? {
        abs(milliseconds) < 8.64e15 ? Timestamp(milliseconds: Int64(milliseconds)) : nil
    }

    /// Whether a share is on: nothing ended it, and its end is still to come.
    @_expose(wasm, "rule_is_active") func ruleIsActive(_ endAt: Double, _ endedAt: Double, _ now: Double)
        -> Bool
    {
        guard let endAt = moment(endAt), let now = moment(now) else { return false }
        return ShareLifetime(startedAt: endAt, endAt: endAt, endedAt: moment(endedAt)).isActive(at: now)
    }

    /// Seconds that a position stays fresh; NaN: its sender promised nothing.
    @_expose(wasm, "rule_fresh_seconds") func ruleFreshSeconds(_ nextWithin: Double) -> Double {
        Freshness.seconds(expectedWithin: nextWithin.known)
    }

    /// Whether a position is too old to look fresh.
    @_expose(wasm, "rule_is_stale")
    func ruleIsStale(_ recordedAt: Double, _ nextWithin: Double, _ now: Double) -> Bool {
        guard let recordedAt = moment(recordedAt), let now = moment(now) else { return false }
        return Freshness.isStale(recordedAt: recordedAt, nextWithin: nextWithin.known, now: now)
    }

    /// Whether a position takes another one's place; where one has no time it does.
    @_expose(wasm, "rule_is_newer") func ruleIsNewer(_ measuredAt: Double, _ lastMeasuredAt: Double) -> Bool {
        guard let measuredAt = moment(measuredAt), let last = moment(lastMeasuredAt) else { return true }
        return FixVerdict.isNewer(measuredAt, than: last)
    }

    private nonisolated(unsafe) var clocks: [ServerTime] = []

    /// A server's clock; says its number.
    @_expose(wasm, "clock_create") func clockCreate() -> Int32 {
        clocks.append(ServerTime())
        return Int32(clocks.count - 1)
    }

    /// The server said its time, at a moment of the device's clock.
    @_expose(wasm, "clock_heard") func clockHeard(_ clock: Int32, _ time: Double, _ device: Double) {
        guard clocks.indices.contains(Int(clock)), let time = moment(time), let device = moment(device) else {
            return
        }
        clocks[Int(clock)].heard(time, at: device.milliseconds)
    }

    /// The device's clock has jumped, or another server speaks.
    @_expose(wasm, "clock_restart") func clockRestart(_ clock: Int32) {
        if clocks.indices.contains(Int(clock)) { clocks[Int(clock)].restart() }
    }

    /// Milliseconds to add to the device's clock; NaN before the server has said anything.
    @_expose(wasm, "clock_offset") func clockOffset(_ clock: Int32) -> Double {
        guard clocks.indices.contains(Int(clock)), let offset = clocks[Int(clock)].offset else { return .nan }
        return Double(offset)
    }
#endif
