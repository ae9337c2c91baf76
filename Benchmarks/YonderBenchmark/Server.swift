import Foundation
import YonderTestSupport

/// A server process that is measured.
struct Server {
    let port: Int
    let process: ChildProcess

    /// A program that was built beside this one.
    static func program(_ name: String) -> URL {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name)
    }

    /// Starts one that is told its port, and waits until it takes connections.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - arguments: What to say behind the port.
    /// - Throws: `Failure` where it does not start.
    init(_ program: URL, _ arguments: [String]) async throws {
        port = try LoopbackSocket.freePort()
        process = try ChildProcess(program, [String(port)] + arguments, environment: [:])
        for _ in 0..<500 {
            if (try? LoopbackSocket(port: port))?.close() != nil { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Failure("\(program.lastPathComponent) did not start: \(process.problemText)")
    }

    init(port: Int, process: ChildProcess) {
        self.port = port
        self.process = process
    }

    var usage: ProcessUsage { ProcessUsage(of: process.id) }

    func kill() async {
        process.send(SIGKILL)
        _ = await process.status()
    }
}
