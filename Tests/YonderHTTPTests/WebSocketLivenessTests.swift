import Testing

@testable import YonderHTTP

struct WebSocketLivenessTests {
    private let start = ContinuousClock.now

    private func after(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    @Test func `silence brings one ping and then the end`() {
        var liveness = WebSocketLiveness(now: start)
        #expect(liveness.check(at: after(0)) == .nothing)
        #expect(liveness.check(at: after(24.9)) == .nothing)
        #expect(liveness.check(at: after(25)) == .ping)
        #expect(liveness.check(at: after(26)) == .nothing)
        #expect(liveness.check(at: after(59.9)) == .nothing)
        #expect(liveness.check(at: after(60)) == .drop)
    }

    @Test func `anything heard starts the wait anew`() {
        var liveness = WebSocketLiveness(now: start)
        #expect(liveness.check(at: after(25)) == .ping)
        liveness.heard(at: after(59))
        #expect(liveness.check(at: after(60)) == .nothing)
        #expect(liveness.check(at: after(84)) == .ping)
        #expect(liveness.check(at: after(119)) == .drop)
    }

    @Test func `a loop that slept too long drops at once`() {
        var liveness = WebSocketLiveness(now: start)
        #expect(liveness.check(at: after(100)) == .drop)
    }
}
