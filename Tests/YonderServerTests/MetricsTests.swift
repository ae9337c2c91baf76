import Testing
import YonderCurl
import YonderModel

@testable import YonderServer

struct MetricsTests {
    @Test func `an admin reads numbers, by route and never by path`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            try await server.share("anna", id: "m").expect(201)
            try await server.call(
                "PUT", "/v1/live-locations", as: "anna", json: #"{"latitude":12.34567,"longitude":1}"#)
            try await server.call("GET", "/v1/messages/m", as: "anna").expect(200)
            try await server.call("GET", "/v1/messages/other", as: "anna").expect(404)
            try await server.call("DELETE", "/v1/live-locations", as: "anna").expect(204)
            try await server.call("GET", "/metrics").expect(401)
            try await server.call("GET", "/metrics", as: "anna").expect(403)
            let text = try await server.call("GET", "/metrics", as: "root", role: .admin).expect(200).text
            for line in [
                #"yonder_request_seconds_count{route="GET /v1/messages/{id}",status="200"} 1"#,
                #"yonder_request_seconds_count{route="GET /v1/messages/{id}",status="404"} 1"#,
                #"yonder_fixes_total{result="applied"} 1"#, #"yonder_ended_shares_total{reason="stopped"} 1"#,
                "yonder_live_shares 0", "yonder_websockets 0", "# TYPE yonder_request_seconds histogram",
            ] { #expect(text.contains(line), "\(line) in \(text)") }
            for secret in ["12.3", "anna", "team:x", "other"] { #expect(!text.contains(secret)) }
        }
    }

    @Test func `the classes of time count what is at most as long`() {
        var times = Metrics.Times()
        for seconds in [0.001, 0.002, 0.3, 60] { times.add(seconds) }
        #expect(times.counts == [1, 2, 2, 2, 3, 3] && times.total == 4)
    }
}
