import Foundation
import Synchronization

/// SIGINT and SIGTERM, heard on a thread of their own.
///
/// Not by Dispatch: a signal that comes while one of its sources is being set up is lost, and a server that has
/// just said that it is ready would not hear that it is to stop.
enum StopSignals {
    private static let writeEnd = Atomic<Int32>(-1)

    /// Listens from now on, to the end of the process; called once in it.
    ///
    /// - Parameter heard: Told the number of each, one after another.
    static func listen(_ heard: @escaping @Sendable (Int32) -> Void) {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "no file descriptor for a pipe")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writeEnd.store(ends[1], ordering: .relaxed)
        let thread = Thread { [readEnd = ends[0]] in
            unblock()
            var number: UInt8 = 0
            while true {
                if read(readEnd, &number, 1) == 1 { heard(Int32(number)) } else if errno != EINTR { return }
            }
        }
        thread.name = "yonder-signals"
        thread.start()
        for number in [SIGINT, SIGTERM] {
            // A handler may do next to nothing: it hands the number on.
            signal(number) { number in
                let before = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(StopSignals.writeEnd.load(ordering: .relaxed), &byte, 1)
                errno = before
            }
        }
    }

    /// Whoever started the process may have left them blocked: then this thread takes them.
    private static func unblock() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}
