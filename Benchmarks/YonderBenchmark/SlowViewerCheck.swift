import Foundation
import YonderCurl
import YonderTestSupport

/// A thousand viewers, one of whom reads nothing while a hundred people move ten times a second: what that
/// costs the server, and what the one gets once it reads again. Fails where a bound is broken.
struct SlowViewerCheck {
    private static let sharers = 100
    private static let viewers = 1_000
    /// Of the slow one's socket; what lies there was sent before it stopped to read.
    private static let receiveBuffer: Int32 = 16_384

    let seconds: Double
    /// Whether the one is behind nginx with TLS: then the kernel keeps more, for nginx, and for itself.
    var isBehindNginx = false

    func run() async throws {
        let process = try await YonderProcess(tick: 50)
        let nginx = isBehindNginx ? try await Nginx(before: process.server.port) : nil
        try await process.share(count: Self.sharers)
        let crowd = try ViewerCrowd(count: Self.viewers - 1) {
            try watch(try LoopbackSocket(port: process.server.port), process)
        }
        let socket = try LoopbackSocket(port: process.server.port, receiveBuffer: Self.receiveBuffer)
        let slow = try watch(try nginx.map { try SecureSocket($0) } as (any LoadSocket)? ?? socket, process)
        let sockets = try (0..<Self.sharers).map { try sharer($0, of: process) }
        _ = crowd.read(for: 1)
        _ = Self.read(slow, for: 0.2)
        let before = process.server.usage.residentMebibytes

        let sharers = Sharers(sockets, hertz: 10) { _, position in #"{"op":"fix",\#(position)}"# }
        let end = monotonicMilliseconds() + seconds * 1e3
        var (deliveries, kernelBytes, growth, messages) = (0, 0, 0.0, 0)
        while monotonicMilliseconds() < end {
            deliveries += crowd.read(for: min(1, seconds)).deliveries
            kernelBytes = max(kernelBytes, try Self.kernelBytes(of: socket, at: process.server.port))
            growth = max(growth, process.server.usage.residentMebibytes - before)
            try await process.say("message \(messages)")
            messages += 1
        }
        sharers.stop()
        try await Task.sleep(for: .milliseconds(100))
        _ = crowd.read(for: 1)

        let last = try (0..<Self.sharers).map { try finalSharer($0, of: process) }
        for socket in last { socket.close() }
        let complete = crowd.readTexts(for: 3).count { texts in
            Self.finals(in: texts).count == Self.sharers
        }
        let caught = Self.read(slow, for: 3)

        let one = isBehindNginx ? "one of whom, behind nginx," : "one of whom"
        print("1,000 viewers, \(one) reads nothing; \(Self.sharers) sharers, 10 Hz, \(seconds.text(0)) s:")
        print("  deliveries to the others: \(deliveries)")
        print("  resident memory before: \(before.text(1)) MiB")
        try check("growth of resident memory", growth, below: 32, "MiB")
        if !isBehindNginx {
            try check("kernel memory for the one", Double(kernelBytes) / 1_024, below: 64, "KiB")
        }
        try check(
            "viewers without each final position", Double(Self.viewers - 1 - complete), below: 1, "")
        try check(
            "final positions that the one misses", Double(Self.sharers - Self.finals(in: caught).count),
            below: 1, "")
        let stale = caught.prefix { !Self.isFinal($0) }.filter { $0.contains("location.updated") }
        let staleBytes = stale.map(\.utf8.count).reduce(0, +)
        try check(
            "old positions that the one gets first", Double(staleBytes) / 1_024,
            below: isBehindNginx ? 1_024 : 128, "KiB")
        let heard = caught.compactMap { Self.number(of: "message ", in: $0) }
        let isTold = caught.contains { $0.contains(#""event":"resync""#) }
        try check(
            "durable events that the one neither gets nor is told to read",
            isTold || heard == Array(0..<messages) ? 0 : 1, below: 1, "")
        print("  the one gets \(heard.count) of \(messages) messages\(isTold ? " and a resync" : "")")
        slow.close()
        await nginx?.stop()
        await process.end()
    }

    private func watch(_ socket: any LoadSocket, _ process: YonderProcess) throws -> any LoadSocket {
        try socket.upgrade("/v1/events", token: process.token("viewer"))
        try socket.send(text: #"{"op":"subscribe","channels":["\#(YonderProcess.channel)"]}"#)
        return socket
    }

    private func sharer(_ index: Int, of process: YonderProcess) throws -> LoopbackSocket {
        let socket = try LoopbackSocket(port: process.server.port)
        try socket.upgrade("/v1/events", token: process.token("sharer-\(index)"))
        return socket
    }

    /// Sends a sharer's last position, which nothing else looks like.
    private func finalSharer(_ index: Int, of process: YonderProcess) throws -> LoopbackSocket {
        let socket = try sharer(index, of: process)
        try socket.send(text: #"{"op":"fix","latitude":-33.5,"longitude":\#(index)}"#)
        return socket
    }

    private static func isFinal(_ text: String) -> Bool {
        text.contains("location.updated") && text.contains(#""latitude":-33.5,"#)
    }

    private static func finals(in texts: [String]) -> Set<Int> {
        Set(texts.filter(isFinal).compactMap { number(of: #""longitude":"#, in: $0) })
    }

    private static func number(of key: String, in text: String) -> Int? {
        guard let range = text.range(of: key) else { return nil }
        return Int(text[range.upperBound...].prefix { $0.isNumber })
    }

    /// Reads whole texts for some seconds.
    private static func read(_ socket: any LoadSocket, for seconds: Double) -> [String] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let end = monotonicMilliseconds() + seconds * 1e3
        while monotonicMilliseconds() < end {
            let count = buffer.withUnsafeMutableBytes { socket.receive(into: $0) }
            if count > 0 { bytes += buffer[..<count] } else { usleep(1_000) }
        }
        return texts(in: bytes)
    }

    /// What the kernel keeps for the server's end of a connection, in bytes, as `ss` tells.
    private static func kernelBytes(of socket: LoopbackSocket, at port: Int) throws -> Int {
        let command = try ChildProcess(
            URL(filePath: "/usr/bin/env"),
            ["ss", "-tnmHO", "sport = :\(port) and dport = :\(socket.localPort)"],
            environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"])
        while command.isRunning { usleep(1_000) }
        guard let start = command.text.range(of: "skmem:(")?.upperBound else {
            throw Failure("ss says nothing of the connection: is iproute2 there? \(command.problemText)")
        }
        // r, t: taken by what came and what is under way; f, w, o, bl: reserved, queued, options, backlog.
        let words = command.text[start...].prefix { $0 != ")" }.split(separator: ",")
        return words.compactMap { word in
            ["r", "f", "w", "o", "bl"].contains(String(word.prefix { $0.isLetter }))
                ? Int(word.drop { $0.isLetter }) : nil
        }.reduce(0, +)
    }

    private func check(_ name: String, _ value: Double, below bound: Double, _ unit: String) throws {
        let space = unit.isEmpty ? "" : " "
        print("  \(name): \(value.text(unit.isEmpty ? 0 : 1))\(space)\(unit) (below \(bound.text(0)))")
        guard value < bound else { throw Failure("\(name): the bound is broken") }
    }
}
