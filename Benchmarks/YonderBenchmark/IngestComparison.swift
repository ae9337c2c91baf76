import Foundation

/// Fixes by HTTP from many people at once: `yonder serve` with each on the disk before it is answered,
/// beside a C program on the same HTTP library that keeps nothing.
struct IngestComparison {
    private struct Figures {
        let perSecond: Double
        let microseconds: Double
        /// Milliseconds: median, 99 of 100, largest.
        let times: [Double]

        init(_ result: Writers.Result, _ usage: ProcessUsage, since before: ProcessUsage) {
            let count = Double(max(1, result.times.count))
            perSecond = count / result.seconds
            microseconds = (usage.cpuSeconds - before.cpuSeconds) * 1e6 / count
            times = percentiles(result.times)
        }

        init(medianOf all: [Figures]) {
            perSecond = median(all.map(\.perSecond))
            microseconds = median(all.map(\.microseconds))
            times = (0..<3).map { index in median(all.map { $0.times[index] }) }
        }

        func report(_ name: String) {
            print("  \(name), writes per second: \(perSecond.text(0))")
            print("  \(name), server CPU per write: \(microseconds.text(1)) µs")
            print(
                "  \(name), answered after p50 / p99 / max: \(times.map { $0.text(2) }.joined(separator: " / ")) ms"
            )
        }
    }

    let seconds: Double
    let rounds: Int

    func run() async throws {
        for writers in [1, 64] {
            var ours: [Figures] = []
            var theirs: [Figures] = []
            for _ in 0..<rounds {
                ours.append(try await yonder(writers))
                theirs.append(try await rival(writers))
            }
            let (yonder, rival) = (Figures(medianOf: ours), Figures(medianOf: theirs))
            print("durable writes of fixes by HTTP, \(writers) at once:")
            yonder.report("Yonder")
            rival.report("C")
            print("  writes per second, Yonder / C: \((yonder.perSecond / rival.perSecond).text(2))")
            print("  CPU per write, Yonder / C: \((yonder.microseconds / rival.microseconds).text(2))")
        }
    }

    private func yonder(_ count: Int) async throws -> Figures {
        let process = try await YonderProcess(tick: 50)
        try await process.share(count: count)
        let tokens = (0..<count).map { process.token("sharer-\($0)") }
        let figures = try measure(process.server, tokens)
        await process.end()
        return figures
    }

    private func rival(_ count: Int) async throws -> Figures {
        let server = try await Server(Server.program("IngestRival"), [])
        let figures = try measure(server, (0..<count).map { _ in String(repeating: "x", count: 180) })
        await server.kill()
        return figures
    }

    private func measure(_ server: Server, _ tokens: [String]) throws -> Figures {
        let writers = try Writers(tokens: tokens) { try LoopbackSocket(port: server.port) }
        _ = try writers.write(for: 1)
        let before = server.usage
        let result = try writers.write(for: seconds)
        return Figures(result, server.usage, since: before)
    }
}
