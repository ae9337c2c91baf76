#if os(Linux)
    import Synchronization
    import YonderCurl
    import YonderWebSocket

    /// A WebSocket over libcurl's connection, with wslay for the frames, on a thread of its own.
    final class CurlEventLink: EventLink {
        private struct State {
            var outbox: [[UInt8]] = []
            var waitingBytes = 0
            var isClosing = false
            var isOver = false
            var closers: [CheckedContinuation<Void, Never>] = []
            var opening: CheckedContinuation<ClientError?, Never>?
        }

        /// Frames that may wait for the reader; one that reads slower than that loses the link, and the
        /// next one begins where it stopped.
        private static let maxWaiting = 10_000
        /// The same in bytes: twice the longest frame.
        private static let maxWaitingBytes = 32 * 1024 * 1024
        /// Silence after which the link is called dead.
        private let silenceLimit: Duration
        let frames: AsyncStream<EventLinkSignal>
        private let continuation: AsyncStream<EventLinkSignal>.Continuation
        private let waker = CurlWaker()
        private let state = Mutex(State())

        private init(silenceLimit: Duration) {
            self.silenceLimit = silenceLimit
            (frames, continuation) = AsyncStream.makeStream(
                bufferingPolicy: .bufferingOldest(Self.maxWaiting))
        }

        /// Connects and shakes hands. Cancelled, it returns at once, and the thread ends by itself.
        static func open(
            baseURL: String, caFile: String?, token: Token, silenceLimit: Duration = .seconds(60)
        ) async throws(ClientError) -> CurlEventLink {
            let link = CurlEventLink(silenceLimit: silenceLimit)
            let failure: ClientError? = await withTaskCancellationHandler {
                await withCheckedContinuation { opening in
                    link.state.withLock { $0.opening = opening }
                    if Task.isCancelled { return link.abandon() }
                    CurlThread.detach(name: "yonder-events") {
                        link.work(baseURL: baseURL, caFile: caFile, token: token)
                        link.finish()
                    }
                }
            } onCancel: {
                link.abandon()
            }
            if let failure { throw failure }
            return link
        }

        private func abandon() {
            state.withLock { $0.isClosing = true }
            waker.wake()
            opened(.cancelled)
        }

        /// Answers ``open(baseURL:caFile:token:)``, unless that is done.
        private func opened(_ failure: ClientError?) {
            let opening = state.withLock { state in
                defer { state.opening = nil }
                return state.opening
            }
            opening?.resume(returning: failure)
        }

        func handled(bytes: Int) { state.withLock { $0.waitingBytes -= bytes } }

        func send(_ text: [UInt8]) {
            state.withLock { if !$0.isClosing { $0.outbox.append(text) } }
            waker.wake()
        }

        func close() async {
            await withCheckedContinuation { (closer: CheckedContinuation<Void, Never>) in
                let isOver = state.withLock { state in
                    state.isClosing = true
                    if !state.isOver { state.closers.append(closer) }
                    return state.isOver
                }
                if isOver { closer.resume() }
                waker.wake()
            }
        }

        /// The thread's life. The socket is let go when this returns: after ``finish()`` a process may end
        /// without OpenSSL being at work on another thread.
        private func work(baseURL: String, caFile: String?, token: Token) {
            do throws(ClientError) {
                let socket = try CurlWebSocket(
                    baseURL: baseURL, caFile: caFile, token: token, waker: waker
                ) { state.withLock { $0.isClosing } }
                opened(nil)
                run(socket)
            } catch {
                opened(error)
            }
        }

        private func finish() {
            let closers = state.withLock { state in
                state.isOver = true
                defer { state.closers = [] }
                return state.closers
            }
            for closer in closers { closer.resume() }
        }

        /// The thread's work: bytes in, frames out and the other way round, until one side has had enough.
        private func run(_ socket: CurlWebSocket) {
            var code: UInt16 = 0
            var lastHeard = ContinuousClock.now
            var closingSince: ContinuousClock.Instant?
            while hasTime(lastHeard, closingSince) {
                if queueOutbox(on: socket), closingSince == nil { closingSince = .now }
                guard let events = socket.exchange() else { break }
                if !events.isEmpty { lastHeard = .now }
                guard deliver(events, &code) else { break }
                if socket.engine.isFinished, !socket.hasOutput { break }
                socket.wait(waker)
            }
            state.withLock { $0.isClosing = true }
            continuation.yield(.closed(code: code))
            continuation.finish()
        }

        /// Whether the peer may still be waited for: a close gets a second.
        private func hasTime(
            _ lastHeard: ContinuousClock.Instant, _ closingSince: ContinuousClock.Instant?
        ) -> Bool {
            if let closingSince, closingSince.duration(to: .now) > .seconds(1) { return false }
            return lastHeard.duration(to: .now) < silenceLimit
        }

        /// - Returns: Whether this side has closed.
        private func queueOutbox(on socket: CurlWebSocket) -> Bool {
            let (texts, isClosing) = state.withLock { state in
                defer { state.outbox = [] }
                return (state.outbox, state.isClosing)
            }
            for text in texts { socket.engine.queueText(text) }
            if isClosing { socket.engine.queueClose(code: 1000, reason: "") }
            return isClosing
        }

        /// - Returns: Whether the reader keeps up.
        private func deliver(_ events: [WebSocketEngine.Event], _ code: inout UInt16) -> Bool {
            for event in events {
                switch event {
                case .text(let bytes):
                    let waiting = state.withLock { state in
                        state.waitingBytes += bytes.count
                        return state.waitingBytes
                    }
                    if waiting > Self.maxWaitingBytes { return false }
                    if case .dropped = continuation.yield(.text(bytes)) { return false }
                case .close(let sent, _): code = sent
                case .failed(let broken): code = broken
                case .binary, .ping, .pong: break
                }
            }
            return true
        }
    }
#endif
