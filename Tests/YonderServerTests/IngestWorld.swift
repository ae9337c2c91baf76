import Foundation
import Testing
import YonderModel
import YonderRules
import YonderSecretBox

@testable import YonderServer

/// A channel where phone apps feed shares, and what an app sends.
struct IngestWorld {
    let server: TestServer
    let key: String
    let passphrase: String
    /// Where the shares begin.
    static let start = (latitude: 60.17, longitude: 24.94)

    /// A channel `team:x` of `anna` and `bo`, and a share `live` of Anna's that her device `app` feeds.
    init(_ server: TestServer, precision: String = "exact") async throws {
        self.server = server
        try await server.makeChannel(["anna", "bo"])
        (key, passphrase) = try await Self.connect("anna", server)
        try await share("live", by: "anna", precision: precision)
    }

    /// Gives a user's device `app` a key.
    static func connect(_ user: String, _ server: TestServer) async throws -> (
        key: String, passphrase: String
    ) {
        try await server.call("POST", "/v1/devices", as: user, json: #"{"id":"app"}"#)
        let made = try await server.call("POST", "/v1/devices/app/ingest-key", as: user).expect(201)
        return (made.string("key") ?? "", made.string("passphrase") ?? "")
    }

    func share(_ id: String, by user: String, precision: String = "exact") async throws {
        let end = server.now.advanced(bySeconds: 3_000).rfc3339
        try await server.call(
            "POST", "/v1/channels/team:x/messages", as: user,
            json: """
                {"id":"\(id)","shared_location":{"latitude":60.17,"longitude":24.94,"device_id":"\(user)-phone",
                "fed_by":"app","end_at":"\(end)","precision":"\(precision)"}}
                """
        ).expect(201)
    }

    /// Sends as an app does that knows a header for its key.
    @discardableResult
    func post(
        _ app: String, _ body: String, key: String? = nil, user: String? = nil
    ) async throws -> Answer {
        let key = key ?? self.key
        let pair = Data("\(user ?? "anna"):\(key)".utf8).base64EncodedString()
        return try await server.call(
            "POST", "/ingest/\(app)", body: Array(body.utf8), headers: [("Authorization", "Basic \(pair)")])
    }

    /// Sends as an app does that has its key and all else in the address.
    @discardableResult
    func get(_ app: String, _ query: String, method: String = "GET") async throws -> Answer {
        try await server.call(method, "/ingest/\(app)?id=\(key)&\(query)", body: method == "GET" ? nil : [])
    }

    /// The share as its owner reads it.
    func location() async throws -> Answer {
        try await server.call("GET", "/v1/messages/live", as: "anna").expect(200)
    }

    func trailCount() async throws -> Int {
        let trail = try await server.call("GET", "/v1/messages/live/trail", as: "anna").expect(200)
        let times = trail["properties", "coordTimes"] as? [Any] ?? []
        return times.reduce(0) { $0 + (($1 as? [Any])?.count ?? 1) }
    }

    /// What the server has counted.
    func counted(_ app: String, _ result: String) async throws -> Int {
        let page = try await server.call("GET", "/metrics", as: "root", role: .admin).expect(200).text
        let start = "yonder_ingest_records_total{app=\"\(app)\",result=\"\(result)\"} "
        return page.split(separator: "\n").first { $0.hasPrefix(start) }
            .flatMap { Int($0.dropFirst(start.count)) } ?? 0
    }
}
