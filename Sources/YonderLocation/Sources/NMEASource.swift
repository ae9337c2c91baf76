import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A receiver that speaks NMEA 0183: on a serial line, through a pipe, or in a file.
///
/// Position, time, speed and course are read from GGA, RMC, GLL, VTG, GSA, GST and ZDA, headings from HDT, HDG and HDM;
/// a sentence without a right checksum is left out. A line that breaks is opened again after 1, 2, 4 … 30 s; the end of
/// a file is the end, and so is that of a pipe without a name, as a shell makes: nobody can write to it again.
public final class NMEASource: LocationSource {
    public let authorization = AuthorizationStatus.authorizedAlways

    private let broadcast = LocationEventBroadcast()
    private let feed: ByteFeed

    /// Prepares to read; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - path: A serial device as `/dev/ttyUSB0`, a pipe, or a file.
    ///   - baud: Bits a second of a serial line; `nil` = as it is set. Default `nil`.
    public init(path: String, baud: Int? = nil) {
        let (broadcast, reader) = (broadcast, Receiver<NMEAReader>())
        var opening = ByteFeed.Opening { () throws(LocationError) in try Self.open(path, baud) }
        opening.endsWithIt = Self.endsForGood(path)
        feed = ByteFeed(opening, silence: .milliseconds(200)) { signal in
            for event in reader.events(of: signal) { broadcast.send(event) }
        }
    }

    deinit { feed.stop() }

    public var events: AsyncStream<LocationSourceEvent> { broadcast.events() }
    public func start(_ options: LocationOptions) { feed.start() }
    public func stop() { feed.stop() }

    private static func endsForGood(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return true
        case S_IFIFO:
            guard let name = realpath(path, nil) else { return true }
            free(name)
            return false
        default: return false
        }
    }

    private static func open(_ path: String, _ baud: Int?) throws(LocationError) -> Int32 {
        #if canImport(Darwin)
            let descriptor = Darwin.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        #else
            let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        #endif
        guard descriptor >= 0 else {
            throw LocationError(
                .sourceFailed, "cannot open the receiver: \(String(cString: strerror(errno)))")
        }
        guard isatty(descriptor) == 1 else { return descriptor }
        var settings = termios()
        tcgetattr(descriptor, &settings)
        cfmakeraw(&settings)
        if let baud, let speed = speeds[baud] {
            cfsetispeed(&settings, speed)
            cfsetospeed(&settings, speed)
        }
        tcsetattr(descriptor, TCSANOW, &settings)
        return descriptor
    }

    /// The rates at which receivers speak.
    private static let speeds: [Int: speed_t] = [
        4_800: speed_t(B4800), 9_600: speed_t(B9600), 19_200: speed_t(B19200), 38_400: speed_t(B38400),
        57_600: speed_t(B57600), 115_200: speed_t(B115200),
    ]
}
