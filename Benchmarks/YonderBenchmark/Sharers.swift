import Foundation
import Synchronization
import YonderTestSupport

/// Sharers on sockets of their own who move evenly in time, on a thread of their own.
final class Sharers: Sendable {
    /// What a sharer says of its next position, given its number and what a position holds.
    typealias Wording = @Sendable (_ sharer: Int, _ position: String) -> String

    private let isStopping = Atomic<Bool>(false)

    /// Starts them.
    ///
    /// - Parameters:
    ///   - sockets: One a sharer, WebSockets by now.
    ///   - hertz: Positions of each a second.
    ///   - wording: The text of one.
    init(_ sockets: [LoopbackSocket], hertz: Double, _ wording: @escaping Wording) {
        Thread.detachNewThread { [self] in
            do {
                try run(sockets, hertz: hertz, wording)
            } catch {
                fatalError("\(error)")
            }
            for socket in sockets { socket.close() }
        }
    }

    func stop() { isStopping.store(true, ordering: .relaxed) }

    private func run(_ sockets: [LoopbackSocket], hertz: Double, _ wording: Wording) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        var random = SplitMix(seed: 1)
        let start = monotonicMilliseconds()
        let between = 1e3 / (Double(sockets.count) * hertz)
        var made = 0
        while !isStopping.load(ordering: .relaxed) {
            usleep(1_000)
            let now = monotonicMilliseconds()
            while start + Double(made) * between <= now {
                let sharer = made % sockets.count
                try sockets[sharer].send(text: wording(sharer, Self.position(&random)))
                sockets[sharer].drain(buffer)
                made += 1
            }
        }
    }

    /// Somewhere near Helsinki; the altitude says when it was made.
    private static func position(_ random: inout SplitMix) -> String {
        func number(_ range: Range<Double>, _ digits: Int) -> String {
            Double.random(in: range, using: &random).text(digits)
        }
        return """
            "latitude":\(number(60..<60.1, 6)),"longitude":\(number(25..<25.1, 6)),"accuracy":5,\
            "heading":\(number(0..<359, 1)),"speed":\(number(0..<9, 2)),\
            "altitude":\(monotonicMilliseconds().text(3))
            """
    }
}
