import YonderModel
import YonderRules

/// A fix that waits to be sent in a batch.
struct QueuedFix: Codable, Hashable, Sendable {
    var id: Int64
    var location: LocationInfo
    /// When it was measured, on the device's clock.
    var recordedTime: Timestamp
    /// The shares that were on then; only they get it.
    var shares: [MessageId]
}

/// The fixes that are not sent one by one: those of a time without a connection, and those that the throttle
/// skipped where a share keeps its trail.
///
/// Keeps at most one a second, and 10,000; when it is full every second one of the older half goes.
struct FixQueue: Hashable {
    /// Most fixes that wait.
    static let capacity = 10_000
    /// Least milliseconds between two fixes.
    static let leastInterval: UInt64 = 1_000
    /// Most fixes that the server takes at once.
    static let batchSize = 1_000

    private(set) var fixes: [QueuedFix] = []
    private var lastId: Int64
    private var lastTime: Timestamp?
    /// Fewer than ``batchSize`` where the server said that as many are too large.
    private(set) var batchLimit = batchSize

    init(_ fixes: [QueuedFix] = []) {
        self.fixes = fixes
        lastId = fixes.map(\.id).max() ?? 0
        lastTime = fixes.last?.recordedTime
    }

    var isEmpty: Bool { fixes.isEmpty }

    /// Whether one waits that a share is to get, beside those for shares that the server does not know yet.
    func concerns(_ share: MessageId, without unknown: Set<MessageId> = []) -> Bool {
        fixes.contains { $0.shares.contains(share) && unknown.isDisjoint(with: $0.shares) }
    }

    /// Takes a fix, unless it comes within a second of the last one that was taken.
    ///
    /// - Returns: The fix with its number, and the numbers of those that went for it; `nil` = not taken.
    mutating func offer(
        _ location: LocationInfo, recordedAt time: Timestamp, to shares: [MessageId]
    ) -> (fix: QueuedFix, dropped: [Int64])? {
        if let lastTime, time.milliseconds(since: lastTime).magnitude < Self.leastInterval { return nil }
        var dropped: [Int64] = []
        if fixes.count >= Self.capacity {
            var kept: [QueuedFix] = []
            for (index, fix) in fixes.enumerated() {
                if index < fixes.count / 2, index.isMultiple(of: 2) {
                    dropped.append(fix.id)
                } else {
                    kept.append(fix)
                }
            }
            fixes = kept
        }
        lastId += 1
        lastTime = time
        let fix = QueuedFix(id: lastId, location: location, recordedTime: time, shares: shares)
        fixes.append(fix)
        return (fix, dropped)
    }

    /// What is to be sent next: the newest ones, so that pins jump to where people are.
    ///
    /// - Parameter unknown: Shares that the server does not know yet; their fixes wait.
    /// - Returns: At most ``batchLimit`` fixes, oldest first.
    func batch(without unknown: Set<MessageId>) -> [QueuedFix] {
        let ready = unknown.isEmpty ? fixes : fixes.filter { unknown.isDisjoint(with: $0.shares) }
        return Array(ready.suffix(batchLimit))
    }

    /// The server has dealt with some.
    mutating func sent(_ ids: Set<Int64>) { fixes.removeAll { ids.contains($0.id) } }

    /// The server has taken one that was measured then, on its own, for some shares; for others it still waits.
    ///
    /// - Returns: What waited here, with the shares that have not got it: none where it is gone.
    mutating func sent(recordedAt time: Timestamp, to shares: [MessageId]) -> QueuedFix? {
        guard let index = fixes.lastIndex(where: { $0.recordedTime == time }) else { return nil }
        fixes[index].shares.removeAll(where: shares.contains)
        return fixes[index].shares.isEmpty ? fixes.remove(at: index) : fixes[index]
    }

    /// A batch was too large: the next ones are half as long.
    ///
    /// - Returns: The number of the one that is too large even alone, and goes.
    mutating func wasTooLarge(_ batch: [QueuedFix]) -> Int64? {
        batchLimit = max(1, batch.count / 2)
        guard batch.count == 1, let only = batch.first else { return nil }
        sent([only.id])
        return only.id
    }

    /// A share is over: it gets no more fixes.
    ///
    /// - Returns: The fixes that are for other shares alone now, and the numbers of those that were for no other.
    mutating func forget(_ share: MessageId) -> (changed: [QueuedFix], dropped: [Int64]) {
        var changed: [QueuedFix] = []
        var dropped: [Int64] = []
        fixes = fixes.compactMap { fix in
            guard fix.shares.contains(share) else { return fix }
            var fix = fix
            fix.shares.removeAll { $0 == share }
            if fix.shares.isEmpty {
                dropped.append(fix.id)
                return nil
            }
            changed.append(fix)
            return fix
        }
        return (changed, dropped)
    }
}
