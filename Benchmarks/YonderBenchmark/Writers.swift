import CYonderShims
import Foundation

/// Many HTTP writers in one thread, each with a request on its way at all times.
final class Writers {
    struct Result {
        var seconds = 0.0
        /// Milliseconds from a request to its answer, one an answer.
        var times: [Double] = []
    }

    private struct Writer {
        var socket: any LoadSocket
        /// Head of a request up to the length of its body.
        let head: String
        var sent = 0.0
        /// What has come of the answer.
        var answer: [UInt8] = []
    }

    private let connect: () throws -> any LoadSocket
    private var writers: [Writer] = []
    private let epoll = epoll_create1(0)
    private var buffer = [UInt8](repeating: 0, count: 4_096)
    private var result = Result()

    /// - Parameters:
    ///   - tokens: Who writes, one a writer.
    ///   - connect: Makes the connection of one.
    /// - Throws: What `connect` threw.
    init(tokens: [String], connect: @escaping () throws -> any LoadSocket) throws {
        self.connect = connect
        for (index, token) in tokens.enumerated() {
            let head = """
                PUT /v1/live-locations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n\
                Content-Type: application/json\r\nContent-Length: \

                """
            writers.append(Writer(socket: try connect(), head: head))
            listen(to: index)
        }
    }

    private func listen(to index: Int) {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(index)))
        epoll_ctl(epoll, EPOLL_CTL_ADD, writers[index].socket.descriptor, &event)
    }

    deinit {
        for writer in writers { writer.socket.close() }
        close(epoll)
    }

    /// Writes for some seconds.
    func write(for seconds: Double) throws -> Result {
        result = Result()
        let isFirst = writers.allSatisfy { $0.sent == 0 }
        if isFirst { for index in writers.indices { try send(index) } }
        var events = [epoll_event](repeating: epoll_event(), count: 512)
        let start = monotonicMilliseconds()
        while monotonicMilliseconds() < start + seconds * 1e3 {
            let ready = epoll_wait(epoll, &events, Int32(events.count), 10)
            for index in 0..<max(0, Int(ready)) { try take(Int(events[index].data.u64)) }
        }
        result.seconds = (monotonicMilliseconds() - start) / 1e3
        return result
    }

    private func send(_ index: Int) throws {
        let now = monotonicMilliseconds()
        writers[index].sent = now
        // Later and elsewhere each time, as a fix is; without `recorded_at` it counts as now.
        let body =
            #"{"latitude":60.\#(UInt(now * 1e3) % 1_000_000),"longitude":25.1,"accuracy":5,"speed":1.4}"#
        do {
            try writers[index].socket.write(
                Array("\(writers[index].head)\(body.utf8.count)\r\n\r\n\(body)".utf8))
        } catch {
            try reconnect(index)
        }
    }

    private func take(_ index: Int) throws {
        let count = buffer.withUnsafeMutableBytes { writers[index].socket.receive(into: $0) }
        // nginx closes a connection after a thousand requests.
        if count == 0, writers[index].answer.isEmpty { return try reconnect(index) }
        writers[index].answer += buffer[..<max(0, count)]
        let answer = writers[index].answer
        guard answer.last == UInt8(ascii: "}") else { return }
        guard answer.starts(with: "HTTP/1.1 200".utf8),
            answer.firstRange(of: Array(#""applied":["s"#.utf8)) != nil
        else { throw Failure("not applied: \(String(decoding: answer, as: UTF8.self))") }
        writers[index].answer = []
        result.times.append(monotonicMilliseconds() - writers[index].sent)
        try send(index)
    }

    private func reconnect(_ index: Int) throws {
        writers[index].socket.close()
        writers[index].socket = try connect()
        listen(to: index)
        try send(index)
    }
}
