import CWslay
import YonderCrypto

/// One side of a WebSocket connection, over bytes in memory: no socket, no clock, no thread.
///
/// Made, owned and called by whoever owns the connection, from one thread at a time; not Sendable.
/// Frames are parsed and made by wslay, which also answers pings and close frames and says the right
/// close code to a peer that breaks the protocol: 1002, 1007 for text that is not UTF-8, 1009 for a
/// message over the limit.
///
/// ```swift
/// let engine = WebSocketEngine(role: .server, maxMessageBytes: 65_536)
/// for event in engine.receive(bytes) { handle(event) }
/// send(engine.takeOutput())
/// ```
public final class WebSocketEngine {
    /// Which side this is: a client masks what it sends, a server does not.
    public enum Role: Sendable { case server, client }

    /// What the peer's bytes came to.
    public enum Event: Sendable, Equatable {
        /// A whole text message, valid UTF-8.
        case text([UInt8])
        /// A whole binary message.
        case binary([UInt8])
        /// A ping; its pong is in the output already.
        case ping
        /// A pong.
        case pong
        /// The peer's close frame; code 0 where it carried none. The answer is in the output already.
        case close(code: UInt16, reason: String)
        /// The peer broke the protocol. A close frame with `code` is in the output, unless one was
        /// sent before.
        case failed(code: UInt16)
    }

    private let role: Role
    private var context: wslay_event_context_ptr?
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    private var output: [UInt8] = []
    private var events: [Event] = []
    private var bytesFed = 0
    private var bytesInFrames = 0
    private var frameBytes = 0
    private var messageIsOpen = false
    private var closeIsQueued = false
    private var hasFailed = false

    /// Makes an engine for a connection whose handshake is done.
    ///
    /// - Parameters:
    ///   - role: The side this engine plays.
    ///   - maxMessageBytes: Largest message taken from the peer, in bytes, over all its fragments; 125,
    ///     which a control frame may have, or more.
    public init(role: Role, maxMessageBytes: Int) {
        self.role = role
        var callbacks = wslay_event_callbacks()
        callbacks.recv_callback = { _, buffer, room, _, user in
            WebSocketEngine.from(user).fill(buffer, room)
        }
        callbacks.send_callback = { _, data, count, _, user in
            WebSocketEngine.from(user).output.append(
                contentsOf: UnsafeBufferPointer(start: data, count: count))
            return count
        }
        callbacks.genmask_callback = { _, buffer, count, _ in
            let room = UnsafeMutableRawBufferPointer(start: buffer, count: count)
            room.copyBytes(from: Crypto.randomBytes(count))
            return 0
        }
        callbacks.on_frame_recv_start_callback = { _, frame, user in
            WebSocketEngine.from(user).frameStarted(frame!.pointee)
        }
        callbacks.on_frame_recv_end_callback = { _, user in
            let engine = WebSocketEngine.from(user)
            engine.bytesInFrames += engine.frameBytes
        }
        callbacks.on_msg_recv_callback = { _, message, user in
            WebSocketEngine.from(user).messageReceived(message!.pointee)
        }
        let user = Unmanaged.passUnretained(self).toOpaque()
        let status =
            switch role {
            case .server: wslay_event_context_server_init(&context, &callbacks, user)
            case .client: wslay_event_context_client_init(&context, &callbacks, user)
            }
        precondition(status == 0, "no memory for a WebSocket")
        wslay_event_config_set_max_recv_msg_length(context, UInt64(max(125, maxMessageBytes)))
    }

    deinit { wslay_event_context_free(context) }

    /// Takes bytes from the peer, split anywhere, and says what they came to.
    ///
    /// Bytes after a close frame or a failure are ignored.
    public func receive(_ bytes: [UInt8]) -> [Event] {
        bytes.withUnsafeBytes { receive($0) }
    }

    /// The same without a copy: the loop reads all its sockets into one buffer.
    package func receive(_ bytes: UnsafeRawBufferPointer) -> [Event] {
        input = bytes
        let status = wslay_event_recv(context)
        input = UnsafeRawBufferPointer(start: nil, count: 0)
        flush()
        let closeReceived = wslay_event_get_close_received(context) != 0
        if !hasFailed, status != 0 || wslay_event_get_read_enabled(context) == 0 && !closeReceived {
            hasFailed = true
            let code = status == 0 && !closeIsQueued ? wslay_event_get_status_code_sent(context) : 1002
            if status != 0, wslay_event_get_close_sent(context) != 0, !closeIsQueued { nameCode(code) }
            events.append(.failed(code: code))
        }
        defer { events = [] }
        return events
    }

    /// Queues one text message in one frame. `payload` must be UTF-8. Ignored after a close.
    public func queueText(_ payload: [UInt8]) { queue(WSLAY_TEXT_FRAME, payload) }

    /// Queues a ping without payload. Ignored after a close.
    public func queuePing() { queue(WSLAY_PING, []) }

    /// Queues a close frame, the last frame this side sends.
    ///
    /// - Parameters:
    ///   - code: 1000...4999, or 0 for none.
    ///   - reason: Cut to 123 bytes.
    public func queueClose(code: UInt16, reason: String) {
        let text = WebSocketFrame.closeReason(reason)
        if wslay_event_queue_close(context, code, text, text.count) == 0 { closeIsQueued = true }
        flush()
    }

    /// All bytes for the peer since the last call, whole frames.
    public func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    /// Nothing is half read, unsent or closing: the owner may free the engine and make a new one for
    /// the next bytes. An engine takes about 9 kB.
    public var isIdle: Bool {
        bytesFed == bytesInFrames && !messageIsOpen && output.isEmpty && !closeIsQueued && !hasFailed
            && wslay_event_get_read_enabled(context) != 0
    }

    /// Both sides have closed, or the peer failed, and all output was taken: the transport may end.
    public var isFinished: Bool {
        output.isEmpty && (hasFailed || wslay_event_get_read_enabled(context) == 0)
    }

    /// `bytesFed - bytesInFrames` is what wslay holds of a frame that is not whole yet.
    private func fill(_ buffer: UnsafeMutablePointer<UInt8>?, _ room: Int) -> Int {
        guard !input.isEmpty else {
            wslay_event_set_error(context, Int32(WSLAY_ERR_WOULDBLOCK.rawValue))
            return -1
        }
        let count = min(room, input.count)
        UnsafeMutableRawBufferPointer(start: buffer, count: count).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: input[..<count]))
        input = UnsafeRawBufferPointer(rebasing: input[count...])
        bytesFed += count
        return count
    }

    private func frameStarted(_ frame: wslay_event_on_frame_recv_start_arg) {
        let length = Int(clamping: frame.payload_length)
        let extended = length < 126 ? 0 : length < 65_536 ? 2 : 8
        frameBytes = (2 + extended + (role == .server ? 4 : 0)).addingReportingOverflow(length).partialValue
        let isControl = frame.opcode >= 8
        if !isControl { messageIsOpen = frame.fin == 0 }
    }

    private func messageReceived(_ message: wslay_event_on_msg_recv_arg) {
        let payload = Array(UnsafeBufferPointer(start: message.msg, count: message.msg_length))
        switch wslay_opcode(UInt32(message.opcode)) {
        case WSLAY_TEXT_FRAME: events.append(.text(payload))
        case WSLAY_BINARY_FRAME: events.append(.binary(payload))
        case WSLAY_PING: events.append(.ping)
        case WSLAY_PONG: events.append(.pong)
        case WSLAY_CONNECTION_CLOSE:
            let reason = String(decoding: payload.dropFirst(2), as: UTF8.self)
            events.append(.close(code: message.status_code, reason: reason))
        default: break
        }
    }

    private func queue(_ opcode: wslay_opcode, _ payload: [UInt8]) {
        payload.withUnsafeBufferPointer { bytes in
            var message = wslay_event_msg(
                opcode: UInt8(opcode.rawValue), msg: bytes.baseAddress, msg_length: bytes.count)
            _ = wslay_event_queue_msg(context, &message)  // refuses after a close, as documented above
        }
        flush()
    }

    /// To a malformed frame header wslay answers with a close frame that says nothing; puts one with
    /// `code` in its place.
    private func nameCode(_ code: UInt16) {
        let said: [UInt8] = [UInt8(code >> 8), UInt8(code & 255)]
        switch role {
        case .server:
            output.removeLast(2)
            output += [0x88, 2] + said
        case .client:
            output.removeLast(6)
            let mask = Crypto.randomBytes(4)
            output += [0x88, 0x82] + mask + [said[0] ^ mask[0], said[1] ^ mask[1]]
        }
    }

    /// Memory takes everything at once, so nothing ever waits inside wslay.
    private func flush() { _ = wslay_event_send(context) }

    private static func from(_ user: UnsafeMutableRawPointer?) -> WebSocketEngine {
        Unmanaged<WebSocketEngine>.fromOpaque(user!).takeUnretainedValue()
    }
}

@available(*, unavailable)
extension WebSocketEngine: Sendable {}
