import Glibc
import YonderWebSocket

/// A plain socket whose calls give up after 5 s.
///
/// It never blocks its thread: handlers that wait go on on the same few threads.
package final class RawClient {
    package struct Lost: Error { package let number: Int32 }

    package let descriptor: Int32
    private var unread: [UInt8] = []

    package init(port: Int, host: String = "127.0.0.1", receiveBuffer: Int32? = nil) throws {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let list else { throw Lost(number: -1) }
        defer { freeaddrinfo(list) }
        descriptor = socket(list.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        guard connect(descriptor, list.pointee.ai_addr, list.pointee.ai_addrlen) == 0 else {
            let number = errno
            close(descriptor)
            throw Lost(number: number)
        }
    }

    deinit { close(descriptor) }

    package func write(_ bytes: some Collection<UInt8>) async throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let piece = rest
            let count = try await untilReady {
                piece.withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
                }
            }
            rest = rest.dropFirst(count)
        }
    }

    package func write(_ text: String) async throws { try await write(Array(text.utf8)) }

    /// Everything up to `count` more bytes; empty at the end of the stream.
    package func read(upTo count: Int = 65_536) async throws -> [UInt8] {
        if !unread.isEmpty {
            defer { unread = Array(unread.dropFirst(count)) }
            return Array(unread.prefix(count))
        }
        var buffer = [UInt8](repeating: 0, count: count)
        let read = try await untilReady { recv(descriptor, &buffer, count, Int32(MSG_DONTWAIT)) }
        return Array(buffer[..<read])
    }

    /// Gives bytes back, to be read again.
    package func unread(_ bytes: [UInt8]) { unread = bytes + unread }

    private func untilReady(_ call: () -> Int) async throws -> Int {
        // Long: other suites may hold both threads of the pool that handlers resume on.
        let deadline = ContinuousClock.now + .seconds(30)
        var attempts = 0
        while true {
            let result = call()
            if result >= 0 { return result }
            guard errno == EAGAIN, ContinuousClock.now < deadline else { throw Lost(number: errno) }
            attempts += 1
            if attempts < 50 { await Task.yield() } else { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    package func read(exactly count: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try await read(upTo: count - bytes.count)
            guard !more.isEmpty else { throw Lost(number: 0) }
            bytes += more
        }
        return bytes
    }

    package func readToEnd() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while case let more = try await read(), !more.isEmpty { bytes += more }
        return bytes
    }

    /// One response; its body by Content-Length.
    package func readResponse(hasBody: Bool = true) async throws -> RawResponse {
        var bytes: [UInt8] = []
        let blank = Array("\r\n\r\n".utf8)
        while !bytes.suffix(4).elementsEqual(blank) { bytes += try await read(exactly: 1) }
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
        let status = Int(lines.removeFirst().split(separator: " ")[1])!
        var headers: [String: String] = [:]
        for line in lines {
            let colon = line.firstIndex(of: ":")!
            headers[line[..<colon].lowercased()] = String(line[line.index(colon, offsetBy: 2)...])
        }
        let length = hasBody && status != 101 ? headers["content-length"].flatMap { Int($0) } ?? 0 : 0
        return RawResponse(status: status, headers: headers, body: try await read(exactly: length))
    }

    package static func handshake(path: String = "/ws") -> String {
        """
        GET \(path) HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n
        """
    }

    /// Opens a WebSocket, sending `early` in the same packet as the handshake.
    package func openWebSocket(path: String = "/ws", early: [UInt8] = []) async throws -> RawResponse {
        try await write(Array(Self.handshake(path: path).utf8) + early)
        return try await readResponse()
    }

    /// What one server frame holds: its first byte and its payload.
    package func readFrame() async throws -> (opcode: UInt8, payload: [UInt8]) {
        let head = try await read(exactly: 2)
        let length: Int
        switch head[1] {
        case 126: length = try await read(exactly: 2).reduce(0) { $0 << 8 | Int($1) }
        case 127: length = try await read(exactly: 8).reduce(0) { $0 << 8 | Int($1) }
        default: length = Int(head[1])
        }
        return (head[0], try await read(exactly: length))
    }

    package func readText() async throws -> String {
        let frame = try await readFrame()
        guard frame.opcode == 0x81 else { throw Lost(number: Int32(frame.opcode)) }
        return String(decoding: frame.payload, as: UTF8.self)
    }

    /// The code of the close frame that must come next.
    package func readClose() async throws -> Int {
        let frame = try await readFrame()
        guard frame.opcode == 0x88, frame.payload.count >= 2 else { throw Lost(number: Int32(frame.opcode)) }
        return Int(frame.payload[0]) << 8 | Int(frame.payload[1])
    }

    package static func masked(_ text: String) -> [UInt8] {
        let engine = WebSocketEngine(role: .client, maxMessageBytes: 1 << 20)
        engine.queueText(Array(text.utf8))
        return engine.takeOutput()
    }
}

package struct RawResponse: Sendable {
    package let status: Int
    package let headers: [String: String]
    package let body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }
}
