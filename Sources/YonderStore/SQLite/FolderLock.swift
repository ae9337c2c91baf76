import Foundation

/// Holds a data folder against a second server; let go with the last reference, or by the
/// kernel when the process dies.
final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock, or says at once that another has it.
    init(folder: String) throws(StoreError) {
        let opened = open("\(folder)/yonder.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else {
            throw StoreError(.folderNotWritable, "the folder \(folder) cannot be written: errno \(errno)")
        }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            Foundation.close(opened)
            throw reason == EWOULDBLOCK
                ? StoreError(.inUse, "another process is using the folder \(folder)")
                : StoreError(.folderNotWritable, "the folder \(folder) cannot be locked: errno \(reason)")
        }
        descriptor = opened
    }

    deinit { Foundation.close(descriptor) }
}
