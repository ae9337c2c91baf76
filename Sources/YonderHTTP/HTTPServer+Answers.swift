import CMicroHTTPD
import Glibc
import Synchronization
import YonderWebSocket

/// MHD calls this once the 101 has gone out. `early` is what the client sent along with its handshake.
///
/// MHD may not be left holding the socket: it would count against the connection limit and keep 22 kB.
/// A duplicate of the descriptor outlives MHD's closing of its own, on plain sockets (a test watches).
func connectionUpgraded(
    _ server: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ held: UnsafeMutableRawPointer?,
    _ early: UnsafePointer<CChar>?, _ earlySize: Int, _ socket: Int32, _ handle: OpaquePointer?
) {
    let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    defer { CMicroHTTPD_upgrade_close(handle) }
    guard descriptor >= 0, let held else { return }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(held).takeUnretainedValue()
    guard case .webSocket(let acceptance) = exchange.reply else {
        close(descriptor)
        return
    }
    let bytes = Array(UnsafeRawBufferPointer(start: early, count: early == nil ? 0 : earlySize))
    acceptance.loop.adopt(
        WebSocketArrival(descriptor: descriptor, early: bytes, context: acceptance.context))
}

extension HTTPServer {
    func answer(_ reply: HTTPReply, _ exchange: HTTPExchange, _ connection: OpaquePointer) -> MHD_Result {
        switch reply {
        case .response(let response):
            return queue(response, connection)
        case .webSocket(let acceptance):
            guard let key = exchange.handshakeKey else {
                return queue(service.failure(.badWebSocketHandshake, for: exchange.head), connection)
            }
            return upgrade(acceptance, key: key, connection)
        }
    }

    private func queue(_ response: HTTPResponse, _ connection: OpaquePointer) -> MHD_Result {
        var status = UInt32(clamping: response.status)
        var body: OpaquePointer?
        switch response.body {
        case .none: body = Self.response(of: [])
        case .bytes(let bytes): body = Self.response(of: bytes)
        case .file(let path):
            body = Self.response(ofFile: path)
            if body == nil {
                status = [EMFILE, ENFILE, ENOMEM].contains(errno) ? 503 : 404
                body = Self.response(of: [])
            }
        }
        return queue(status, body, response.headers, connection)
    }

    private func queue(
        _ status: UInt32, _ response: OpaquePointer?, _ headers: HTTPHeaders, _ connection: OpaquePointer
    ) -> MHD_Result {
        guard let response else { return .NO }
        defer { MHD_destroy_response(response) }
        for field in headers.fields { MHD_add_response_header(response, field.name, field.value) }
        if status != 101, isStopping.load(ordering: .relaxed) {
            MHD_add_response_header(response, "Connection", "close")
        }
        return MHD_queue_response(connection, status, response)
    }

    private static func response(of bytes: [UInt8]) -> OpaquePointer? {
        var bytes = bytes
        return bytes.withUnsafeMutableBytes {
            MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
        }
    }

    private static func response(ofFile path: String) -> OpaquePointer? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        errno = 0
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let response = MHD_create_response_from_fd64(UInt64(status.st_size), descriptor)
        else {
            close(descriptor)
            return nil
        }
        return response  // which closes the descriptor with itself
    }

    private func upgrade(
        _ acceptance: WebSocketAcceptance, key: String, _ connection: OpaquePointer
    ) -> MHD_Result {
        var headers = acceptance.headers
        headers["Upgrade"] = "websocket"
        headers["Sec-WebSocket-Accept"] = WebSocketHandshake.accept(forKey: key)
        headers["Sec-WebSocket-Protocol"] = acceptance.subprotocol
        let this = Unmanaged.passUnretained(self).toOpaque()
        return queue(101, MHD_create_response_for_upgrade(connectionUpgraded, this), headers, connection)
    }
}

extension HTTPExchange {
    /// The handshake's key, `nil` where the request is no handshake (RFC 6455 section 4.2.1).
    var handshakeKey: String? {
        let headers = head.headers
        guard method == "GET", version == "HTTP/1.1", headers.contains("websocket", in: "Upgrade"),
            headers.contains("upgrade", in: "Connection"), headers["Sec-WebSocket-Version"] == "13",
            let key = headers["Sec-WebSocket-Key"], WebSocketHandshake.isValidKey(key)
        else { return nil }
        return key
    }
}
