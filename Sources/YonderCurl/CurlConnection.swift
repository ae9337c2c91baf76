import CCurl

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A stream of bytes to a server that libcurl opened: TCP, TLS, proxies and certificates are its work.
///
/// Made, used and let go by one thread at a time; not Sendable. Only ``CurlWaker`` may be used from others.
public final class CurlConnection {
    /// What a read came to.
    public enum Received: Sendable, Hashable {
        /// One byte or more.
        case bytes([UInt8])
        /// Nothing at the moment.
        case nothing
        /// The peer sends no more.
        case end
    }

    private let easy = CurlEasy()
    private var socket: curl_socket_t = -1
    private var buffer = [UInt8](repeating: 0, count: 16_384)

    /// Connects; blocks until it stands.
    ///
    /// - Parameters:
    ///   - url: `http`, `https`, `ws` or `wss` with a host; the path does not matter.
    ///   - caFile: PEM file of the certificates to trust; `nil` = the system's.
    ///   - timeout: For the connection and TLS. Default 10 s.
    /// - Throws: `CurlError`.
    public init(url: String, caFile: String? = nil, timeout: Duration = .seconds(10)) throws(CurlError) {
        // CONNECT_ONLY is libcurl's for http alone; a WebSocket begins as one.
        let address =
            url.hasPrefix("ws:") || url.hasPrefix("wss:") ? "http" + url.dropFirst(2) : url
        try easy.prepare(url: address, schemes: "http,https", caFile: caFile, timeout: timeout)
        try easy.set(CURLOPT_TIMEOUT_MS, timeout.wholeMilliseconds)
        try easy.set(CURLOPT_CONNECT_ONLY, 1)
        try easy.perform()
        guard CCurl_getSocket(easy.handle, &socket) == CURLE_OK, socket >= 0 else {
            throw CurlError(.closed, "the connection has no socket")
        }
    }

    /// For whoever waits for many at once; the bytes themselves go through ``send(_:)`` and ``receive()``.
    package var descriptor: Int32 { socket }

    /// Sends what fits now.
    ///
    /// - Returns: How many bytes were taken; 0 where the socket takes none at the moment.
    /// - Throws: `CurlError` where the connection is over.
    public func send(_ bytes: ArraySlice<UInt8>) throws(CurlError) -> Int {
        var sent = 0
        let status = bytes.withUnsafeBytes { curl_easy_send(easy.handle, $0.baseAddress, $0.count, &sent) }
        if status == CURLE_AGAIN { return 0 }
        guard status == CURLE_OK else { throw CurlError(status) }
        return sent
    }

    /// Reads what is there now, at most 16 KiB.
    ///
    /// TLS may hold bytes that ``wait(toSend:timeout:waker:)`` cannot see: read until `.nothing` before
    /// waiting.
    ///
    /// - Throws: `CurlError` where the connection broke.
    public func receive() throws(CurlError) -> Received {
        var count = 0
        let status = curl_easy_recv(easy.handle, &buffer, buffer.count, &count)
        if status == CURLE_AGAIN { return .nothing }
        guard status == CURLE_OK else { throw CurlError(status) }
        return count == 0 ? .end : .bytes(Array(buffer[..<min(count, buffer.count)]))
    }

    /// Blocks until the socket has something to read, can be written where that is asked for, the waker
    /// is woken or the time is over.
    public func wait(toSend: Bool, timeout: Duration, waker: CurlWaker? = nil) {
        let events = Int16(POLLIN) | (toSend ? Int16(POLLOUT) : 0)
        var sockets = [pollfd(fd: socket, events: events, revents: 0)]
        if let waker { sockets.append(pollfd(fd: waker.readEnd, events: Int16(POLLIN), revents: 0)) }
        let limit = Int32(clamping: timeout.wholeMilliseconds)
        _ = poll(&sockets, nfds_t(sockets.count), limit)  // an interruption is as good as an event
        waker?.clear()
    }
}

@available(*, unavailable)
extension CurlConnection: Sendable {}

/// Ends another thread's ``CurlConnection/wait(toSend:timeout:waker:)``.
public final class CurlWaker: Sendable {
    fileprivate let readEnd: Int32
    private let writeEnd: Int32

    /// Creates a waker: a pipe to oneself.
    public init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "no file descriptor for a pipe")
        (readEnd, writeEnd) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Ends the present wait, or else the next one. A full pipe is awake already.
    public func wake() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    fileprivate func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(readEnd, &bytes, bytes.count) > 0 {}
    }
}
