import CYonderShims
import Foundation

/// Phones that send a fix a second each, at moments of their own, over connections that stay open.
final class AppFleet {
    /// What a phone sends for a fix of a second since 1970.
    typealias Request = (_ second: Int64) -> String

    struct Result {
        /// Milliseconds from a request to its answer, one an answer.
        var times: [Double] = []
        /// The seconds of the fixes that were answered with 200, by phone.
        var acknowledged: [Set<Int64>]
        var refused = 0
    }

    private struct Phone {
        let socket: LoopbackSocket
        let request: Request
        var sent = 0.0
        var second: Int64 = 0
        var isWaiting = false
        var answer: [UInt8] = []
    }

    private var phones: [Phone]
    private let epoll = epoll_create1(0)
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var result: Result

    init(port: Int, requests: [Request]) throws {
        phones = try requests.map { Phone(socket: try LoopbackSocket(port: port), request: $0) }
        result = Result(acknowledged: Array(repeating: [], count: requests.count))
        for (index, phone) in phones.enumerated() {
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(index)))
            epoll_ctl(epoll, EPOLL_CTL_ADD, phone.socket.descriptor, &event)
        }
    }

    deinit {
        for phone in phones { phone.socket.close() }
        close(epoll)
    }

    /// Sends for some seconds, evenly spread over each; waits 5 s at most for the last answers.
    func send(for seconds: Int) throws -> Result {
        let first = Int64(Date().timeIntervalSince1970) + 1
        let start = monotonicMilliseconds()
        let total = seconds * phones.count
        var next = 0
        var events = [epoll_event](repeating: epoll_event(), count: 512)
        while next < total
            || (phones.contains(where: \.isWaiting)
                && monotonicMilliseconds() < start + Double(seconds + 5) * 1e3)
        {
            let due = Int((monotonicMilliseconds() - start) * Double(phones.count) / 1e3)
            while next < min(due, total) {
                try send(next % phones.count, second: first + Int64(next / phones.count))
                next += 1
            }
            let ready = epoll_wait(epoll, &events, Int32(events.count), 1)
            for index in 0..<max(0, Int(ready)) { take(Int(events[index].data.u64)) }
        }
        return result
    }

    private func send(_ index: Int, second: Int64) throws {
        // A phone that still waits for an answer keeps its fix, as apps do; here it is not sent at all.
        guard !phones[index].isWaiting else { return }
        phones[index].isWaiting = true
        phones[index].second = second
        phones[index].sent = monotonicMilliseconds()
        try phones[index].socket.write(Array(phones[index].request(second).utf8))
    }

    private func take(_ index: Int) {
        let count = buffer.withUnsafeMutableBytes { phones[index].socket.receive(into: $0) }
        phones[index].answer += buffer[..<max(0, count)]
        let answer = phones[index].answer
        guard let head = answer.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
        let fields = String(decoding: answer[..<head.lowerBound], as: UTF8.self).lowercased()
        let length = fields.firstMatch(of: /content-length: (\d+)/).flatMap { Int($0.1) } ?? 0
        guard answer.count >= head.upperBound + length else { return }
        phones[index].answer = []
        phones[index].isWaiting = false
        guard fields.hasPrefix("http/1.1 200") else {
            result.refused += 1
            return
        }
        result.times.append(monotonicMilliseconds() - phones[index].sent)
        result.acknowledged[index].insert(phones[index].second)
    }
}
