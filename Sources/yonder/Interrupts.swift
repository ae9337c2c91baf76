import Foundation
import Synchronization

/// SIGINT and SIGTERM: the first is a request to come to an end, the second ends the process at once.
final class Interrupts: Sendable {
    private let seen = Mutex(0)
    private let requests: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    private init() { (requests, continuation) = AsyncStream.makeStream() }

    /// Listens from now on, to the end of the process.
    static func listen() -> Interrupts {
        let interrupts = Interrupts()
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)  // else the default would come first
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            // The handler holds its source, so that it lasts.
            source.setEventHandler { interrupts.received(number, from: source) }
            source.resume()
        }
        return interrupts
    }

    /// Waits for the first; returns also when the task is cancelled.
    func wait() async {
        for await _ in requests { return }
    }

    private func received(_ number: Int32, from source: any DispatchSourceSignal) {
        let count = seen.withLock { seen in
            seen += 1
            return seen
        }
        if count > 1 { _exit(128 + number) }
        continuation.yield()
    }
}
