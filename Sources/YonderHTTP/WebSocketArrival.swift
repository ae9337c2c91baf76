import Glibc

/// A socket on its way from the HTTP server to a loop.
struct WebSocketArrival: Sendable {
    /// The receiver's to close; non-blocking.
    let descriptor: Int32
    /// What came behind the handshake.
    let early: [UInt8]
    let context: any Sendable

    /// Without TCP_NODELAY a small frame waits 40 ms for an ACK. Without TCP_NOTSENT_LOWAT the kernel
    /// hoards 3 MB for a slow reader, seconds of positions that are stale before they leave.
    func setOptions() {
        set(TCP_NODELAY, 1)
        set(TCP_NOTSENT_LOWAT, 8192)
    }

    private func set(_ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, Int32(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
