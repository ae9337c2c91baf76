#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file open for reading at any offset, from several threads at once.
///
/// Reads with `pread` and keeps no position. Not mapped into memory on purpose: a mapped file that is
/// cut short while it is open kills the process; here it is an error.
final class RandomAccessFile: Sendable {
    private let descriptor: Int32
    let size: UInt64

    /// - Throws: `MapError` with code `.unreadable` if the path is no regular file or cannot be opened.
    init(path: String) throws(MapError) {
        // O_NONBLOCK keeps a named pipe from blocking the open; it means nothing for a regular file.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw MapError(.unreadable, "cannot open the file (errno \(errno))") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw MapError(.unreadable, "not a regular file")
        }
        size = UInt64(max(0, status.st_size))
    }

    deinit { close(descriptor) }

    /// Reads exactly a stretch of the file.
    ///
    /// - Throws: `MapError` with code `.tooLarge` if it is longer than `maxBytes`, `.malformed` if the
    ///   file ends before it does, `.unreadable` if the disk fails.
    func read(_ range: ByteRange, maxBytes: Int) throws(MapError) -> [UInt8] {
        guard range.length <= UInt64(maxBytes) else {
            throw MapError(.tooLarge, "a section is longer than \(maxBytes) bytes")
        }
        guard range.offset <= size, range.length <= size - range.offset else {
            throw MapError(.malformed, "a section reaches beyond the end")
        }
        let count = Int(range.length)
        var failure: MapError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                let got = pread(
                    descriptor, rest.baseAddress, count - filled, off_t(range.offset) + off_t(filled))
                if got > 0 {
                    filled += got
                } else if got == 0 {
                    failure = MapError(.malformed, "the file was cut short")
                    return
                } else if errno != EINTR {
                    failure = MapError(.unreadable, "cannot read the file (errno \(errno))")
                    return
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
