public import Foundation
import Glibc

/// A receiver that a test is: the far end of a pseudo terminal.
public final class PretendReceiver: Sendable {
    /// What a program opens as its serial device.
    public let path: String
    private let descriptor: Int32
    /// Held open, so that the line outlives whoever reads it.
    private let far: Int32

    /// Opens a pseudo terminal.
    public init() throws {
        var (near, far): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        guard openpty(&near, &far, &name, nil, nil) == 0 else { throw POSIXError(.ENXIO) }
        // No program that a test starts holds the line.
        for end in [near, far] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        descriptor = near
        self.far = far
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        // gpsd gives up its rights once it runs.
        chmod(path, 0o666)
        var settings = termios()
        tcgetattr(descriptor, &settings)
        cfmakeraw(&settings)
        tcsetattr(descriptor, TCSANOW, &settings)
    }

    deinit {
        close(descriptor)
        close(far)
    }

    /// Says sentences, given without their beginning and checksum.
    public func say(_ bodies: [String]) {
        for body in bodies {
            let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
            let bytes = Array("$\(body)*\(sum.count == 1 ? "0" : "")\(sum)\r\n".utf8)
            _ = write(descriptor, bytes, bytes.count)
        }
    }

    /// Says a place of this moment in full, as most receivers do; `nil` = that there is none.
    public func say(_ place: (latitude: Double, longitude: Double)?, at date: Date, knots: Double = 10) {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "HHmmss.SS"
        let time = format.string(from: date)
        format.dateFormat = "ddMMyy"
        let day = format.string(from: date)
        guard let place else {
            return say(["GPGGA,\(time),,,,,0,00,,,M,,M,,", "GPRMC,\(time),V,,,,,,,\(day),,,N"])
        }
        func angle(_ degrees: Double, _ width: Int) -> String {
            let whole = Int(abs(degrees))
            let minutes = (abs(degrees) - Double(whole)) * 60
            let text = String(whole)
            return String(repeating: "0", count: width - text.count) + text
                + String(format: "%09.6f", minutes)
        }
        let north = place.latitude >= 0 ? "N" : "S"
        let east = place.longitude >= 0 ? "E" : "W"
        let spot = "\(angle(place.latitude, 2)),\(north),\(angle(place.longitude, 3)),\(east)"
        say([
            "GPGGA,\(time),\(spot),1,08,0.9,12.5,M,18.0,M,,",
            "GPGSA,A,3,04,05,09,12,24,25,29,31,,,,,1.5,0.9,1.2",
            "GPRMC,\(time),A,\(spot),\(knots),045.0,\(day),,,A",
        ])
    }
}

/// A real gpsd on a port of its own.
public struct RealGPSD: Sendable {
    public let port: Int
    public let process: ChildProcess

    /// Starts it on a receiver.
    ///
    /// - Parameters:
    ///   - receiver: Whom it listens to.
    ///   - port: Where it answers; `nil` = a free one. Default `nil`.
    /// - Returns: `nil` where there is no gpsd on this machine.
    /// - Throws: `POSIXError` where it does not start.
    public static func start(on receiver: PretendReceiver, port: Int? = nil) throws -> RealGPSD? {
        let program = "/usr/sbin/gpsd"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            print("skipped: gpsd is missing")
            return nil
        }
        let port = try port ?? LoopbackPort.free()
        let process = try ChildProcess(
            URL(filePath: program), ["-N", "-n", "-b", "-S", String(port), receiver.path], environment: [:])
        return RealGPSD(port: port, process: process)
    }
}
