import Foundation
import Glibc

/// A port that takes connections and never says a word.
final class SilentListener: Sendable {
    let port: UInt16
    private let listener: Int32

    init() {
        let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                precondition(bind(fd, pointer, size) == 0 && listen(fd, 16) == 0)
                precondition(getsockname(fd, pointer, &size) == 0)
            }
        }
        listener = fd
        port = UInt16(bigEndian: address.sin_port)
    }

    /// The next connection, for who wants to talk after all; `nil` after ``stop()``.
    func accept() -> Int32? {
        let connection = Glibc.accept(listener, nil, nil)
        return connection >= 0 ? connection : nil
    }

    /// A connection to a port of this machine; `nil` where nobody answers.
    static func connect(to port: UInt16) -> Int32? {
        let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(fd, $0, size) }
        }
        if status == 0 { return fd }
        close(fd)
        return nil
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// Refuses from now on.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    deinit { close(listener) }
}
