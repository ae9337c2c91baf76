import Foundation
import Synchronization
import YonderCrypto
import YonderCurl
import YonderTestSupport
import YonderWebSocket

/// A WebSocket client on a thread of its own that keeps every event.
final class TestSocket: Sendable {
    struct Failed: Error {
        let status: Int
    }

    private struct Contents {
        var events: [Event] = []
        var outgoing: [[UInt8]] = []
        var closeCode: UInt16?
        var isOver = false
        var failed: Int?
        var isOpen = false
    }

    private let contents = Mutex(Contents())
    private let waker = CurlWaker()

    /// Connects; with `token` as the subprotocol, as browsers do it, or with headers as they are given.
    static func connect(
        _ base: String, token: String = "", path: String = "/v1/events", headers: String? = nil
    ) async throws -> TestSocket {
        let socket = TestSocket()
        let headers = headers ?? "Sec-WebSocket-Protocol: yonder.v1, bearer.\(token)\r\n"
        CurlThread.detach(name: "socket") { socket.run(base, path, headers) }
        _ = await eventually { socket.contents.withLock { $0.isOpen || $0.isOver } }
        if let status = socket.contents.withLock({ $0.failed }) { throw Failed(status: status) }
        return socket
    }

    var closeCode: UInt16? { contents.withLock { $0.closeCode } }
    var isOver: Bool { contents.withLock { $0.isOver } }

    /// All events so far, by name where one is given.
    func events(_ name: String? = nil) -> [Event] {
        contents.withLock { contents in
            contents.events.filter { name == nil || $0.name == name }
        }
    }

    /// Sendable although it holds `Any`: read from JSON once and never changed.
    struct Event: @unchecked Sendable {
        let json: [String: Any]
        var name: String { json["event"] as? String ?? "" }
        func string(_ path: String...) -> String? { Answer.value(json, path[...]) as? String }
        func number(_ path: String...) -> Double? {
            (Answer.value(json, path[...]) as? NSNumber)?.doubleValue
        }
        func count(_ path: String...) -> Int? { (Answer.value(json, path[...]) as? [Any])?.count }
    }

    func send(_ text: String) {
        contents.withLock { $0.outgoing.append(Array(text.utf8)) }
        waker.wake()
    }

    func close() {
        contents.withLock { $0.isOver = true }
        waker.wake()
    }

    private func run(_ base: String, _ path: String, _ headers: String) {
        defer { contents.withLock { $0.isOver = true } }
        guard let connection = try? CurlConnection(url: base, caFile: TestCertificate.file(for: base)) else {
            return
        }
        let key = Data(Crypto.randomBytes(16)).base64EncodedString()
        let request =
            "GET \(path) HTTP/1.1\r\nHost: \(base.drop { $0 != "/" }.dropFirst(2))\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n"
            + headers + "\r\n"
        guard (try? connection.send(Array(request.utf8)[...])) != nil,
            let rest = handshake(connection)
        else { return }
        let engine = WebSocketEngine(role: .client, maxMessageBytes: 1 << 20)
        take(engine.receive(rest))
        while !isOver {
            for text in contents.withLock({ contents in
                defer { contents.outgoing = [] }
                return contents.outgoing
            }) { engine.queueText(text) }
            var output = engine.takeOutput()[...]
            while !output.isEmpty {
                guard let count = try? connection.send(output) else { return }
                output = output.dropFirst(count)
            }
            guard let received = try? connection.receive() else { return }
            switch received {
            case .bytes(let bytes): take(engine.receive(bytes))
            case .nothing: connection.wait(toSend: false, timeout: .milliseconds(200), waker: waker)
            case .end: return
            }
        }
    }

    /// Reads the answer's head; what comes after it is the first of the frames.
    private func handshake(_ connection: CurlConnection) -> [UInt8]? {
        var head: [UInt8] = []
        while true {
            switch try? connection.receive() {
            case .bytes(let bytes): head += bytes
            case .nothing: connection.wait(toSend: false, timeout: .seconds(1))
            case .end, nil: return nil
            }
            guard let end = Data(head).range(of: Data("\r\n\r\n".utf8)) else { continue }
            let status = Int(String(decoding: head.dropFirst(9).prefix(3), as: UTF8.self)) ?? 0
            guard status == 101 else {
                contents.withLock { $0.failed = status }
                return nil
            }
            contents.withLock { $0.isOpen = true }
            return Array(head[end.upperBound...])
        }
    }

    private func take(_ events: [WebSocketEngine.Event]) {
        for event in events {
            switch event {
            case .text(let bytes):
                let json = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
                let event = Event(json: json ?? [:])
                contents.withLock { $0.events.append(event) }
            case .close(let code, _): contents.withLock { $0.closeCode = code }
            default: break
            }
        }
    }
}
