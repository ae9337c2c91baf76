import CMicroHTTPD
import Glibc
import Synchronization

/// An HTTP/1.1 server: MHD's threads read requests, a service answers them.
///
/// Made and owned by whoever runs the service. While it runs it keeps itself alive; `stop(within:)` ends
/// that.
///
/// ```swift
/// let server = HTTPServer(configuration: HTTPServerConfiguration(port: 8080), service: service)
/// let port = try server.start()
/// // …
/// await server.stop(within: .seconds(5))
/// ```
public final class HTTPServer: Sendable {
    /// Sendable although it is a pointer: MHD locks its daemon itself, and `state` lets exactly one
    /// caller of `stop` take it away.
    private struct Daemon: @unchecked Sendable {
        let pointer: OpaquePointer
        let listener: Int32
    }

    private enum State {
        case idle
        case running(Daemon)
        case stopped
    }

    let service: any HTTPService
    let waiting = HTTPWaiting()
    /// Requests between their head and the end of their answer.
    let liveRequests = Atomic<Int>(0)
    let isStopping = Atomic<Bool>(false)
    var proxies: TrustedProxies { configuration.proxies }
    private let configuration: HTTPServerConfiguration
    private let state = Mutex(State.idle)

    /// Makes a server that does not listen yet.
    public init(configuration: HTTPServerConfiguration, service: any HTTPService) {
        self.configuration = configuration
        self.service = service
    }

    /// Listens and answers from now on, on threads of its own.
    ///
    /// - Returns: The port, which the system chose where the configuration says 0.
    /// - Throws: `HTTPServerError` with code `.addressInUse`, `.badAddress`, `.permissionDenied`,
    ///   `.unavailable`, or `.alreadyStarted`.
    public func start() throws(HTTPServerError) -> Int {
        try state.withLock { state throws(HTTPServerError) in
            guard case .idle = state else {
                throw HTTPServerError(code: .alreadyStarted, message: "a server starts once")
            }
            let listener = try HTTPListener(host: configuration.host, port: configuration.port)
            let this = Unmanaged.passRetained(self)
            guard let daemon = startDaemon(on: listener.descriptor, this.toOpaque()) else {
                this.release()
                close(listener.descriptor)
                throw HTTPServerError(code: .unavailable, message: "MHD did not start")
            }
            state = .running(Daemon(pointer: daemon, listener: listener.descriptor))
            return listener.port
        }
    }

    private func startDaemon(on listener: Int32, _ this: UnsafeMutableRawPointer) -> OpaquePointer? {
        let flags =
            MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
            | MHD_ALLOW_UPGRADE.rawValue
        return CMicroHTTPD_start(
            flags, listener, requestReceived, requestCompleted, leaveEscaped, this,
            UInt32(max(2, configuration.threads)), UInt32(max(2, configuration.connectionLimit)),
            UInt32(max(1, configuration.idleSeconds)), max(2048, configuration.headerBytes))
    }

    /// Accepts nothing more, lets the live requests end, then closes every connection.
    ///
    /// After `limit` the handlers still running are cancelled and `failure(.stopping, for:)` answers in
    /// their place. WebSockets live on in their loops, whose owner stops them. A second call does nothing.
    public func stop(within limit: Duration) async {
        let daemon = state.withLock { state -> Daemon? in
            defer { state = .stopped }
            guard case .running(let daemon) = state else { return nil }
            return daemon
        }
        guard let daemon else { return }
        isStopping.store(true, ordering: .relaxed)
        // Not MHD_quiesce_daemon: it races with the workers over the listener's place in their epoll sets,
        // and the loser aborts the process (daemon.c 4972 and 5527 of 0.9.75). A listener that is shut down
        // refuses as well; until the daemon stops, its workers look at it in vain.
        shutdown(daemon.listener, Int32(SHUT_RDWR))

        await untilNoRequestIsLive(within: limit)
        waiting.refuseAll { .response(service.failure(.stopping, for: $0)) }
        // MHD_stop_daemon aborts the process over a suspended connection.
        while waiting.count > 0 { await Task.yield() }
        await untilNoRequestIsLive(within: .seconds(1))

        MHD_stop_daemon(daemon.pointer)  // which closes the listener
        Unmanaged.passUnretained(self).release()
    }

    private func untilNoRequestIsLive(within limit: Duration) async {
        let deadline = ContinuousClock.now + limit
        while liveRequests.load(ordering: .acquiring) > 0, ContinuousClock.now < deadline {
            // Also where the caller was cancelled: to stop is often all that it still has to do.
            if (try? await Task.sleep(for: .milliseconds(5))) == nil { await Task.yield() }
        }
    }

    /// Connections MHD holds, WebSockets excluded: those were duplicated away.
    var connectionCount: Int {
        state.withLock { state in
            guard case .running(let daemon) = state else { return 0 }
            return Int(CMicroHTTPD_connection_count(daemon.pointer))
        }
    }
}
