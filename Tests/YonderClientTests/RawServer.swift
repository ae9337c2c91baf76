import Foundation
import Glibc
import Synchronization
import YonderWebSocket

/// A server of the tests' own on loopback: one thread a connection, answers as the test says.
final class RawServer: Sendable {
    struct Request: Sendable {
        var method: String
        var path: String
        var headers: [String: String]
        var body: [UInt8]

        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:]
        }
    }

    enum Reply: Sendable {
        case answer(Int, String, headers: [String: String] = [:])
        /// These bytes, then the end.
        case bytes(String)
        /// A WebSocket: the handler runs on the connection's thread.
        case webSocket(@Sendable (Peer) -> Void)
    }

    let port: UInt16
    private let listener: Int32
    private let log = Mutex<[Request]>([])

    var url: String { "http://127.0.0.1:\(port)" }
    var requests: [Request] { log.withLock { $0 } }

    init(_ reply: @escaping @Sendable (Request) -> Reply) {
        let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                precondition(bind(fd, pointer, size) == 0 && listen(fd, 16) == 0)
                precondition(getsockname(fd, pointer, &size) == 0)
            }
        }
        listener = fd
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(fd, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { [weak self] in
                    let peer = Peer(connection)
                    while let request = peer.readRequest() {
                        self?.log.withLock { $0.append(request) }
                        guard peer.send(reply(request), to: request) else { break }
                    }
                    peer.close()
                }
            }
        }
    }

    /// Stops listening. Else the server lasts as long as the tests: Swift lets go of it at its last
    /// mention, which is before the client has connected.
    func stop() {
        // Not closed: the number would be another server's while the thread still accepts on it.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// One connection, on its own thread.
    final class Peer {
        private let fd: Int32
        private var input: [UInt8] = []
        private let engine = WebSocketEngine(role: .server, maxMessageBytes: 65_536)

        init(_ fd: Int32) { self.fd = fd }

        func close() {
            shutdown(fd, Int32(SHUT_RDWR))
            _ = Glibc.close(fd)
        }

        func write(_ bytes: [UInt8]) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }

        func read() -> [UInt8]? {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(fd, &buffer, buffer.count, 0)
            return count > 0 ? Array(buffer[..<count]) : nil
        }

        func readRequest() -> Request? {
            let end = Array("\r\n\r\n".utf8)
            while input.firstRange(of: end) == nil {
                guard let more = read() else { return nil }
                input += more
            }
            let split = input.firstRange(of: end)!
            let lines = String(decoding: input[..<split.lowerBound], as: UTF8.self).split(separator: "\r\n")
            input.removeSubrange(..<split.upperBound)
            var headers: [String: String] = [:]
            for line in lines.dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                headers[parts[0].lowercased()] =
                    parts.count == 2 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
            }
            let length = headers["content-length"].flatMap { Int($0) } ?? 0
            while input.count < length {
                guard let more = read() else { return nil }
                input += more
            }
            let body = Array(input[..<length])
            input.removeSubrange(..<length)
            let words = lines[0].split(separator: " ")
            return Request(method: String(words[0]), path: String(words[1]), headers: headers, body: body)
        }

        /// - Returns: Whether the connection goes on.
        func send(_ reply: Reply, to request: Request) -> Bool {
            switch reply {
            case .answer(let status, let body, let headers):
                let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
                write(
                    Array(
                        "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\(lines)\r\n\(body)"
                            .utf8))
                return true
            case .bytes(let text):
                write(Array(text.utf8))
                return false
            case .webSocket(let handler):
                let accept = WebSocketHandshake.accept(forKey: request.headers["sec-websocket-key"] ?? "")
                write(
                    Array(
                        """
                        HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                        Sec-WebSocket-Accept: \(accept)\r\n\r\n
                        """.utf8))
                handler(self)
                return false
            }
        }

        func sendText(_ text: String) {
            engine.queueText(Array(text.utf8))
            write(engine.takeOutput())
        }

        func sendClose(_ code: UInt16) {
            engine.queueClose(code: code, reason: "")
            write(engine.takeOutput())
        }

        /// The next text; `nil` at the end.
        func nextText() -> String? {
            while true {
                guard let bytes = read() else { return nil }
                for event in engine.receive(bytes) {
                    if case .text(let text) = event { return String(decoding: text, as: UTF8.self) }
                    if case .close = event { return nil }
                }
            }
        }
    }
}
