import Dispatch
import YonderStore

/// Holds a store's writer, so that what is committed meanwhile waits and makes one group.
struct WriterGate {
    private let opened = DispatchSemaphore(value: 0)
    private let task: Task<Void, any Error>

    /// Returns when the writer is held.
    init(_ store: any Store) async {
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let opened = opened
        task = Task.immediate {
            try await store.commit { _ in
                hold.finish()
                opened.wait()
            }
        }
        for await _ in held {}
    }

    func open() async throws {
        opened.signal()
        try await task.value
    }
}
