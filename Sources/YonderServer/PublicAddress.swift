import Synchronization

/// What links begin with: the public URL, or the address listened on, which is known once the server is up.
final class PublicAddress: Sendable {
    private let base = Mutex("")

    /// Without a slash at the end.
    var url: String {
        get { base.withLock { $0 } }
        set { base.withLock { $0 = newValue } }
    }
}
