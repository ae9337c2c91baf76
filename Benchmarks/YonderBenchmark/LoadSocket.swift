import Foundation

/// A connection to a server, and enough WebSocket to load the server with.
protocol LoadSocket {
    /// To wait for it.
    var descriptor: Int32 { get }

    /// Reads what is there.
    ///
    /// - Returns: How many bytes; 0 at the end, less than 0 where there is nothing now.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int

    func write(_ bytes: [UInt8]) throws
    func close()
}

extension LoadSocket {
    /// Turns it into a WebSocket.
    ///
    /// - Parameters:
    ///   - path: Where it is asked for.
    ///   - token: Who asks; `nil` = nobody.
    /// - Throws: `Failure` where the server refuses.
    func upgrade(_ path: String, token: String?) throws {
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        try write(
            Array(
                """
                GET \(path) HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\
                \(authorization)\r\n
                """.utf8))
        var answer: [UInt8] = []
        let byte = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { byte.deallocate() }
        let deadline = monotonicMilliseconds() + 5_000
        while !answer.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            switch receive(into: byte) {
            case 1: answer.append(byte[0])
            case 0: throw Failure("no answer to the handshake")
            default:
                guard monotonicMilliseconds() < deadline else { throw Failure("no answer in time") }
                usleep(100)
            }
        }
        guard answer.starts(with: "HTTP/1.1 101".utf8) else {
            throw Failure("no WebSocket: \(String(decoding: answer.prefix(40), as: UTF8.self))")
        }
    }

    /// Writes a text as one frame, masked with zeros.
    func send(text: String) throws {
        let payload = Array(text.utf8)
        var frame: [UInt8] = [0x81]
        if payload.count < 126 {
            frame.append(0x80 | UInt8(payload.count))
        } else {
            frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        }
        try write(frame + [0, 0, 0, 0] + payload)
    }
}
