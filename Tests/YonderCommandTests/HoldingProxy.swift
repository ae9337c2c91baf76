import Foundation
import Glibc
import Synchronization

/// Passes connections on to a server; a request that begins in a certain way waits until it is let go.
final class HoldingProxy: Sendable {
    let listener = SilentListener()
    private let holding = Mutex(false)
    private let gate = DispatchSemaphore(value: 0)
    private let held: [UInt8]

    /// Whether a request waits, or has waited.
    var isHolding: Bool { holding.withLock { $0 } }

    init(to server: UInt16, holding beginning: String) {
        held = Array(beginning.utf8)
        Thread.detachNewThread { [self] in
            while let client = listener.accept() {
                guard let server = SilentListener.connect(to: server) else {
                    close(client)
                    continue
                }
                Thread.detachNewThread { [self] in pump(from: client, to: server, holds: true) }
                Thread.detachNewThread { [self] in pump(from: server, to: client, holds: false) }
            }
        }
    }

    /// Lets the request go.
    func release() { gate.signal() }

    private func pump(from source: Int32, to sink: Int32, holds: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            if holds, buffer.starts(with: held) {
                holding.withLock { $0 = true }
                gate.wait()
            }
            var rest = buffer[..<count]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes { send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard sent > 0 else { break }
                rest = rest.dropFirst(sent)
            }
        }
        shutdown(sink, Int32(SHUT_RDWR))
        shutdown(source, Int32(SHUT_RDWR))
    }
}
