import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The receivers of a gpsd, which shares them between all programs of a machine.
///
/// A gpsd that is not there yet, or is started again, is tried after 1, 2, 4 … 30 s.
public final class GPSDSource: LocationSource {
    public let authorization = AuthorizationStatus.authorizedAlways

    private let broadcast = LocationEventBroadcast()
    private let feed: ByteFeed

    /// Prepares to connect; nothing happens yet.
    ///
    /// - Parameters:
    ///   - host: Where gpsd runs. Default `localhost`.
    ///   - port: Its port. Default 2947.
    public init(host: String = "localhost", port: Int = 2947) {
        let (broadcast, reader) = (broadcast, Receiver<GPSDReader>())
        let opening = ByteFeed.Opening(
            open: { () throws(LocationError) in try Self.connect(host, port) },
            greeting: Array("?WATCH={\"enable\":true,\"json\":true}\n".utf8))
        feed = ByteFeed(opening, silence: .milliseconds(200)) { signal in
            for event in reader.events(of: signal) { broadcast.send(event) }
        }
    }

    deinit { feed.stop() }

    public var events: AsyncStream<LocationSourceEvent> { broadcast.events() }
    public func start(_ options: LocationOptions) { feed.start() }
    public func stop() { feed.stop() }

    private static func connect(_ host: String, _ port: Int) throws(LocationError) -> Int32 {
        var hints = addrinfo()
        #if canImport(Darwin)
            hints.ai_socktype = SOCK_STREAM
        #else
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0 else {
            throw LocationError(.sourceFailed, "gpsd's host is not known")
        }
        defer { freeaddrinfo(found) }
        var address = found
        while let entry = address?.pointee {
            let descriptor = socket(entry.ai_family, entry.ai_socktype, entry.ai_protocol)
            if descriptor >= 0 {
                if isConnected(descriptor, entry) { return descriptor }
                close(descriptor)
            }
            address = entry.ai_next
        }
        throw LocationError(.sourceFailed, "gpsd does not answer on port \(port)")
    }

    /// Waits 5 s at most.
    private static func isConnected(_ descriptor: Int32, _ address: addrinfo) -> Bool {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        #if canImport(Darwin)
            let status = Darwin.connect(descriptor, address.ai_addr, address.ai_addrlen)
        #else
            let status = Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen)
        #endif
        if status == 0 { return true }
        guard errno == EINPROGRESS else { return false }
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&entry, 1, 5_000) == 1 else { return false }
        var failure: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size) == 0 && failure == 0
    }
}
