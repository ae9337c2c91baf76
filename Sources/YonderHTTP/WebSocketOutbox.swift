/// Bytes that wait for the kernel: whole frames, of which the first may have gone in part.
struct WebSocketOutbox {
    private var bytes: [UInt8] = []
    private var sent = 0
    private var ends: [Int] = []

    var isEmpty: Bool { bytes.isEmpty }
    var count: Int { bytes.count - sent }

    /// Appends one frame, or several that may only go together.
    mutating func append(_ frame: some Collection<UInt8>) {
        bytes.append(contentsOf: frame)
        ends.append(bytes.count)
    }

    /// Appends the rest of a frame whose beginning has gone to the kernel already.
    mutating func appendRest(_ rest: some Collection<UInt8>) {
        precondition(isEmpty, "the rest of a frame behind another one")
        // A byte that counts as sent says that the frame is under way.
        bytes.append(0)
        sent = 1
        append(rest)
    }

    /// Forgets the frames of which nothing has gone.
    mutating func dropUnstarted() {
        let started = sent == 0 || ends.contains(sent) ? sent : ends.first { $0 > sent } ?? sent
        bytes.removeSubrange(started...)
        ends.removeAll { $0 > started }
        freeIfSent()
    }

    /// Offers what waits to `send`, which says how many bytes it took.
    mutating func flush(_ send: (UnsafeRawBufferPointer) -> Int) {
        guard !isEmpty else { return }
        sent += bytes.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
        freeIfSent()
    }

    private mutating func freeIfSent() {
        if sent == bytes.count { self = WebSocketOutbox() }
    }
}
