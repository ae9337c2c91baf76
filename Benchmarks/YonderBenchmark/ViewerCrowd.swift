import CYonderShims
import Foundation

/// Many viewers in one thread: they read all that comes, count positions, and look at some for their age.
final class ViewerCrowd {
    struct Result {
        var deliveries = 0
        var bytes = 0
        var seconds = 0.0
        /// Milliseconds.
        var ages: [Double] = []
    }

    /// How far a viewer is in a frame that came in part.
    private struct Viewer {
        let socket: any LoadSocket
        var head: [UInt8] = []
        var payloadLeft = 0
    }

    /// Of so many positions one is looked at.
    private static let sample = 97
    private static let ageKey = Array("\"altitude\":".utf8)

    private var viewers: [Viewer] = []
    private let epoll = epoll_create1(0)
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    private var result = Result()

    /// - Parameters:
    ///   - count: How many there are.
    ///   - connect: Makes the WebSocket of one.
    /// - Throws: What `connect` threw.
    init(count: Int, connect: () throws -> any LoadSocket) throws {
        for index in 0..<count {
            let socket = try connect()
            viewers.append(Viewer(socket: socket))
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(index)))
            epoll_ctl(epoll, EPOLL_CTL_ADD, socket.descriptor, &event)
        }
    }

    deinit {
        for viewer in viewers { viewer.socket.close() }
        close(epoll)
        buffer.deallocate()
    }

    /// Reads for some seconds.
    func read(for seconds: Double) -> Result {
        result = Result()
        result.ages.reserveCapacity(1 << 17)
        var events = [epoll_event](repeating: epoll_event(), count: 512)
        let start = monotonicMilliseconds()
        var now = start
        while now < start + seconds * 1e3 {
            // Nobody sleeps in the kernel until a byte comes: waking one reader for a thousand viewers would
            // cost a server the more, the quicker the reader is.
            usleep(1_000)
            let ready = epoll_wait(epoll, &events, Int32(events.count), 0)
            for index in 0..<max(0, Int(ready)) { take(Int(events[index].data.u64)) }
            now = monotonicMilliseconds()
        }
        result.seconds = (now - start) / 1e3
        return result
    }

    /// Reads for some seconds and keeps all of it, whole frames from the first to the last.
    ///
    /// - Returns: The texts of each viewer.
    func readTexts(for seconds: Double) -> [[String]] {
        precondition(
            viewers.allSatisfy { $0.head.isEmpty && $0.payloadLeft == 0 }, "in the middle of a frame")
        var bytes = [[UInt8]](repeating: [], count: viewers.count)
        let end = monotonicMilliseconds() + seconds * 1e3
        while monotonicMilliseconds() < end {
            usleep(1_000)
            for (index, viewer) in viewers.enumerated() {
                let count = viewer.socket.receive(into: buffer)
                if count > 0 { bytes[index] += UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
            }
        }
        return bytes.map(texts)
    }

    private func take(_ index: Int) {
        let count = viewers[index].socket.receive(into: buffer)
        guard count > 0 else {
            precondition(count < 0, "a viewer was dropped")
            return
        }
        result.bytes += count
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        var position = 0
        while position < count {
            if viewers[index].payloadLeft > 0 {
                let step = min(viewers[index].payloadLeft, count - position)
                viewers[index].payloadLeft -= step
                position += step
                continue
            }
            position = takeHead(index, bytes, position)
        }
    }

    /// Counts a frame and says where its payload begins.
    private func takeHead(_ index: Int, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
        var position = start
        // In one piece, as nearly all are; the servers' frames are shorter than 64 KiB.
        if viewers[index].head.isEmpty, position + 4 <= bytes.count, bytes[position + 1] == 126 {
            let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            position += 4
            viewers[index].payloadLeft = length
            countPosition(
                bytes[position..<min(bytes.count, position + length)],
                isWhole: position + length <= bytes.count)
            return position
        }
        viewers[index].head.append(bytes[position])
        position += 1
        let head = viewers[index].head
        if head.count == 2, head[1] < 126 {
            viewers[index].payloadLeft = Int(head[1])
            viewers[index].head = []
        } else if head.count == 4 {
            viewers[index].payloadLeft = Int(head[2]) << 8 | Int(head[3])
            viewers[index].head = []
            result.deliveries += 1
        }
        return position
    }

    private func countPosition(_ payload: Slice<UnsafeRawBufferPointer>, isWhole: Bool) {
        result.deliveries += 1
        guard isWhole, result.deliveries % Self.sample == 0,
            let key = payload.firstRange(of: Self.ageKey), let base = payload.base.baseAddress
        else { return }
        let made = strtod((base + key.upperBound).assumingMemoryBound(to: CChar.self), nil)
        result.ages.append(monotonicMilliseconds() - made)
    }
}

/// The texts of whole frames; what follows the last whole one is left out.
func texts(in bytes: [UInt8]) -> [String] {
    var texts: [String] = []
    var rest = bytes[...]
    while rest.count >= 2 {
        let second = Int(rest[rest.startIndex + 1])
        guard second < 126 || rest.count >= 4 else { break }
        let length =
            second < 126 ? second : Int(rest[rest.startIndex + 2]) << 8 | Int(rest[rest.startIndex + 3])
        let head = second < 126 ? 2 : 4
        guard rest.count >= head + length else { break }
        texts.append(String(decoding: rest.dropFirst(head).prefix(length), as: UTF8.self))
        rest = rest.dropFirst(head + length)
    }
    return texts
}
