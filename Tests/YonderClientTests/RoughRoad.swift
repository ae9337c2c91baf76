import Foundation
import Glibc
import Synchronization

/// A way to a server that breaks: it carries bytes to and fro, and closes, resets or stalls connections when told.
final class RoughRoad: Sendable {
    /// What happens to the connections that are open.
    enum Mishap: CaseIterable, Sendable {
        /// Ended in order.
        case close
        /// Ended by a reset.
        case reset
        /// Nothing gets through any more, for good; new ones do.
        case stall
    }

    private final class Pair: Sendable {
        let client: Int32
        let server: Int32
        let isStalled = Atomic<Bool>(false)
        let isOver = Atomic<Bool>(false)

        init(client: Int32, server: Int32) {
            self.client = client
            self.server = server
        }
    }

    let port: UInt16
    private let listener: Int32
    private let target: UInt16
    private let pairs = Mutex<[Pair]>([])

    /// Opens a way to a port of this machine.
    init(to target: Int) {
        self.target = UInt16(target)
        let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                precondition(bind(fd, pointer, size) == 0 && listen(fd, 64) == 0)
                precondition(getsockname(fd, pointer, &size) == 0)
            }
        }
        listener = fd
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(fd, nil, nil)
                guard client >= 0 else { return }
                carry(client)
            }
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private func carry(_ client: Int32) {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(target)
        let connected = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard connected else {
            close(client)
            close(server)
            return
        }
        let pair = Pair(client: client, server: server)
        pairs.withLock { $0.append(pair) }
        for (from, to) in [(client, server), (server, client)] {
            Thread.detachNewThread { [self] in
                pump(pair, from, to)
                shutdown(to, Int32(SHUT_RDWR))
                shutdown(from, Int32(SHUT_RDWR))
                // The last one of the two closes both.
                if pair.isOver.exchange(true, ordering: .acquiringAndReleasing) {
                    pairs.withLock { pairs in
                        pairs.removeAll { $0 === pair }
                        close(client)
                        close(server)
                    }
                }
            }
        }
    }

    private func pump(_ pair: Pair, _ from: Int32, _ to: Int32) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(from, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            if pair.isStalled.load(ordering: .relaxed) { continue }
            var sent = 0
            while sent < count {
                let more = buffer.withUnsafeBytes {
                    Glibc.send(to, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
                }
                guard more > 0 else { return }
                sent += more
            }
        }
    }

    /// Lets something happen to every connection that is open.
    func happen(_ mishap: Mishap) {
        pairs.withLock { pairs in
            for pair in pairs {
                switch mishap {
                case .stall: pair.isStalled.store(true, ordering: .relaxed)
                case .reset:
                    var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
                    setsockopt(
                        pair.client, SOL_SOCKET, SO_LINGER, &linger,
                        socklen_t(MemoryLayout<Glibc.linger>.size))
                    fallthrough
                case .close:
                    shutdown(pair.client, Int32(SHUT_RDWR))
                    shutdown(pair.server, Int32(SHUT_RDWR))
                }
            }
        }
    }

    /// Takes no new connection and ends those that are open.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        happen(.close)
    }
}
