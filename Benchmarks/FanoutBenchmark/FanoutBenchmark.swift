import Foundation
import YonderTestSupport

/// Measures the fan-out beside the least that the same work costs in C.
///
///     FanoutBenchmark [SECONDS [ROUNDS]]
///
/// A server process makes the positions and sends them; this one holds the viewers. Both servers take
/// turns, `ROUNDS` times, so that a noisy machine is noisy for both. One line a figure; medians.
@main
struct FanoutBenchmark {
    static func main() async throws {
        allowManyFiles()
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "serve" {
            let load = Load(arguments: arguments.dropFirst())
            return try await YonderSide(load).run()
        }
        let seconds = arguments.first.flatMap(Double.init) ?? 5
        let rounds = arguments.dropFirst().first.flatMap { Int($0) } ?? 3
        try await compare(
            "newest per tick, 1,000 viewers, 100 sharers, 10 Hz", Load(tick: 30, shares: 100, hertz: 10),
            seconds, rounds)
        try await compare(
            "one send each, 1,000 viewers, 1 sharer, 100 Hz", Load(tick: 0, shares: 1, hertz: 100),
            seconds, rounds)
    }

    private static func compare(_ title: String, _ load: Load, _ seconds: Double, _ rounds: Int) async throws
    {
        var ours: [Figures] = []
        var theirs: [Figures] = []
        for _ in 0..<rounds {
            ours.append(try await measure("FanoutBenchmark", ["serve"], load, seconds))
            theirs.append(try await measure("FanoutRival", [], load, seconds))
        }
        let (yonder, rival) = (Figures(medianOf: ours), Figures(medianOf: theirs))
        print("\(title):")
        yonder.report("Yonder")
        rival.report("C")
        let ratio = yonder.microsecondsPerDelivery / rival.microsecondsPerDelivery
        print("  CPU per delivery, Yonder / C: \(ratio.text(2))")
        print("  deliveries per CPU second, Yonder / C: \((1 / ratio).text(2))")
    }

    private static func measure(
        _ program: String, _ arguments: [String], _ load: Load, _ seconds: Double
    ) async throws -> Figures {
        let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let server = try ChildProcess(
            folder.appending(path: program), arguments + load.arguments, environment: [:])
        var port: Int?
        while port == nil {
            guard server.isRunning else { throw Failure("\(program) did not start: \(server.problemText)") }
            try await Task.sleep(for: .milliseconds(10))
            port = server.text.split(separator: "\n").first.flatMap { Int($0.dropFirst(5)) }
        }
        let crowd = try ViewerCrowd(count: 1_000, port: port!)
        _ = crowd.read(for: 1)
        let before = ProcessUsage(of: server.id)
        let result = crowd.read(for: seconds)
        let after = ProcessUsage(of: server.id)
        server.send(SIGKILL)
        _ = await server.status()
        return Figures(
            result, cpuSeconds: after.cpuSeconds - before.cpuSeconds, memory: after.residentMebibytes)
    }

    private static func allowManyFiles() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
