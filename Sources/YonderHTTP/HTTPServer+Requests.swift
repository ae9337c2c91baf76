import CMicroHTTPD
import Synchronization

// MHD calls the access handler once with the head, then for each piece of the body, then with no piece
// when the request is whole, and once more after every resume.

func requestReceived(
    _ server: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ piece: UnsafePointer<CChar>?,
    _ pieceSize: UnsafeMutablePointer<Int>?, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let server, let connection, let url, let method, let version, let pieceSize, let slot else {
        return .NO
    }
    let this = Unmanaged<HTTPServer>.fromOpaque(server).takeUnretainedValue()
    guard let held = slot.pointee else {
        let exchange = this.makeExchange(
            connection, path: String(cString: url), method: String(cString: method),
            version: String(cString: version))
        slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
        this.liveRequests.wrappingAdd(1, ordering: .relaxed)
        return this.headReceived(exchange, connection)
    }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(held).takeUnretainedValue()
    guard pieceSize.pointee == 0 else {
        let excess = exchange.append(UnsafeRawBufferPointer(start: piece, count: pieceSize.pointee))
        pieceSize.pointee = 0
        return excess > HTTPServer.excessReadBytes ? .NO : .YES
    }
    return this.bodyReceived(exchange, connection)
}

func requestCompleted(
    _ server: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
    guard let server, let slot, let held = slot.pointee else { return }
    slot.pointee = nil
    Unmanaged<HTTPExchange>.fromOpaque(held).release()
    let this = Unmanaged<HTTPServer>.fromOpaque(server).takeUnretainedValue()
    this.liveRequests.wrappingSubtract(1, ordering: .releasing)
}

/// MHD would unescape the path in place, and `%2F` could no longer be told from `/`.
func leaveEscaped(
    _ server: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ text: UnsafeMutablePointer<CChar>?
) -> Int {
    guard let text else { return 0 }
    return UnsafePointer(text).withMemoryRebound(to: UInt8.self, capacity: 1) { bytes in
        sequence(first: bytes, next: { $0 + 1 }).first { $0.pointee == 0 }! - bytes
    }
}

extension HTTPServer {
    /// A body this much over its limit is still read to its end, so that the client, which reads only
    /// after it has written, gets its 413.
    static let excessReadBytes = 1 << 20

    func makeExchange(_ connection: OpaquePointer, path: String, method: String, version: String)
        -> HTTPExchange
    {
        let headers = HTTPHeaders(of: connection)
        let head = HTTPRequestHead(
            method: method == "HEAD" ? "GET" : method, path: path, query: HTTPQuery(of: connection),
            headers: headers, peer: proxies.client(peer: peerAddress(of: connection), headers: headers))
        return HTTPExchange(
            head: head, method: method, version: version, bodyLimit: service.bodyLimit(for: head))
    }

    func headReceived(_ exchange: HTTPExchange, _ connection: OpaquePointer) -> MHD_Result {
        guard let refusal = refusal(of: exchange) else { return .YES }
        // Kept as well: a daemon that stops meanwhile drops the answer, and comes with the body.
        _ = exchange.finish(.response(refusal))
        return answer(.response(refusal), exchange, connection)
    }

    /// The answer to a request whose body is not waited for.
    private func refusal(of exchange: HTTPExchange) -> HTTPResponse? {
        let head = exchange.head
        if waiting.isRefusing { return service.failure(.stopping, for: head) }
        if head.hasAmbiguousFraming {
            var refusal = service.failure(.ambiguousFraming, for: head)
            refusal.headers["Connection"] = "close"
            return refusal
        }
        let announced = max(0, head.headers["Content-Length"].flatMap { Int($0) } ?? 0)
        let waitsForLeave = head.headers.contains("100-continue", in: "Expect")
        let excess = announced - (waitsForLeave ? 0 : Self.excessReadBytes)
        return excess > exchange.bodyLimit ? service.failure(.bodyTooLarge, for: head) : nil
    }

    func bodyReceived(_ exchange: HTTPExchange, _ connection: OpaquePointer) -> MHD_Result {
        if let reply = exchange.reply { return answer(reply, exchange, connection) }
        if exchange.isTooLarge {
            return answer(.response(service.failure(.bodyTooLarge, for: exchange.head)), exchange, connection)
        }
        return run(exchange, connection)
    }

    /// Runs the handler here until it first waits; only then the connection is suspended, which costs
    /// three times what a plain answer does.
    private func run(_ exchange: HTTPExchange, _ connection: OpaquePointer) -> MHD_Result {
        let request = exchange.begin()
        let handle = HTTPConnectionHandle(pointer: connection)
        let task = Task.immediate { [service, waiting] in
            let reply = await service.respond(to: request)
            if exchange.finish(reply) {
                handle.resume()
                waiting.remove(exchange)
            }
        }
        if let reply = exchange.reply { return answer(reply, exchange, connection) }

        guard waiting.add(exchange, handle, task) else {
            task.cancel()
            _ = exchange.finish(.response(service.failure(.stopping, for: exchange.head)))
            return answer(exchange.reply!, exchange, connection)
        }
        MHD_suspend_connection(connection)
        if !exchange.markSuspended() {
            handle.resume()
            waiting.remove(exchange)
        }
        return .YES
    }
}

extension HTTPRequestHead {
    /// Whether another reader could see another body: both kinds of length, two lengths, a coding that is
    /// not ours, or a name that is a length but for a blank.
    fileprivate var hasAmbiguousFraming: Bool {
        let lengths = headers.values(of: "Content-Length")
        let codings = headers.values(of: "Transfer-Encoding")
        if lengths.count + codings.count > 1 { return true }
        if let coding = codings.first, coding.lowercased() != "chunked" { return true }
        return headers.fields.contains { $0.name.utf8.contains { $0 == 0x20 || $0 == 0x09 } }
    }
}
