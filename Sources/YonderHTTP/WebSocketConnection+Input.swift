import Glibc
import YonderWebSocket

extension WebSocketConnection {
    /// The socket has bytes, or its end.
    func becameReadable(_ buffer: UnsafeMutableRawBufferPointer) {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        switch count {
        case 1...: received(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        case 0: core.drop(self)
        default: if errno != EAGAIN, errno != EINTR { core.drop(self) }
        }
    }

    /// Bytes of the peer; dropped unless the connection is open.
    func received(_ bytes: UnsafeRawBufferPointer) {
        guard isOpen, !bytes.isEmpty else { return }
        liveness.heard(at: core.now)
        let engine = self.engine ?? core.takeEngine()
        self.engine = engine
        for event in engine.receive(bytes) {
            guard isOpen else { return }
            switch event {
            case .text(let payload): core.delegate.received(self, text: payload)
            case .binary: close(code: 1003, reason: "text only")
            case .ping, .pong: break
            case .close, .failed: beginClosing(engine.takeOutput())
            }
        }
        let output = engine.takeOutput()
        if !output.isEmpty { enqueue(output) }
        guard engine.isIdle, isOpen else { return }
        self.engine = nil
        core.keep(engine)
    }

    /// Does what the time asks for.
    func check(at now: ContinuousClock.Instant) {
        switch state {
        case .open:
            switch liveness.check(at: now) {
            case .nothing: break
            case .ping: enqueue(WebSocketFrame.ping)
            case .drop: core.drop(self)
            }
        case .closing(let deadline), .draining(let deadline):
            if now >= deadline { core.drop(self) }
        case .dead: break
        }
    }
}
