import Testing
import YonderModel
import YonderRules

@testable import YonderServer

struct LimitTests {
    private func limited(_ clock: TestClock, _ body: (TestServer) async throws -> Void) async throws {
        try await TestServer.run(clock: { clock.now }, configure: { $0.limitsRates = true }, body)
    }

    @Test func `fixes are four a second with forty at once`() async throws {
        let clock = TestClock()
        try await limited(clock) { server in
            let fix = #"{"latitude":1,"longitude":1}"#
            for _ in 0..<40 {
                try await server.call("PUT", "/v1/live-locations", as: "anna", json: fix).expect(200)
            }
            let refused = try await server.call("PUT", "/v1/live-locations", as: "anna", json: fix)
            refused.expect(429, code: "rate_limited")
            #expect(refused.header("retry-after") == "1")
            try await server.call("PUT", "/v1/live-locations", as: "bo", json: fix).expect(200)
            try await server.call("GET", "/v1/users/me", as: "anna").expect(200)
            clock.advance(1)
            for _ in 0..<4 {
                try await server.call("PUT", "/v1/live-locations", as: "anna", json: fix).expect(200)
            }
            try await server.call("PUT", "/v1/live-locations", as: "anna", json: fix).expect(429)
            let socket = try await TestSocket.connect(server.base, token: server.token("anna"))
            socket.send(#"{"op":"fix","id":1,"latitude":1,"longitude":1}"#)
            #expect(await eventually { socket.events("error").first?.string("code") == "rate_limited" })
            socket.close()
        }
    }

    @Test func `other writes are ten a second with sixty at once`() async throws {
        let clock = TestClock()
        try await limited(clock) { server in
            for _ in 0..<60 {
                try await server.call("POST", "/v1/devices", as: "anna", json: #"{"id":"d"}"#)
            }
            try await server.call("POST", "/v1/devices", as: "anna", json: #"{"id":"d"}"#)
                .expect(429, code: "rate_limited")
            try await server.call("GET", "/v1/devices", as: "anna").expect(200)
        }
    }

    @Test func `strangers' writes are twenty a minute`() async throws {
        let clock = TestClock()
        try await limited(clock) { server in
            for _ in 0..<20 { try await server.call("POST", "/v1/devices", json: "{}").expect(401) }
            let refused = try await server.call("POST", "/v1/devices", json: "{}")
            refused.expect(429, code: "rate_limited")
            #expect(refused.header("retry-after") == "3")
            try await server.call("GET", "/v1/devices").expect(401)
            try await server.call("POST", "/v1/devices", as: "anna", json: "{}").expect(201)
        }
    }

    @Test func `watching a hundred channels again and again is refused, and answered`() async throws {
        let clock = TestClock()
        try await limited(clock) { server in
            let socket = try await TestSocket.connect(server.base, token: server.token("anna"))
            let channels = (0..<100).map { "\"team:c\($0)\"" }.joined(separator: ",")
            for id in 0..<12 { socket.send(#"{"op":"subscribe","id":\#(id),"channels":[\#(channels)]}"#) }
            #expect(
                await eventually { socket.events("ack").count == 10 && socket.events("error").count == 2 })
            #expect(socket.events("error").map { $0.number("id") } == [10, 11])
            socket.close()
        }
    }
}

struct TokenBucketTests {
    private func at(_ seconds: Double) -> Timestamp { Timestamp(milliseconds: Int64(seconds * 1000)) }

    @Test func `a bucket gives its burst, then its rate, and says how long to wait`() {
        var bucket = TokenBucket(perSecond: 0.5, burst: 2, now: at(0))
        #expect(bucket.take(now: at(0)) == nil && bucket.take(now: at(0)) == nil)
        #expect(bucket.take(now: at(0)) == 2)
        #expect(bucket.take(now: at(1)) == 1)
        #expect(bucket.take(now: at(2)) == nil)
        #expect(bucket.take(now: at(1)) == 2)
        #expect(bucket.take(2, now: at(2)) == 3)
        var full = bucket
        #expect(full.isFull(now: at(100)) && full.take(2, now: at(100)) == nil)
    }
}
