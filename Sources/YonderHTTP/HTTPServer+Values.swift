import CMicroHTTPD
import Glibc

// Everything here copies out of MHD's memory, which lives as long as the request.

extension HTTPHeaders {
    init(of connection: OpaquePointer) {
        self.init()
        _ = withUnsafeMutablePointer(to: &self) { headers in
            MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { headers, _, name, nameSize, value, valueSize in
                    headers!.assumingMemoryBound(to: HTTPHeaders.self).pointee.add(
                        String(decoding: bytes(name, nameSize), as: UTF8.self),
                        String(decoding: bytes(value, valueSize), as: UTF8.self))
                    return .YES
                }, headers)
        }
    }
}

extension HTTPQuery {
    init(of connection: OpaquePointer) {
        self.init()
        _ = withUnsafeMutablePointer(to: &self) { query in
            MHD_get_connection_values_n(
                connection, .GET_ARGUMENT_KIND,
                { query, _, name, nameSize, value, valueSize in
                    query!.assumingMemoryBound(to: HTTPQuery.self).pointee.items.append(
                        Item(
                            name: HTTPQuery.decode(bytes(name, nameSize)),
                            value: HTTPQuery.decode(bytes(value, valueSize))))
                    return .YES
                }, query)
        }
    }
}

private func bytes(_ text: UnsafePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
        start: text.map { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) },
        count: text == nil ? 0 : count)
}

/// The numeric address of the other end, without port; `""` where MHD does not know it.
func peerAddress(of connection: OpaquePointer) -> String {
    guard let address = CMicroHTTPD_peer(connection) else { return "" }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
        var address = raw.load(as: sockaddr_in.self).sin_addr
        inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
    case AF_INET6:
        var address = raw.load(as: sockaddr_in6.self).sin6_addr
        inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
    default: return ""
    }
    let peer = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let mapped = "::ffff:"
    return peer.hasPrefix(mapped) && peer.contains(".") ? String(peer.dropFirst(mapped.count)) : peer
}
