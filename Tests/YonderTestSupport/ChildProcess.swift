public import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A process of a test's own, whose output goes to files; killed when nobody holds it any more.
///
/// Not Foundation's `Process`: that one reads beyond the entries of `/proc/self/fd` while it starts
/// (swift-corelibs-foundation 6.3) and now and then takes the whole test run down.
public final class ChildProcess: Sendable {
    /// Where standard output goes.
    public enum Sink: Sendable {
        case file
        /// A pipe that nobody reads.
        case closedPipe
    }

    private enum State {
        case running
        case ended(Int32)
    }

    public let id: pid_t
    private let output: URL
    private let errors: URL
    private let state = Mutex(State.running)

    /// Starts a program with nothing on its standard input.
    ///
    /// - Throws: `POSIXError` where it does not start.
    public init(
        _ program: URL, _ arguments: [String], environment: [String: String], output sink: Sink = .file
    ) throws {
        let folder = FileManager.default.temporaryDirectory
        output = folder.appending(path: "yonder-out-\(UUID().uuidString)")
        errors = folder.appending(path: "yonder-err-\(UUID().uuidString)")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads that tests run on take no signals, and a program would inherit that.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var ends: [Int32] = [-1, -1]
        switch sink {
        case .file:
            posix_spawn_file_actions_addopen(&actions, 1, output.path(), O_CREAT | O_WRONLY | O_APPEND, 0o600)
        case .closedPipe:
            guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
            close(ends[0])
            posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        }
        defer { if ends[1] >= 0 { close(ends[1]) } }
        posix_spawn_file_actions_addopen(&actions, 2, errors.path(), O_CREAT | O_WRONLY | O_APPEND, 0o600)
        var id = pid_t()
        let status = Self.withCStrings([program.path()] + arguments) { words in
            Self.withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
                posix_spawn(&id, program.path(), &actions, &attributes, words, variables)
            }
        }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .EINVAL) }
        self.id = id
    }

    deinit {
        if isRunning {
            kill(id, SIGKILL)
            _ = wait(0)
        }
        for file in [output, errors] { try? FileManager.default.removeItem(at: file) }
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = strings.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
    }

    /// What it has written to standard output so far.
    public var text: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
    /// What it has written to standard error so far.
    public var problemText: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

    public func send(_ signal: Int32) { if isRunning { kill(id, signal) } }

    public var isRunning: Bool { wait(WNOHANG) == nil }

    /// Waits for its end; after some seconds it is killed.
    ///
    /// - Parameter seconds: How long. Default 20.
    /// - Returns: Its exit status; -1 after a signal.
    public func status(within seconds: Double = 20) async -> Int32 {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            if let status = wait(WNOHANG) { return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1 }
            if ContinuousClock.now > deadline { kill(id, SIGKILL) }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The status as `waitpid` gives it; `nil` while it runs.
    private func wait(_ options: Int32) -> Int32? {
        state.withLock { state in
            if case .ended(let status) = state { return status }
            var status: Int32 = 0
            guard waitpid(id, &status, options) == id else { return nil }
            state = .ended(status)
            return status
        }
    }
}

extension ChildProcess {
    /// The built command `yonder`: it lies beside the tests.
    public static var yonder: URL {
        let tests = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        return (tests ?? URL(filePath: CommandLine.arguments[0])).deletingLastPathComponent()
            .appending(path: "yonder")
    }
}
