import Foundation

/// The built command `yonder`, run as a process of its own.
struct Program {
    /// What a run came to.
    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String

        var lines: [Substring] { output.split(separator: "\n") }
    }

    /// Where it lies: beside the tests.
    static var url: URL {
        let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        return (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0]))
            .deletingLastPathComponent().appendingPathComponent("yonder")
    }

    private let process = Process()
    private let output: URL
    private let errors: URL

    /// Starts it.
    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        let folder = FileManager.default.temporaryDirectory
        output = folder.appendingPathComponent("yonder-out-\(UUID().uuidString)")
        errors = folder.appendingPathComponent("yonder-err-\(UUID().uuidString)")
        for file in [output, errors] { try Data().write(to: file) }
        process.executableURL = Self.url
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
    }

    /// What it has written so far.
    var written: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

    /// Asks it to end, as Ctrl-C does.
    func interrupt() { process.interrupt() }

    /// Waits for its end, at most a while.
    func finish(within seconds: Double = 30) async -> Outcome {
        if await !eventually(within: seconds, { !process.isRunning }) { process.terminate() }
        process.waitUntilExit()
        defer {
            for file in [output, errors] { try? FileManager.default.removeItem(at: file) }
        }
        return Outcome(
            status: process.terminationReason == .exit ? process.terminationStatus : -1, output: written,
            errors: (try? String(contentsOf: errors, encoding: .utf8)) ?? "")
    }

    /// Runs it to its end.
    static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
        try await Program(arguments, environment: environment).finish()
    }
}
