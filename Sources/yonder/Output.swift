import Foundation

/// Lines on the standard streams, each written whole and at once, so that they arrive in pipes too.
enum Output {
    /// A line on standard output. That nobody reads any more is no reason to stop: a share goes on.
    static func line(_ text: String) { _ = write(text + "\n", to: 1) }

    /// The same for a command that does nothing but write: ends the process where nobody reads any more.
    static func lineOrLeave(_ bytes: [UInt8]) {
        if !write(bytes + [UInt8(ascii: "\n")], to: 1) { leave(0) }
    }

    /// Ends the process, without the C library's clean-up: that takes OpenSSL away from the threads that
    /// are still at work.
    static func leave(_ status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }

    /// A line on standard error, after the command's name.
    static func problem(_ text: String, as name: String? = "yonder") {
        _ = write((name.map { "\($0): " } ?? "") + text + "\n", to: 2)
    }

    /// A text of somebody else's for a terminal: without control characters and direction marks.
    static func plain(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isControl = [.control, .format, .lineSeparator, .paragraphSeparator]
                .contains(scalar.properties.generalCategory)
            scalars.append(isControl && scalar != "\u{200D}" ? " " : scalar)
        }
        return String(scalars)
    }

    private static func write(_ text: String, to stream: Int32) -> Bool {
        write(Array(text.utf8), to: stream)
    }

    private static func write(_ bytes: [UInt8], to stream: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(stream, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
