import Foundation
import YonderModel
import YonderRules
import YonderStore

/// The server's log: one line an event on standard error.
///
/// Holds ids of requests and kinds of errors; never a position, a token or message text.
package struct Log: Sendable {
    private let write: @Sendable (String) -> Void

    /// Logs to standard error.
    ///
    /// A line that cannot be written, on a full disk say, is lost: no reason to stop serving.
    package static let standardError = Log { line in
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(2, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    package init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    package func info(_ message: String) { line("info", message) }

    /// - Parameters:
    ///   - message: What could not be done.
    ///   - error: Only the kind of a foreign error is written, never its text.
    package func error(_ message: String, _ error: (any Error)? = nil) {
        switch error {
        case nil: line("error", message)
        case let error as StoreError: line("error", "\(message): store \(error.description)")
        case let error as WireError: line("error", "\(message): \(error.code.wire)")
        case let error?: line("error", "\(message): \(type(of: error))")
        }
    }

    private func line(_ level: String, _ message: String) {
        write("\(Timestamp.now.rfc3339) \(level) \(message)")
    }
}

extension WireError {
    /// What an error means on the wire; what is nobody's but the server's own is logged and called `internal`.
    init(any error: any Error, log: Log, context: String = "a command failed") {
        switch error {
        case let error as WireError: self = error
        case let error as StoreError where error.code == .busy || error.code == .closed:
            // Expected under load and at the end, and as many as there are requests: not for the log.
            self.init(.unavailable, "the server has too much to do at the moment", retryAfter: 1)
        case let error as StoreError where error.code == .unavailable:
            log.error(context, error)
            self.init(.unavailable, "the server cannot store anything at the moment", retryAfter: 1)
        default:
            log.error(context, error)
            self.init(.internal, "something went wrong on the server")
        }
    }
}
