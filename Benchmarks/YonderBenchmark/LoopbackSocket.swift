import Foundation

/// A TCP socket on this machine.
struct LoopbackSocket: LoadSocket {
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

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        return count < 0 && errno != EAGAIN ? 0 : count
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
