import Foundation
import YonderTestSupport

/// `yonder serve` over plain HTTP, and over https and wss through nginx with the configuration of
/// `docs/DEPLOY.md`, in one process of nginx.
struct TLSComparison {
    private struct Figures {
        /// Fixes written, or positions delivered.
        let perSecond: Double
        /// Of the server.
        let microseconds: Double
        /// Of nginx.
        let nginxMicroseconds: Double
        /// Milliseconds: median, 99 of 100, largest.
        let times: [Double]

        init(count: Int, seconds: Double, times: [Double], cpu: (server: Double, nginx: Double)) {
            perSecond = Double(count) / seconds
            microseconds = cpu.server * 1e6 / Double(max(1, count))
            nginxMicroseconds = cpu.nginx * 1e6 / Double(max(1, count))
            self.times = percentiles(times)
        }

        init(medianOf all: [Figures]) {
            perSecond = median(all.map(\.perSecond))
            microseconds = median(all.map(\.microseconds))
            nginxMicroseconds = median(all.map(\.nginxMicroseconds))
            times = (0..<3).map { index in median(all.map { $0.times[index] }) }
        }

        func report(_ name: String, _ unit: String) {
            print("  \(name), \(unit) per second: \(perSecond.text(0))")
            print(
                "  \(name), CPU of the server + nginx: \(microseconds.text(2)) + \(nginxMicroseconds.text(2)) µs"
            )
            print("  \(name), p50 / p99 / max: \(times.map { $0.text(2) }.joined(separator: " / ")) ms")
        }
    }

    /// Fewer than an address may have connections.
    private static let viewers = 400
    private static let sharers = 100

    let seconds: Double
    let rounds: Int

    func run() async throws {
        for writers in [1, 64] {
            try await compare("fixes by HTTP, \(writers) at once", "writes") {
                try await ingest(writers, isSecure: $0)
            }
        }
        try await compare(
            "fan-out to \(Self.viewers) viewers, \(Self.sharers) sharers, 10 Hz", "deliveries"
        ) { try await fanout(isSecure: $0) }
    }

    private func compare(
        _ title: String, _ unit: String, _ measure: (_ isSecure: Bool) async throws -> Figures
    ) async throws {
        var (plain, secure): ([Figures], [Figures]) = ([], [])
        for _ in 0..<rounds {
            plain.append(try await measure(false))
            secure.append(try await measure(true))
        }
        let (direct, nginx) = (Figures(medianOf: plain), Figures(medianOf: secure))
        print("\(title):")
        direct.report("plain", unit)
        nginx.report("TLS through nginx", unit)
        print("  \(unit) per second, TLS / plain: \((nginx.perSecond / direct.perSecond).text(2))")
        let cpu = (nginx.microseconds + nginx.nginxMicroseconds) / direct.microseconds
        print("  CPU of all, TLS / plain: \(cpu.text(2))")
    }

    private func ingest(_ count: Int, isSecure: Bool) async throws -> Figures {
        try await serve(sharers: count, isSecure: isSecure) { process, connect, cpu in
            let tokens = (0..<count).map { process.token("sharer-\($0)") }
            let writers = try Writers(tokens: tokens, connect: connect)
            _ = try writers.write(for: 1)
            let before = cpu()
            let result = try writers.write(for: seconds)
            let after = cpu()
            return Figures(
                count: result.times.count, seconds: result.seconds, times: result.times,
                cpu: (after.server - before.server, after.nginx - before.nginx))
        }
    }

    private func fanout(isSecure: Bool) async throws -> Figures {
        try await serve(sharers: Self.sharers, isSecure: isSecure) { process, connect, cpu in
            let crowd = try ViewerCrowd(count: Self.viewers) {
                let socket = try connect()
                try socket.upgrade("/v1/events", token: process.token("viewer"))
                try socket.send(text: #"{"op":"subscribe","channels":["\#(YonderProcess.channel)"]}"#)
                return socket
            }
            let sockets = try (0..<Self.sharers).map { index in
                let socket = try LoopbackSocket(port: process.server.port)
                try socket.upgrade("/v1/events", token: process.token("sharer-\(index)"))
                return socket
            }
            let sharers = Sharers(sockets, hertz: 10) { _, position in #"{"op":"fix",\#(position)}"# }
            defer { sharers.stop() }
            _ = crowd.read(for: 1.5)
            let before = cpu()
            let result = crowd.read(for: seconds)
            let after = cpu()
            return Figures(
                count: result.deliveries, seconds: result.seconds, times: result.ages,
                cpu: (after.server - before.server, after.nginx - before.nginx))
        }
    }

    /// Runs a server, and nginx before it where that is asked for.
    private func serve(
        sharers: Int, isSecure: Bool,
        _ body: (
            YonderProcess, _ connect: @escaping () throws -> any LoadSocket,
            _ cpu: () -> (server: Double, nginx: Double)
        ) throws -> Figures
    ) async throws -> Figures {
        let process = try await YonderProcess(tick: 50)
        try await process.share(count: sharers)
        let nginx = isSecure ? try await Nginx(before: process.server.port) : nil
        func connect() throws -> any LoadSocket {
            if let nginx { return try SecureSocket(nginx) }
            return try LoopbackSocket(port: process.server.port)
        }
        func cpu() -> (server: Double, nginx: Double) {
            let front = nginx.map { ProcessUsage(of: $0.processId).cpuSeconds }
            return (process.server.usage.cpuSeconds, front ?? 0)
        }
        let figures = try body(process, connect, cpu)
        await process.end()
        await nginx?.stop()
        return figures
    }
}
