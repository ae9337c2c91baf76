import Foundation
import Synchronization

/// A thread of its own for calls that block, so that they never hold a thread of the cooperative pool.
///
/// Jobs run one after another in the order in which they came. The thread ends with its last owner.
public final class CurlThread: SerialExecutor {
    private let jobs = JobQueue()

    /// Starts the thread.
    public init(name: String) {
        let jobs = jobs
        Self.detach(name: name) {
            while let (job, executor) = jobs.next() { job.runSynchronously(on: executor) }
        }
    }

    /// Starts a thread for work with libcurl that ends by itself.
    ///
    /// OpenSSL writes to sockets without MSG_NOSIGNAL: on this thread a peer that is gone is an error and
    /// never the signal that ends the process.
    public static func detach(name: String, _ work: @escaping @Sendable () -> Void) {
        let thread = Thread {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            work()
        }
        thread.name = name
        thread.start()
    }

    deinit { jobs.close() }

    public func enqueue(_ job: consuming ExecutorJob) {
        jobs.append(UnownedJob(job), asUnownedSerialExecutor())
    }
}

/// Work for one thread. Unbounded: each entry is a caller that waits.
private final class JobQueue: Sendable {
    private struct State {
        var jobs: [(UnownedJob, UnownedSerialExecutor)] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let ready = DispatchSemaphore(value: 0)

    func append(_ job: UnownedJob, _ executor: UnownedSerialExecutor) {
        state.withLock { $0.jobs.append((job, executor)) }
        ready.signal()
    }

    func close() {
        state.withLock { $0.isClosed = true }
        ready.signal()
    }

    /// The next job; `nil` at the end.
    func next() -> (UnownedJob, UnownedSerialExecutor)? {
        ready.wait()
        return state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
    }
}
