import CYonderShims
import Glibc
import YonderWebSocket

/// What lives on a loop's thread: the epoll set and the connections.
final class WebSocketLoopCore {
    let delegate: any WebSocketLoopDelegate
    private let maxMessageBytes: Int
    /// One that nobody uses: most messages come whole, and making an engine costs more than reading them.
    private var spareEngine: WebSocketEngine?
    /// Read once a turn; connections go by it.
    private(set) var now = ContinuousClock.now

    /// Whether what is sent waits for the end of the delegate's `poll`.
    private(set) var isGathering = false

    private let loop: WebSocketLoop
    private var unsent: [WebSocketConnection] = []
    private let epoll: Int32
    private var connections: [UInt64: WebSocketConnection] = [:]
    private var lastID: UInt64 = 0
    /// Lost in this turn. Freed at its end, so that no descriptor number is reused within a turn.
    private var lost: [WebSocketConnection] = []
    private var nextCheck = ContinuousClock.now
    private var stopsAt: ContinuousClock.Instant?

    init(loop: WebSocketLoop, delegate: any WebSocketLoopDelegate, maxMessageBytes: Int) {
        self.loop = loop
        self.delegate = delegate
        self.maxMessageBytes = maxMessageBytes
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        precondition(epoll >= 0, "no descriptor for an epoll set")
        control(EPOLL_CTL_ADD, loop.event, EPOLLIN.rawValue, id: 0)
    }

    deinit { Glibc.close(epoll) }

    func run() {
        let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 256)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer {
            events.deallocate()
            buffer.deallocate()
        }
        while true {
            takeInbox()
            let due = stopsAt == nil ? poll() : nil
            checkConnections()
            forgetLost()
            if let stopsAt, connections.isEmpty || now >= stopsAt { break }

            let ready = epoll_wait(epoll, events.baseAddress, Int32(events.count), timeout(due))
            now = ContinuousClock.now
            for index in 0..<max(0, Int(ready)) { handle(events[index], buffer) }
            forgetLost()
        }
        for connection in connections.values { drop(connection) }
        forgetLost()
    }

    private func poll() -> ContinuousClock.Instant? {
        isGathering = true
        let due = delegate.poll(now: now)
        isGathering = false
        while let connection = unsent.popLast() { connection.flush() }
        return due
    }

    /// Something waits for the end of the delegate's `poll`.
    func gathered(for connection: WebSocketConnection) { unsent.append(connection) }

    private func handle(_ event: epoll_event, _ buffer: UnsafeMutableRawBufferPointer) {
        guard event.data.u64 != 0 else { return loop.acknowledgeWake() }
        guard let connection = connections[event.data.u64] else { return }
        if event.events & EPOLLOUT.rawValue != 0 { connection.becameWritable() }
        if event.events & ~EPOLLOUT.rawValue != 0 { connection.becameReadable(buffer) }
    }

    private func takeInbox() {
        let (arrivals, stopCode) = loop.takeInbox()
        for arrival in arrivals { adopt(arrival) }
        guard let stopCode, stopsAt == nil || !arrivals.isEmpty else { return }
        stopsAt = stopsAt ?? now + WebSocketConnection.lingering
        for connection in connections.values { connection.close(code: stopCode) }
    }

    private func adopt(_ arrival: WebSocketArrival) {
        arrival.setOptions()
        lastID += 1
        let connection = WebSocketConnection(id: lastID, arrival: arrival, core: self)
        connections[lastID] = connection
        control(EPOLL_CTL_ADD, arrival.descriptor, EPOLLIN.rawValue, id: lastID)
        delegate.opened(connection)
        // The socket may never become readable again.
        arrival.early.withUnsafeBytes { connection.received($0) }
    }

    /// A turn at least every second while there are connections, ten times a second while some close.
    func closingBegan() { nextCheck = min(nextCheck, now + .milliseconds(100)) }

    private func checkConnections() {
        guard now >= nextCheck else { return }
        nextCheck = now + .seconds(1)
        for connection in connections.values {
            connection.check(at: now)
            if !connection.isOpen { closingBegan() }
        }
    }

    private func timeout(_ due: ContinuousClock.Instant?) -> Int32 {
        var wake = due
        if !connections.isEmpty { wake = min(wake ?? nextCheck, nextCheck) }
        if let stopsAt { wake = min(wake ?? stopsAt, stopsAt) }
        guard let wake else { return -1 }
        let wait = ContinuousClock.now.duration(to: wake).components
        guard wait.seconds >= 0, wait.attoseconds >= 0 else { return 0 }
        // Rounded up, or the last millisecond would be spent spinning.
        let milliseconds =
            wait.seconds * 1000 + (wait.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: milliseconds)
    }

    /// An engine at the beginning of a frame.
    func takeEngine() -> WebSocketEngine {
        defer { spareEngine = nil }
        return spareEngine ?? WebSocketEngine(role: .server, maxMessageBytes: maxMessageBytes)
    }

    /// Takes back an engine that is idle.
    func keep(_ engine: WebSocketEngine) { spareEngine = engine }

    func watch(_ connection: WebSocketConnection, forOutput: Bool) {
        let events = EPOLLIN.rawValue | (forOutput ? EPOLLOUT.rawValue : 0)
        control(EPOLL_CTL_MOD, connection.descriptor, events, id: connection.id)
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32, id: UInt64) {
        var event = epoll_event(events: events, data: epoll_data_t(u64: id))
        epoll_ctl(epoll, operation, descriptor, &event)
    }

    /// The connection is over; `closed` follows at the end of the turn.
    func drop(_ connection: WebSocketConnection) {
        if case .dead = connection.state { return }
        connection.state = .dead
        lost.append(connection)
    }

    private func forgetLost() {
        while let connection = lost.popLast() {
            // Explicitly: epoll watches the open file, which MHD's descriptor may still keep open.
            epoll_ctl(epoll, EPOLL_CTL_DEL, connection.descriptor, nil)
            Glibc.close(connection.descriptor)
            connections[connection.id] = nil
            loop.connectionLeft()
            delegate.closed(connection)
            // What the owner attached usually holds the connection.
            connection.attachment = nil
        }
    }
}
