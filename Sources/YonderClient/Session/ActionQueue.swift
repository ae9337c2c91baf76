import Dispatch

/// Where the actions begin whose callers do not wait: in the order of the calls. Each runs there up to where it
/// first waits, which is after what it sends has its place in the outbox.
final class ActionQueue: TaskExecutor {
    private let queue = DispatchQueue(label: "yonder-actions")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
