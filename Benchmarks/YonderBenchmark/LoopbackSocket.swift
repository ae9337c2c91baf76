import Foundation

/// A blocking TCP socket on this machine, and enough WebSocket to load a server with.
struct LoopbackSocket {
    let descriptor: Int32

    /// - Parameters:
    ///   - port: Where to.
    ///   - receiveBuffer: Bytes that the kernel keeps for us; `nil` = as it likes.
    /// - Throws: `Failure` where nobody listens.
    init(port: Int, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        guard Self.withAddress(port: port, { connect(descriptor, $0, $1) }) == 0 else {
            let number = errno
            Glibc.close(descriptor)
            throw Failure("no connection: error \(number)")
        }
    }

    /// A port that nobody listens on.
    static func freePort() throws -> Int {
        let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { Glibc.close(probe) }
        guard withAddress(port: 0, { bind(probe, $0, $1) }) == 0 else { throw Failure("no free port") }
        return localPort(of: probe)
    }

    /// Its own end's.
    var localPort: Int { Self.localPort(of: descriptor) }

    private static func localPort(of socket: Int32) -> Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(socket, $0, &length) }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func withAddress<Result>(
        port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    func close() { Glibc.close(descriptor) }

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
        var byte: UInt8 = 0
        while !answer.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(descriptor, &byte, 1, 0) == 1 else { throw Failure("no answer to the handshake") }
            answer.append(byte)
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

    /// Reads and forgets what has come.
    func drain(_ buffer: UnsafeMutableRawBufferPointer) {
        while recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) == buffer.count {}
    }

    func write(_ bytes: [UInt8]) throws {
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Failure("a server closed a connection")
        }
    }
}
