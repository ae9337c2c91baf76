import Foundation
import Testing
import YonderModel
import YonderRules
import YonderTestSupport

@testable import YonderServer

/// Who may do what: every route, asked by everybody.
///
/// Each question meets a world of its own: a channel `C` with a live share `M` of its author, a share of another
/// member, links to both, and a device, a link and an invite to be deleted.
struct AuthorisationTests {
    /// Who asks, in the order of the table's columns.
    enum Asker: String, CaseIterable {
        case nobody, guest, otherGuest, stranger, member, author, moderator, owner, admin, removed, expired
        case deadLink
    }

    /// A route, what is sent, and the status that each asker gets.
    struct Row: Sendable, CustomTestStringConvertible {
        let method: String
        /// The pattern, with what stands for its names: `{cid}` C, `{id}` M, …
        let pattern: String
        let body: String?
        let expected: [Int]

        init(_ method: String, _ pattern: String, _ body: String?, _ expected: String) {
            (self.method, self.pattern, self.body) = (method, pattern, body)
            self.expected = expected.split(separator: " ").compactMap { Int($0) }
        }

        init(_ method: String, _ pattern: String, _ expected: String) {
            self.init(method, pattern, nil, expected)
        }

        var name: String { "\(method) \(pattern)" }
        var testDescription: String { name }
    }

    private static let everybody = "200 200 200 200 200 200 200 200 200 200 200 200"
    private static let anyUser = "401 404 404 200 200 200 200 200 200 200 401 401"

    private static let noToken = "401 401 401 401 401 401 401 401 401 401 401 401"

    private static let text = #"{"text":"x"}"#

    /// The table; columns: no token, the guest of this share, the guest of another, a stranger, a member, the
    /// author, a moderator, the owner, an admin of the server (not in the channel), somebody removed, an expired
    /// token, a dead link.
    static let table: [Row] = [
        //                                                     none gst oth str mem aut mod own adm rem exp dead
        Row("GET", "/healthz", everybody),
        Row("GET", "/readyz", everybody),
        Row("GET", "/v1/openapi.json", everybody),
        Row("GET", "/metrics", "401 404 404 403 403 403 403 403 200 403 401 401"),

        Row("PUT", "/v1/users/{id}", "{}", "401 404 404 403 403 403 403 403 201 403 401 401"),
        Row("GET", "/v1/users/me", anyUser),
        Row("PATCH", "/v1/users/me", #"{"name":"N"}"#, anyUser),
        Row("DELETE", "/v1/users/me", "401 404 404 204 204 204 204 204 204 204 401 401"),
        Row("GET", "/v1/users/me/export", anyUser),
        Row("POST", "/v1/users/me/login-links", "401 404 404 201 201 201 201 201 201 201 401 401"),
        Row("POST", "/v1/token", anyUser),
        Row("POST", "/v1/login", #"{"code":"x"}"#, "404 404 404 404 404 404 404 404 404 404 404 404"),
        Row("POST", "/v1/session", "401 404 404 204 204 204 204 204 204 204 401 401"),
        Row("DELETE", "/v1/session", "401 404 404 404 404 404 404 404 404 404 401 401"),

        Row("GET", "/v1/devices", anyUser),
        Row("POST", "/v1/devices", #"{"id":"new"}"#, "401 404 404 201 201 201 201 201 201 201 401 401"),
        Row("DELETE", "/v1/devices/{id}", "401 404 404 404 204 204 404 404 404 404 401 401"),
        Row("POST", "/v1/devices/{id}/ingest-key", "401 404 404 404 201 201 404 404 404 404 401 401"),
        Row("DELETE", "/v1/devices/{id}/ingest-key", "401 404 404 404 404 204 404 404 404 404 401 401"),

        // A phone app comes with an ingest key; no token is one.
        Row("POST", "/ingest/owntracks", noToken),
        Row("POST", "/ingest/overland", noToken),
        Row("GET", "/ingest/osmand", noToken),
        Row("POST", "/ingest/osmand", noToken),
        Row("GET", "/ingest/gpslogger", noToken),
        Row("POST", "/ingest/gpslogger", noToken),
        Row("PUT", "/ingest/gpslogger", noToken),

        Row("GET", "/v1/channels", anyUser),
        Row("POST", "/v1/channels", #"{"type":"team"}"#, "401 404 404 201 201 201 201 201 201 201 401 401"),
        Row("GET", "/v1/channels/{cid}", "401 404 404 404 200 200 200 200 404 404 401 401"),
        Row(
            "PATCH", "/v1/channels/{cid}", #"{"name":"N"}"#, "401 404 404 404 403 403 403 200 404 404 401 401"
        ),
        Row("DELETE", "/v1/channels/{cid}", "401 404 404 404 403 403 403 204 404 404 401 401"),
        Row("GET", "/v1/channels/{cid}/members", "401 404 404 404 200 200 200 200 404 404 401 401"),
        Row("PUT", "/v1/channels/{cid}/members/{user}", "401 404 404 404 403 403 201 201 404 404 401 401"),
        Row("DELETE", "/v1/channels/{cid}/members/{user}", "401 404 404 404 403 204 204 204 404 404 401 401"),
        Row("POST", "/v1/channels/{cid}/invites", "{}", "401 404 404 404 403 403 201 201 404 404 401 401"),
        Row("GET", "/v1/channels/{cid}/invites", "401 404 404 404 403 403 200 200 404 404 401 401"),
        Row(
            "DELETE", "/v1/channels/{cid}/invites/{invite}", "401 404 404 404 403 403 204 204 404 404 401 401"
        ),
        Row(
            "POST", "/v1/invites/accept", #"{"code":"CODE","name":"N","key":"0123456789abcdef"}"#,
            "201 404 404 200 200 200 200 200 200 200 401 401"),

        Row("POST", "/v1/channels/{cid}/messages", text, "401 404 404 404 201 201 201 201 404 404 401 401"),
        Row("GET", "/v1/channels/{cid}/messages", "401 404 404 404 200 200 200 200 404 404 401 401"),
        Row("GET", "/v1/messages/{id}", "401 200 404 404 200 200 200 200 404 404 401 401"),
        Row("PATCH", "/v1/messages/{id}", text, "401 404 404 404 403 200 403 403 404 404 401 401"),
        Row("DELETE", "/v1/messages/{id}", "401 404 404 404 403 200 200 200 404 404 401 401"),
        Row("GET", "/v1/messages/{id}/replies", "401 404 404 404 200 200 200 200 404 404 401 401"),
        Row("GET", "/v1/messages/{id}/trail", "401 404 404 404 200 200 200 200 404 404 401 401"),
        Row("GET", "/v1/messages/{id}/audience", "401 404 404 404 403 200 403 403 404 404 401 401"),
        Row("POST", "/v1/messages/{id}/links", "{}", "401 404 404 404 403 201 403 403 404 404 401 401"),
        Row("GET", "/v1/messages/{id}/links", "401 404 404 404 403 200 403 403 404 404 401 401"),
        Row("DELETE", "/v1/messages/{id}/links/{link}", "401 404 404 404 403 204 403 403 404 404 401 401"),

        Row("PUT", "/v1/live-locations", #"{"latitude":1,"longitude":1}"#, anyUser),
        Row("POST", "/v1/live-locations/batch", #"{"fixes":[]}"#, anyUser),
        Row("GET", "/v1/live-locations", anyUser),
        Row("DELETE", "/v1/live-locations", "401 404 404 204 204 204 204 204 204 204 401 401"),
        Row(
            "PATCH", "/v1/messages/{id}/live-location", #"{"end_at":"END"}"#,
            "401 404 404 404 403 200 403 403 404 404 401 401"),
        Row("DELETE", "/v1/messages/{id}/live-location", "401 404 404 404 403 200 200 200 404 404 401 401"),
        // Not a WebSocket's handshake: 400 before anybody asks who it is.
        Row("GET", "/v1/events", "401 400 400 400 400 400 400 400 400 400 401 401"),
    ]

    @Test func `the table holds every route, and every route is held`() async throws {
        let folder = NSTemporaryDirectory() + "yonder-routes-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try YonderServer(
            ServerConfiguration(dataFolder: folder, secret: TestServer.secret), log: Log { _ in })
        #expect(Set(server.routes.map(\.name)) == Set(Self.table.map(\.name)))
        #expect(Self.table.allSatisfy { $0.expected.count == Asker.allCases.count })
    }

    @Test(arguments: table) func `everybody gets what they may, and nothing else`(row: Row) async throws {
        try await TestServer.run { server in
            for (number, asker) in Asker.allCases.enumerated() {
                let world = try await World(server, number)
                let (path, body) = world.filled(row)
                let answer = try await server.call(
                    row.method, path, json: body, headers: world.headers(of: asker))
                #expect(
                    answer.status == row.expected[number],
                    "\(row.name) as \(asker): \(answer.text.prefix(200))")
                if answer.status == 404 { #expect(answer.string("code") == "not_found") }
            }
        }
    }
}

/// A channel with people of every kind.
private struct World {
    let server: TestServer
    let number: Int
    private var link = (id: "", token: "")
    private var otherToken = ""
    private var deadToken = ""
    private var invite = (id: "", code: "")

    private var channel: String { "team:c\(number)" }
    private var message: String { "m\(number)" }
    private func name(_ asker: AuthorisationTests.Asker) -> String { "\(asker)-\(number)" }

    init(_ server: TestServer, _ number: Int) async throws {
        self.server = server
        self.number = number
        let owner = name(.owner)
        let people = [AuthorisationTests.Asker.member, .author, .moderator, .removed]
        for person in people + [.stranger] {
            _ = try await server.call("GET", "/v1/users/me", as: name(person))
        }
        let members = people.map { "\"\(name($0))\"" }.joined(separator: ",")
        try await server.call(
            "POST", "/v1/channels", as: owner,
            json: #"{"type":"team","id":"c\#(number)","members":[\#(members)]}"#
        ).expect(201)
        try await server.call(
            "PUT", "/v1/channels/\(channel)/members/\(name(.moderator))", as: owner,
            json: #"{"role":"moderator"}"#
        ).expect(200)
        try await share(message, by: name(.author))
        try await server.call("POST", "/v1/devices/phone/ingest-key", as: name(.author)).expect(201)
        try await share("other\(number)", by: name(.member))
        link = try await makeLink(message, by: name(.author))
        otherToken = try await makeLink("other\(number)", by: name(.member)).token
        let dead = try await makeLink(message, by: name(.author))
        deadToken = dead.token
        try await server.call("DELETE", "/v1/messages/\(message)/links/\(dead.id)", as: name(.author))
            .expect(204)
        let made = try await server.call("POST", "/v1/channels/\(channel)/invites", as: owner, json: "{}")
        invite = (made.string("id") ?? "", made.string("code") ?? "")
        try await server.call(
            "DELETE", "/v1/channels/\(channel)/members/\(name(.removed))", as: owner
        ).expect(204)
    }

    private func share(_ id: String, by user: String) async throws {
        try await server.call("POST", "/v1/devices", as: user, json: #"{"id":"phone"}"#).expect(201)
        let end = Timestamp.now.advanced(bySeconds: 600).rfc3339
        try await server.call(
            "POST", "/v1/channels/\(channel)/messages", as: user,
            json: """
                {"id":"\(id)","shared_location":{"latitude":60,"longitude":24,"device_id":"phone",
                "end_at":"\(end)"}}
                """
        ).expect(201)
    }

    private func makeLink(_ id: String, by user: String) async throws -> (id: String, token: String) {
        let made = try await server.call("POST", "/v1/messages/\(id)/links", as: user, json: "{}").expect(201)
        return (made.string("id") ?? "", made.string("token") ?? "")
    }

    /// A row's path and body with this world's names in them.
    func filled(_ row: AuthorisationTests.Row) -> (path: String, body: String?) {
        let id =
            switch row.pattern {
            case "/v1/users/{id}": "made-\(number)"
            case let pattern where pattern.hasPrefix("/v1/devices/{id}"): "phone"
            default: message
            }
        // Added by whoever may, removed by whoever may.
        let user = row.method == "PUT" ? name(.stranger) : name(.author)
        let path = row.pattern.replacing("{cid}", with: channel).replacing("{id}", with: id)
            .replacing("{user}", with: user).replacing("{link}", with: link.id)
            .replacing("{invite}", with: invite.id)
        let end = Timestamp.now.advanced(bySeconds: 900).rfc3339
        return (path, row.body?.replacing("CODE", with: invite.code).replacing("END", with: end))
    }

    func headers(of asker: AuthorisationTests.Asker) -> [(name: String, value: String)] {
        let token: String? =
            switch asker {
            case .nobody: nil
            case .guest: link.token
            case .otherGuest: otherToken
            case .deadLink: deadToken
            case .admin: server.token(name(.admin), role: .admin)
            case .expired: server.token(name(.author), expiresIn: -1)
            default: server.token(name(asker))
            }
        return token.map { [("Authorization", "Bearer \($0)")] } ?? []
    }
}
