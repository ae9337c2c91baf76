import Foundation

/// Measures `yonder serve` beside the least that the same work costs in C. Both take turns, so that a
/// noisy machine is noisy for both. One line a figure; medians.
@main
struct YonderBenchmark {
    static let help = """
        Usage: YonderBenchmark [fanout|ingest|apps|slow|tls] [--seconds S] [--rounds N] [--fanout-rival FILE]

          fanout               Positions on their way to 1,000 viewers.
          ingest               Fixes on their way to the disk.
          apps                 2,000 phone apps with a fix a second each, for 30 s, then a kill -9: what is lost.
          slow                 One viewer of 1,000 who reads nothing for 30 s: what it costs, what it gets.
          tls                  The three over https and wss through nginx, beside plain; needs script/setup --nginx,
                               so it is measured only where it is asked for.
          --seconds S          How long each side is measured (5; apps and the slow viewer 30).
          --rounds N           How often (3).
          --fanout-rival FILE  Another program to measure the fan-out by, called as `FILE PORT [TICK_MS]`:
                               a text on a WebSocket at /pub goes to all WebSockets at other addresses.
        """

    static func main() async throws {
        var words = Array(CommandLine.arguments.dropFirst())
        if words.contains("--help") { return print(help) }
        func value(_ name: String) -> String? {
            guard let index = words.firstIndex(of: name), index + 1 < words.count else { return nil }
            defer { words.removeSubrange(index...index + 1) }
            return words[index + 1]
        }
        let chosen = value("--seconds").flatMap(Double.init)
        let seconds = chosen ?? 5
        let rounds = value("--rounds").flatMap { Int($0) } ?? 3
        let rival = value("--fanout-rival").map { URL(filePath: $0) } ?? Server.program("FanoutRival")
        allowManyFiles()
        if words.isEmpty || words == ["fanout"] {
            try await FanoutComparison(seconds: seconds, rounds: rounds, rival: rival).run()
        }
        if words.isEmpty || words == ["ingest"] {
            try await IngestComparison(seconds: seconds, rounds: rounds).run()
        }
        if words.isEmpty || words == ["apps"] {
            try await AppsComparison(seconds: Int(chosen ?? 30)).run()
        }
        if words == ["tls"] {
            try await TLSComparison(seconds: seconds, rounds: rounds).run()
            try await SlowViewerCheck(seconds: chosen ?? 30, isBehindNginx: true).run()
        }
        if words.isEmpty || words == ["slow"] {
            try await SlowViewerCheck(seconds: chosen ?? 30).run()
        }
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
