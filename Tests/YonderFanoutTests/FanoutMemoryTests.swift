import Synchronization
import Testing
import YonderHTTP
import YonderModel
import YonderRules

@testable import YonderFanout

struct FanoutMemoryTests {
    /// What a loop keeps of the channel `x` after a turn.
    private struct Kept {
        var frames = 0
        var rooms = 0
        var connections = 0
    }

    private struct Weak {
        weak let connection: WebSocketConnection?
    }

    /// Runs a loop and looks at it after each turn.
    private final class Probe: WebSocketLoopDelegate {
        let loop: FanoutLoop
        let note: @Sendable (Kept) -> Void
        private var seen: [Weak] = []

        init(_ loop: FanoutLoop, note: @escaping @Sendable (Kept) -> Void) {
            self.loop = loop
            self.note = note
        }

        func opened(_ connection: WebSocketConnection) {
            seen.append(Weak(connection: connection))
            loop.opened(connection)
        }
        func received(_ connection: WebSocketConnection, text: [UInt8]) {
            loop.received(connection, text: text)
        }
        func writable(_ connection: WebSocketConnection) { loop.writable(connection) }
        func closed(_ connection: WebSocketConnection) { loop.closed(connection) }

        func poll(now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
            defer {
                let frames = loop.rooms[.channel(.x)].map { room in
                    room.log.frames(of: Lap(from: 0, to: room.log.end), maxBytes: .max).ends.count
                }
                let connections = seen.count { $0.connection != nil }
                note(Kept(frames: frames ?? 0, rooms: loop.rooms.count, connections: connections))
            }
            return loop.poll(now: now)
        }
    }

    @Test func `what everybody has is kept no longer, and of who is gone nothing`() async throws {
        let (mailbox, kept, stage) = (Mailbox(), Shared(Kept()), Stage(Fanout.Configuration()))
        let loop = WebSocketLoop {
            let loop = FanoutLoop(
                mailbox: mailbox, commands: stage.commands, configuration: Fanout.Configuration(),
                counts: WatcherCounts(), clock: { Timestamp(milliseconds: 0) })
            return Probe(loop) { news in kept.value.withLock { $0 = news } }
        }
        mailbox.attach(loop)
        loop.start()
        try await withServer(of: stage, { loop }) {
            let padding = " " + String(repeating: ".", count: 250)
            func publish(_ text: String, _ kind: Publication.Kind = .durable) {
                mailbox.publish(Publication(channel: .x, kind: kind, json: Array((text + padding).utf8)))
            }
            let fast = try await Watcher(stage)
            let slow = try await Watcher(stage, receiveBuffer: FanoutSlowReaderTests.smallBuffer)
            for watcher in [fast, slow] { try await watcher.watch(.x) }
            for number in 0..<200 {
                publish("m\(number)")
                publish("a@\(number)", .position(MessageId("a")!))
            }
            try await fast.listen(until: "m199")
            #expect(await eventually { kept.value.withLock { $0.frames } > 100 })
            try await slow.listen { $0.contains("m199") && $0.contains("a@199") }
            // The next event finds that all have what was before.
            publish("last")
            for watcher in [fast, slow] { try await watcher.listen(until: "last") }
            #expect(await eventually { kept.value.withLock { $0.frames } == 0 })
            for watcher in [fast, slow] { watcher.hangUp() }
            #expect(await eventually { kept.value.withLock { $0.rooms } == 0 })
            #expect(await eventually { kept.value.withLock { $0.connections } == 0 })
        }
        await stopElsewhere { loop.stop() }
    }
}

/// A value that threads share.
private final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }
}
