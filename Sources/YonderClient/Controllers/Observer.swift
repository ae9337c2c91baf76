import Synchronization

/// A delegate that is told what a sequence says, on the main actor; held weakly, like the controller.
///
/// The one bridge from the sequences to the delegates.
final class Observer<Delegate: Sendable>: Sendable {
    private struct Weak {
        weak var delegate: AnyObject?
        var work: Task<Void, Never>?
    }

    private let state = Mutex(Weak())

    deinit { state.withLock { $0.work?.cancel() } }

    var delegate: Delegate? { state.withLock { $0.delegate as? Delegate } }

    /// Takes another delegate, which hears of everything from now on.
    func set(_ delegate: Delegate?, _ work: () -> Task<Void, Never>) {
        let old = state.withLock { state in
            let old = state.work
            state.delegate = delegate.map { $0 as AnyObject }
            state.work = delegate == nil ? nil : work()
            return old
        }
        old?.cancel()
    }
}
