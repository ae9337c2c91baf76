import CYonderShims
import Glibc
import Synchronization

/// One thread with an epoll set; owns the sockets it adopts. Everything of a connection happens on it.
///
/// Made by whoever fans out.
public final class WebSocketLoop: Sendable {
    private struct Inbox {
        var arrivals: [WebSocketArrival] = []
        var stopCode: UInt16?
        var isClosed = false
    }

    private enum State {
        case idle(@Sendable () -> any WebSocketLoopDelegate)
        case running(pthread_t)
        case stopped
    }

    /// What the new thread takes over.
    private final class Start: Sendable {
        let loop: WebSocketLoop
        let makeDelegate: @Sendable () -> any WebSocketLoopDelegate

        init(_ loop: WebSocketLoop, _ makeDelegate: @escaping @Sendable () -> any WebSocketLoopDelegate) {
            self.loop = loop
            self.makeDelegate = makeDelegate
        }
    }

    let event: Int32
    private let maxMessageBytes: Int
    private let state: Mutex<State>
    private let inbox = Mutex(Inbox())
    private let isAwake = Atomic<Bool>(false)
    private let count = Atomic<Int>(0)

    /// Makes a loop that does not run yet; sockets may arrive before it does.
    ///
    /// - Parameters:
    ///   - maxMessageBytes: Largest message taken from a client; a larger one closes its connection with
    ///     1009. Default 65,536.
    ///   - makeDelegate: Makes, on the loop's thread, who is told everything: what it makes lives there
    ///     alone and needs no lock.
    public init(
        maxMessageBytes: Int = 65_536, makeDelegate: @escaping @Sendable () -> any WebSocketLoopDelegate
    ) {
        self.maxMessageBytes = maxMessageBytes
        state = Mutex(.idle(makeDelegate))
        event = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        precondition(event >= 0, "no descriptor for an event")
    }

    deinit { close(event) }

    /// Starts the thread. Once; later calls do nothing.
    public func start() {
        state.withLock { state in
            guard case .idle(let makeDelegate) = state else { return }
            let start = Unmanaged.passRetained(Start(self, makeDelegate))
            var thread = pthread_t()
            let status = pthread_create(
                &thread, nil,
                { start in
                    let start = Unmanaged<Start>.fromOpaque(start!).takeRetainedValue()
                    WebSocketLoopCore(
                        loop: start.loop, delegate: start.makeDelegate(),
                        maxMessageBytes: start.loop.maxMessageBytes
                    ).run()
                    return nil
                }, start.toOpaque())
            precondition(status == 0, "no thread for a WebSocket loop")
            state = .running(thread)
        }
    }

    /// Says close to everybody, gives them 2 s to take it, and ends the thread before it returns.
    ///
    /// - Parameter code: The close code. Default 1001, going away.
    /// - Precondition: Not called on the loop's own thread.
    public func stop(code: UInt16 = 1001) {
        let before = state.withLock { state in
            defer { state = .stopped }
            return state
        }
        inbox.withLock { $0.stopCode = code }
        if case .running(let thread) = before {
            precondition(pthread_equal(thread, pthread_self()) == 0, "a loop cannot stop itself")
            wake()
            pthread_join(thread, nil)
        }
        let late = inbox.withLock { inbox in
            inbox.isClosed = true
            defer { inbox.arrivals = [] }
            return inbox.arrivals
        }
        for arrival in late { refuse(arrival) }
    }

    /// Lets the delegate's `poll` be called soon. From any thread, and cheap when done often.
    public func wake() {
        guard !isAwake.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var one: UInt64 = 1
        _ = write(event, &one, 8)
    }

    /// Connections adopted and not yet closed, those on their way included.
    public var connectionCount: Int { count.load(ordering: .relaxed) }

    func adopt(_ arrival: WebSocketArrival) {
        count.wrappingAdd(1, ordering: .relaxed)
        let isTaken = inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            inbox.arrivals.append(arrival)
            return true
        }
        if isTaken { wake() } else { refuse(arrival) }
    }

    private func refuse(_ arrival: WebSocketArrival) {
        close(arrival.descriptor)
        connectionLeft()
    }

    func connectionLeft() { count.wrappingSubtract(1, ordering: .relaxed) }

    /// Before the inbox and `poll` are looked at: what comes later wakes again.
    func acknowledgeWake() {
        var value: UInt64 = 0
        _ = read(event, &value, 8)
        isAwake.store(false, ordering: .sequentiallyConsistent)
    }

    func takeInbox() -> (arrivals: [WebSocketArrival], stopCode: UInt16?) {
        inbox.withLock { inbox in
            defer { inbox.arrivals = [] }
            return (inbox.arrivals, inbox.stopCode)
        }
    }
}
