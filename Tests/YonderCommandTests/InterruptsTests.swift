import Foundation
import Testing

@testable import yonder

struct InterruptsTests {
    @Test func `an echo of the first signal is ignored and a later one leaves`() {
        var counter = InterruptCounter()
        let start = ContinuousClock.now
        #expect(!counter.isStopping)
        let actions = [0, 1, 500, 999, 1_000, 9_000].map {
            counter.received(at: start + .milliseconds($0))
        }
        #expect(actions == [.stop, .ignore, .ignore, .ignore, .leave, .leave])
        #expect(counter.isStopping)
    }

    @Test func `whoever waits is told and so is who waits later`() async {
        let interrupts = Interrupts()
        async let first: Void = interrupts.wait()
        async let second: Void = interrupts.wait()
        interrupts.received(SIGTERM, at: .now)
        _ = await (first, second)
        await interrupts.wait()
    }

    @Test func `a wait that is cancelled takes no other with it`() async {
        let interrupts = Interrupts()
        let waiting = Task { await interrupts.wait() }
        waiting.cancel()
        await waiting.value
        let value = await interrupts.value(of: Task { 7 }, grace: .zero)
        #expect(value == 7)
    }

    @Test func `an interruption waits for what has begun but not for ever`() async {
        let interrupts = Interrupts()
        interrupts.received(SIGINT, at: .now)
        let late = Task {
            try? await Task.sleep(for: .milliseconds(50))
            return 7
        }
        #expect(await interrupts.value(of: late, grace: .seconds(20)) == 7)
        let never = Task { try? await Task.sleep(for: .seconds(600)) }
        #expect(await interrupts.value(of: never, grace: .milliseconds(10)) == nil)
        never.cancel()
    }
}
