import Foundation

/// Ports of 127.0.0.1 for programs that cannot be told to pick one.
package enum LoopbackPort {
    /// A port that nobody listens on now, below those that the system gives away by itself.
    package static func free() throws -> Int {
        for _ in 0..<100 {
            let port = Int.random(in: 20_000..<32_000)
            if with(port, { bind($0, $1, $2) }) { return port }
        }
        throw POSIXError(.EADDRINUSE)
    }

    /// Whether somebody listens there.
    static func isTaken(_ port: Int) -> Bool { with(port) { connect($0, $1, $2) } }

    private static func with(
        _ port: Int, _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
