import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A port that takes connections and never says a word.
final class SilentListener: Sendable {
    let port: UInt16
    private let listener: Int32

    init() {
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
    }

    /// Refuses from now on.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    deinit { close(listener) }
}
