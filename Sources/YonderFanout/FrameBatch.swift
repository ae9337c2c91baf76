/// Frames that lie one after another, as one write takes them.
struct FrameBatch {
    /// Where in a log a frame comes from.
    enum Mark: Hashable {
        case event(UInt64)
        case slot(Int)
    }

    private(set) var bytes: [UInt8] = []
    /// Where each frame ends in `bytes`.
    private(set) var ends: [Int] = []
    private(set) var marks: [Mark] = []

    mutating func append(_ frame: [UInt8], _ mark: Mark) {
        bytes.append(contentsOf: frame)
        ends.append(bytes.count)
        marks.append(mark)
    }
}
