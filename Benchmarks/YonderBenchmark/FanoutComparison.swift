import Foundation

/// Positions from sharers' sockets to 1,000 viewers' sockets: `yonder serve` with all its rules and its
/// store, beside a C program that only passes texts on.
struct FanoutComparison {
    private struct Load {
        let title: String
        /// Milliseconds for which positions are gathered; 0: each goes in a send of its own.
        let tick: Int
        let sharers: Int
        /// Positions of each a second.
        let hertz: Double
    }

    private static let viewers = 1_000

    let seconds: Double
    let rounds: Int
    let rival: URL

    func run() async throws {
        try await compare(
            Load(title: "newest per tick of 50 ms, 100 sharers, 10 Hz", tick: 50, sharers: 100, hertz: 10))
        try await compare(Load(title: "one send each, 1 sharer, 100 Hz", tick: 0, sharers: 1, hertz: 100))
    }

    private func compare(_ load: Load) async throws {
        var ours: [Figures] = []
        var theirs: [Figures] = []
        for _ in 0..<rounds {
            ours.append(try await yonder(load))
            theirs.append(try await rival(load))
        }
        let (yonder, rival) = (Figures(medianOf: ours), Figures(medianOf: theirs))
        print("fan-out to 1,000 viewers, \(load.title):")
        yonder.report("Yonder")
        rival.report("C")
        let ratio = yonder.microsecondsPerDelivery / rival.microsecondsPerDelivery
        print("  CPU per delivery, Yonder / C: \(ratio.text(2))")
        print("  deliveries per CPU second, Yonder / C: \((1 / ratio).text(2))")
    }

    private func yonder(_ load: Load) async throws -> Figures {
        let process = try await YonderProcess(tick: load.tick)
        try await process.share(count: load.sharers)
        let crowd = try ViewerCrowd(count: Self.viewers) {
            let socket = try LoopbackSocket(port: process.server.port)
            try socket.upgrade("/v1/events", token: process.token("viewer"))
            try socket.send(text: #"{"op":"subscribe","channels":["\#(YonderProcess.channel)"]}"#)
            return socket
        }
        let sockets = try (0..<load.sharers).map { index in
            let socket = try LoopbackSocket(port: process.server.port)
            try socket.upgrade("/v1/events", token: process.token("sharer-\(index)"))
            return socket
        }
        let sharers = Sharers(sockets, hertz: load.hertz) { _, position in #"{"op":"fix",\#(position)}"# }
        let figures = measure(process.server, crowd)
        sharers.stop()
        await process.end()
        return figures
    }

    private func rival(_ load: Load) async throws -> Figures {
        let server = try await Server(rival, load.tick > 0 ? [String(load.tick)] : [])
        let crowd = try ViewerCrowd(count: Self.viewers) {
            let socket = try LoopbackSocket(port: server.port)
            try socket.upgrade("/", token: nil)
            return socket
        }
        let sockets = try (0..<load.sharers).map { _ in
            let socket = try LoopbackSocket(port: server.port)
            try socket.upgrade("/pub", token: nil)
            return socket
        }
        // The text of the same event, as long.
        let sharers = Sharers(sockets, hertz: load.hertz) { sharer, position in
            #"""
            {"event":"location.updated","channel_id":"\#(YonderProcess.channel)","message_id":"s\#(sharer)",\#
            "user_id":"sharer-\#(sharer)",\#(position),"recorded_at":"2026-01-01T00:00:00.000Z"}
            """#
        }
        let figures = measure(server, crowd)
        sharers.stop()
        await server.kill()
        return figures
    }

    private func measure(_ server: Server, _ crowd: ViewerCrowd) -> Figures {
        _ = crowd.read(for: 1.5)
        let before = server.usage
        let result = crowd.read(for: seconds)
        return Figures(result, server.usage, since: before)
    }
}
