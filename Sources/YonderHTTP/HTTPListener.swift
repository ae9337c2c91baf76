import Glibc

/// A listening TCP socket, made here and not by MHD so that errors say what is wrong.
struct HTTPListener {
    let descriptor: Int32
    let port: Int

    init(host: String, port: Int) throws(HTTPServerError) {
        guard (0...65_535).contains(port) else {
            throw HTTPServerError(code: .badAddress, message: "port \(port) is not in 0...65535")
        }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV | (host == "localhost" ? 0 : AI_NUMERICHOST)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let list else {
            throw HTTPServerError(code: .badAddress, message: "\"\(host)\" is not an address to listen on")
        }
        defer { freeaddrinfo(list) }

        var failure: Int32 = 0
        for address in sequence(first: list, next: { $0.pointee.ai_next }) {
            if let descriptor = Self.listen(on: address.pointee, failure: &failure) {
                self.descriptor = descriptor
                self.port = Self.boundPort(of: descriptor)
                return
            }
        }
        throw Self.error(failure, host: host, port: port)
    }

    private static func listen(on address: addrinfo, failure: inout Int32) -> Int32? {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.ai_family, type, 0)
        guard descriptor >= 0 else {
            failure = errno
            return nil
        }
        // Without it a restart must wait for the old connections' TIME_WAIT; a live listener still refuses.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0,
            Glibc.listen(descriptor, SOMAXCONN) == 0
        else {
            failure = errno
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func boundPort(of descriptor: Int32) -> Int {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = getsockname(descriptor, address, &length)
            }
            // The port lies at the same place in both families.
            return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                Int(UInt16(bigEndian: $0.pointee.sin_port))
            }
        }
    }

    private static func error(_ number: Int32, host: String, port: Int) -> HTTPServerError {
        let place = "\(host) port \(port)"
        return switch number {
        case EADDRINUSE:
            HTTPServerError(code: .addressInUse, message: "something else listens on \(place)")
        case EACCES, EPERM:
            HTTPServerError(code: .permissionDenied, message: "this user may not listen on \(place)")
        case EADDRNOTAVAIL, EAFNOSUPPORT, EINVAL:
            HTTPServerError(code: .badAddress, message: "\(host) is no address of this machine")
        default:
            HTTPServerError(code: .unavailable, message: "cannot listen on \(place): errno \(number)")
        }
    }
}
