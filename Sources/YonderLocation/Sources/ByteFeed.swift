import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Reads a device, a pipe or a connection on a thread of its own, and opens it again where it breaks.
final class ByteFeed: Sendable {
    /// What it has to say.
    enum Signal: Sendable {
        /// It is open; what is known of an earlier time counts no more.
        case opened
        case bytes([UInt8])
        /// Nothing has come for a moment.
        case silence
        /// It broke, or could not be opened. It is tried again.
        case failed(LocationError)
        /// It is at its end, and not tried again.
        case ended
    }

    /// Opens what is read.
    struct Opening: Sendable {
        /// Gives a descriptor that does not block; the feed closes it.
        let open: @Sendable () throws(LocationError) -> Int32
        /// What is said first to the other side.
        var greeting: [UInt8] = []
        /// Whether the end of it is the end of all, as with a file: opening it again would not help.
        var endsWithIt = false
    }

    private struct State {
        /// Rises with every start and stop: an old thread ends by it.
        var run = 0
        var isRunning = false
        /// Wakes the thread.
        var waker: Int32 = -1
    }

    private let opening: Opening
    private let silence: Duration
    private let tell: @Sendable (Signal) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - opening: What is read.
    ///   - silence: How long nothing has to come to be called silence.
    ///   - tell: Told everything, on the feed's thread.
    init(_ opening: Opening, silence: Duration, tell: @escaping @Sendable (Signal) -> Void) {
        self.opening = opening
        self.silence = silence
        self.tell = tell
    }

    deinit { stop() }

    func start() {
        state.withLock { state in
            guard !state.isRunning else { return }
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else {
                return tell(.failed(LocationError(.sourceFailed, "no descriptor for a pipe")))
            }
            state.run += 1
            state.isRunning = true
            state.waker = ends[1]
            let (opening, silence, tell) = (opening, silence, tell)
            let reader = FeedReader(opening, silence: silence, waker: ends[0], tell: tell)
            let thread = Thread { reader.run() }
            thread.name = "yonder-location"
            thread.start()
        }
    }

    func stop() {
        state.withLock { state in
            guard state.isRunning else { return }
            state.isRunning = false
            // The reader sees the end of the pipe, and closes its own.
            close(state.waker)
            state.waker = -1
        }
    }
}

/// The life of a feed's thread.
private final class FeedReader: Sendable {
    private enum End { case stopped, broke(LocationError), ended }

    private let opening: ByteFeed.Opening
    private let silence: Int32
    private let waker: Int32
    private let tell: @Sendable (ByteFeed.Signal) -> Void

    init(
        _ opening: ByteFeed.Opening, silence: Duration, waker: Int32,
        tell: @escaping @Sendable (ByteFeed.Signal) -> Void
    ) {
        self.opening = opening
        self.silence = Int32(clamping: Int64(silence.seconds * 1000))
        self.waker = waker
        self.tell = tell
    }

    func run() {
        defer { close(waker) }
        var wait: Int32 = 1_000
        while true {
            var end: End
            do throws(LocationError) {
                let descriptor = try opening.open()
                defer { close(descriptor) }
                end = read(descriptor)
                wait = 1_000
            } catch {
                end = .broke(error)
            }
            switch end {
            case .stopped: return
            case .ended: return tell(.ended)
            case .broke(let error): tell(.failed(error))
            }
            // 1, 2, 4 … 30 s.
            if isStopped(within: wait) { return }
            wait = min(wait * 2, 30_000)
        }
    }

    private func isStopped(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: waker, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    private func read(_ descriptor: Int32) -> End {
        var isGreeted = opening.greeting.isEmpty
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var isSilent = true
        tell(.opened)
        while true {
            var entries = [
                pollfd(fd: waker, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(isGreeted ? POLLIN : POLLIN | POLLOUT), revents: 0),
            ]
            let ready = poll(&entries, 2, isSilent ? -1 : silence)
            if ready < 0, errno == EINTR { continue }
            if entries[0].revents != 0 { return .stopped }
            if ready == 0 {
                isSilent = true
                tell(.silence)
                continue
            }
            if !isGreeted, entries[1].revents & Int16(POLLOUT) != 0 {
                isGreeted = true
                let greeting = opening.greeting
                guard write(descriptor, greeting, greeting.count) == greeting.count else {
                    return .broke(Self.failure("the connection was refused"))
                }
            }
            guard entries[1].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { continue }
            let count = readSome(descriptor, &buffer, buffer.count)
            if count > 0 {
                isSilent = false
                tell(.bytes(Array(buffer[..<count])))
            } else if count == 0 {
                if !isSilent { tell(.silence) }
                return opening.endsWithIt ? .ended : .broke(Self.failure("the other side has ended"))
            } else if errno != EAGAIN, errno != EINTR {
                return .broke(Self.failure(String(cString: strerror(errno))))
            }
        }
    }

    private static func failure(_ text: String) -> LocationError { LocationError(.sourceFailed, text) }
}

/// The system's `read`, which a method here has the name of.
private func readSome(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
