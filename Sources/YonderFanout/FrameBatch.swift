/// Frames that lie one after another, as one write takes them.
struct FrameBatch {
    private(set) var bytes: [UInt8] = []
    /// Where each frame ends in `bytes`.
    private(set) var ends: [Int] = []
    /// The log's number of each frame.
    private(set) var numbers: [UInt64] = []
    /// The log's number that a watcher has reached once all of this is written.
    var reached: UInt64

    init(reached: UInt64) { self.reached = reached }

    mutating func append(_ frame: [UInt8], number: UInt64) {
        bytes.append(contentsOf: frame)
        ends.append(bytes.count)
        numbers.append(number)
    }

    /// Where a watcher stands once the first `count` frames are written.
    func cursor(after count: Int, from start: UInt64) -> UInt64 {
        if count == ends.count { return reached }
        return count == 0 ? start : numbers[count - 1]
    }
}
