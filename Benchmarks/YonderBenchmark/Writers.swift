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
        let socket: LoopbackSocket
        /// Head of a request up to the length of its body.
        let head: String
        var sent = 0.0
    }

    private var writers: [Writer] = []
    private let epoll = epoll_create1(0)
    private var buffer = [UInt8](repeating: 0, count: 4_096)
    private var result = Result()

    /// - Parameters:
    ///   - port: Where the server is.
    ///   - tokens: Who writes, one a writer.
    /// - Throws: `Failure` where there is no connection.
    init(port: Int, tokens: [String]) throws {
        for (index, token) in tokens.enumerated() {
            let head = """
                PUT /v1/live-locations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n\
                Content-Type: application/json\r\nContent-Length: \

                """
            let socket = try LoopbackSocket(port: port)
            writers.append(Writer(socket: socket, head: head))
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(index)))
            epoll_ctl(epoll, EPOLL_CTL_ADD, socket.descriptor, &event)
        }
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
        try writers[index].socket.write(
            Array("\(writers[index].head)\(body.utf8.count)\r\n\r\n\(body)".utf8))
    }

    private func take(_ index: Int) throws {
        let count = recv(writers[index].socket.descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { throw Failure("a server closed a connection") }
        // Answers are short and come in one piece.
        guard buffer[..<count].starts(with: "HTTP/1.1 200".utf8), buffer[count - 1] == UInt8(ascii: "}"),
            buffer[..<count].firstRange(of: Array(#""applied":["s"#.utf8)) != nil
        else { throw Failure("not applied: \(String(decoding: buffer[..<count], as: UTF8.self))") }
        result.times.append(monotonicMilliseconds() - writers[index].sent)
        try send(index)
    }
}
