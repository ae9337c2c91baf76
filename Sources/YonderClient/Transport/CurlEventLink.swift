#if os(Linux)
    import Foundation
    import Synchronization
    import YonderCurl
    import YonderWebSocket

    /// A WebSocket over libcurl's connection, with wslay for the frames, on a thread of its own.
    final class CurlEventLink: EventLink {
        private struct State {
            var outbox: [[UInt8]] = []
            var isClosing = false
        }

        /// Frames that may wait for the reader; one that reads slower than that loses the link, and the
        /// next one begins where it stopped.
        private static let maxWaiting = 10_000
        /// Silence after which the link is called dead; the server says something every 25 s.
        static let silenceLimit = Duration.seconds(60)

        let frames: AsyncStream<EventLinkSignal>
        private let continuation: AsyncStream<EventLinkSignal>.Continuation
        private let waker = CurlWaker()
        private let state = Mutex(State())

        private init() {
            (frames, continuation) = AsyncStream.makeStream(
                bufferingPolicy: .bufferingOldest(Self.maxWaiting))
        }

        /// Connects and shakes hands.
        static func open(
            baseURL: String, caFile: String?, token: Token
        ) async throws(ClientError) -> CurlEventLink {
            let link = CurlEventLink()
            let failure: ClientError? = await withCheckedContinuation { opened in
                let thread = Thread {
                    do throws(ClientError) {
                        let socket = try CurlWebSocket(baseURL: baseURL, caFile: caFile, token: token)
                        opened.resume(returning: nil)
                        link.run(socket)
                    } catch {
                        opened.resume(returning: error)
                    }
                }
                thread.name = "yonder-events"
                thread.start()
            }
            if let failure { throw failure }
            return link
        }

        func send(_ text: [UInt8]) {
            state.withLock { if !$0.isClosing { $0.outbox.append(text) } }
            waker.wake()
        }

        func close() {
            state.withLock { $0.isClosing = true }
            waker.wake()
        }

        /// The thread's work: bytes in, frames out and the other way round, until one side has had enough.
        private func run(_ socket: CurlWebSocket) {
            var code: UInt16 = 0
            defer {
                state.withLock { $0.isClosing = true }
                _ = continuation.yield(.closed(code: code))
                continuation.finish()
            }
            var lastHeard = ContinuousClock.now
            var closingSince: ContinuousClock.Instant?
            while true {
                let (texts, isClosing) = state.withLock { state in
                    defer { state.outbox = [] }
                    return (state.outbox, state.isClosing)
                }
                for text in texts { socket.engine.queueText(text) }
                if isClosing, closingSince == nil {
                    closingSince = .now
                    socket.engine.queueClose(code: 1000, reason: "")
                }
                guard let events = socket.exchange() else { return }
                if !events.isEmpty { lastHeard = .now }
                for event in events {
                    switch event {
                    case .text(let bytes):
                        if case .dropped = continuation.yield(.text(bytes)) { return }
                    case .close(let sent, _): code = sent
                    case .failed(let broken): code = broken
                    case .binary, .ping, .pong: break
                    }
                }
                if socket.engine.isFinished && !socket.hasOutput { return }
                if let closingSince, closingSince.duration(to: .now) > .seconds(1) { return }
                if lastHeard.duration(to: .now) > Self.silenceLimit { return }
                socket.wait(waker)
            }
        }
    }
#endif
