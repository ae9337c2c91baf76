import Testing

@testable import YonderHTTP

struct WebSocketOutboxTests {
    /// Takes up to `limit` bytes.
    private func take(_ limit: Int, from outbox: inout WebSocketOutbox) -> [UInt8] {
        var taken: [UInt8] = []
        outbox.flush { bytes in
            taken = Array(bytes.prefix(limit))
            return taken.count
        }
        return taken
    }

    @Test func `bytes leave in order, however few at a time`() {
        var outbox = WebSocketOutbox()
        outbox.append([1, 2, 3])
        outbox.append([4])
        #expect(outbox.count == 4)
        #expect(take(2, from: &outbox) == [1, 2])
        outbox.append([5, 6])
        #expect(take(3, from: &outbox) == [3, 4, 5])
        #expect(outbox.count == 1)
        #expect(take(9, from: &outbox) == [6])
        #expect(outbox.isEmpty)
        #expect(take(9, from: &outbox) == [])
    }

    @Test(
        arguments: [
            (0, [9]), (1, [2, 3, 9]), (2, [3, 9]), (3, [9]), (4, [5, 9]), (5, [9]),
        ] as [(Int, [UInt8])])
    func `dropping keeps the rest of a frame under way alone`(sent: Int, left: [UInt8]) {
        var outbox = WebSocketOutbox()
        outbox.append([1, 2, 3])
        outbox.append([4, 5])
        outbox.append([6])
        _ = take(sent, from: &outbox)
        outbox.dropUnstarted()
        outbox.append([9])
        #expect(take(99, from: &outbox) == left)
    }

    @Test func `the rest of a frame is not dropped`() {
        var outbox = WebSocketOutbox()
        outbox.appendRest([7, 8])
        outbox.append([1])
        #expect(outbox.count == 3)
        outbox.dropUnstarted()
        #expect(take(99, from: &outbox) == [7, 8])
        #expect(outbox.isEmpty)
    }
}
