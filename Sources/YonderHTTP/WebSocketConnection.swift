import CYonderShims
import Glibc
import YonderWebSocket

/// One WebSocket. Made by its loop and confined to the loop's thread; not Sendable.
///
/// Frames leave in the order they were given; a control frame never splits another frame.
public final class WebSocketConnection {
    enum State {
        case open
        /// The close frame waits for the kernel.
        case closing(until: ContinuousClock.Instant)
        /// The close frame has gone and our side is shut. What still comes is read and dropped: closing
        /// over unread bytes would reset the connection, and the peer would lose the close frame.
        case draining(until: ContinuousClock.Instant)
        case dead
    }

    static let lingering = Duration.seconds(2)
    static let maxWaitingBytes = 1 << 20
    /// Of what is gathered in a turn so much goes in one piece.
    static let maxGatheredBytes = 4_096

    // What each `write` looks at stands first, in one line of the processor's cache.

    /// Bytes wait for the kernel, or the connection is closing: `write` takes nothing until `writable`.
    public private(set) var isBlocked = false
    private var waitsForKernel = false {
        didSet { isBlocked = waitsForKernel || !isOpen }
    }
    let descriptor: Int32
    /// The core holds its connections and lives as long as the thread.
    unowned(unsafe) let core: WebSocketLoopCore
    /// When `write` or `send` last had something, as the loop's time goes.
    public private(set) var lastSent: ContinuousClock.Instant

    /// Unique in its loop.
    public let id: UInt64
    /// What the service's acceptance gave along.
    public let context: any Sendable
    /// The delegate's own.
    public var attachment: AnyObject?

    var state = State.open {
        didSet { isBlocked = waitsForKernel || !isOpen }
    }
    var liveness: WebSocketLiveness
    /// Made when bytes come, freed when nothing is half read: an idle connection has none.
    var engine: WebSocketEngine?
    private(set) var outbox = WebSocketOutbox()

    init(id: UInt64, arrival: WebSocketArrival, core: WebSocketLoopCore) {
        self.id = id
        context = arrival.context
        descriptor = arrival.descriptor
        self.core = core
        lastSent = core.now
        liveness = WebSocketLiveness(now: core.now)
    }

    var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    /// Writes frames that lie one after another in `bytes`, without copying them.
    ///
    /// A connection may become blocked by `send` or a pong as well: `writable` comes after each block.
    ///
    /// - Parameters:
    ///   - bytes: Whole server frames, see `WebSocketFrame`.
    ///   - ends: Where each frame ends in `bytes`, ascending.
    ///   - first: Index in `ends` of the first frame to write. Default 0.
    /// - Returns: How many frames are committed: gone to the kernel whole, plus one whose rest the
    ///   connection keeps and sends by itself. Fewer than offered: the connection is blocked, or gone;
    ///   the others are the caller's to offer again.
    public func write(frames bytes: [UInt8], ends: [Int], from first: Int = 0) -> Int {
        guard !isBlocked, first < ends.count else { return 0 }
        lastSent = core.now
        let start = first == 0 ? 0 : ends[first - 1]
        let total = ends[ends.count - 1]
        if !outbox.isEmpty {
            // Gathered in this turn.
            if outbox.count + total - start <= Self.maxGatheredBytes {
                outbox.append(bytes[start..<total])
                return ends.count - first
            }
            flush()
            guard !isBlocked else { return 0 }
        }
        let reached =
            start + bytes.withUnsafeBytes { offer(UnsafeRawBufferPointer(rebasing: $0[start..<total])) }
        guard reached < total else { return ends.count - first }
        var next = first
        while ends[next] <= reached { next += 1 }
        let boundary = next == 0 ? 0 : ends[next - 1]
        guard reached > boundary else { return next - first }
        outbox.appendRest(bytes[reached..<ends[next]])
        return next + 1 - first
    }

    /// Says that a `write` comes soon, so that it need not wait for memory.
    @inline(__always)
    public static func prepare(_ connection: Unmanaged<WebSocketConnection>) {
        yonder_prefetch(connection.toOpaque())
    }

    /// Sends one text message to this connection alone (an ack, an error), ahead of later `write`s.
    ///
    /// Kept where the kernel takes no more; over 1 MiB kept closes with 4408. `payload` must be UTF-8.
    public func send(text payload: [UInt8]) {
        send(frames: WebSocketFrame.text(payload))
    }

    /// Sends whole server frames to this connection alone, as ``send(text:)`` does.
    public func send(frames: [UInt8]) {
        lastSent = core.now
        enqueue(frames)
    }

    /// Says `code` and goes: what waits is sent first, for at most 2 s. `closed` comes later, never from
    /// inside this call. Nothing is received any more.
    public func close(code: UInt16, reason: String = "") {
        beginClosing(WebSocketFrame.close(code: code, reason: reason))
    }

    /// Queues whole frames and sends what the kernel takes; in the delegate's `poll` at its end, so that
    /// all that a turn has for a connection costs one call.
    func enqueue(_ frames: [UInt8]) {
        guard isOpen else { return }
        if core.isGathering, !waitsForKernel, outbox.count + frames.count <= Self.maxGatheredBytes {
            if outbox.isEmpty { core.gathered(for: self) }
            return outbox.append(frames)
        }
        outbox.append(frames)
        flush()
        // One large message to a healthy reader is no backlog: only what older ones left counts.
        if outbox.count > Self.maxWaitingBytes + frames.count {
            outbox.dropUnstarted()
            close(code: 4408, reason: "too many answers unread")
        }
    }

    func beginClosing(_ closeFrame: [UInt8]) {
        guard isOpen else { return }
        engine = nil
        state = .closing(until: core.now + Self.lingering)
        core.closingBegan()
        outbox.append(closeFrame)
        flush()
    }

    /// The kernel takes bytes again.
    func becameWritable() {
        guard waitsForKernel else { return }
        waitsForKernel = false
        flush()
        guard !waitsForKernel else { return }
        if isOpen { core.delegate.writable(self) }
        if !waitsForKernel { core.watch(self, forOutput: false) }
    }

    /// Sends what waits, as far as the kernel takes it.
    func flush() {
        guard !waitsForKernel, !outbox.isEmpty else { return }
        // Taken out for the time: `offer` changes other state of this connection.
        var box = outbox
        outbox = WebSocketOutbox()
        box.flush { offer($0) }
        outbox = box
        if case .closing(let deadline) = state, outbox.isEmpty {
            shutdown(descriptor, Int32(SHUT_WR))
            state = .draining(until: deadline)
        }
    }

    /// Sends without waiting, and notes a full kernel or a lost peer.
    private func offer(_ bytes: UnsafeRawBufferPointer) -> Int {
        let count = Glibc.send(
            descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        if count < 0, errno != EAGAIN, errno != EINTR {
            core.drop(self)
            return 0
        }
        if count < bytes.count, !waitsForKernel {
            waitsForKernel = true
            core.watch(self, forOutput: true)
        }
        return max(0, count)
    }
}

@available(*, unavailable)
extension WebSocketConnection: Sendable {}
