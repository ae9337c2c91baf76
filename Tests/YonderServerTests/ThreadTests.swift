import Testing
import YonderModel

@testable import YonderServer

struct ThreadTests {
    private let path = "/v1/channels/team:x/messages"

    @discardableResult
    private func send(_ server: TestServer, _ json: String, as user: String = "anna") async throws -> Answer {
        try await server.call("POST", path, as: user, json: json)
    }

    @Test func `replies stand in their thread and are counted`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            try await send(server, #"{"id":"m","text":"lunch?"}"#).expect(201)
            for number in 0..<3 {
                let reply = #"{"id":"r\#(number)","text":"yes","parent_id":"m"}"#
                #expect(try await send(server, reply, as: "bo").expect(201).string("parent_id") == "m")
            }
            let parent = try await server.call("GET", "/v1/messages/m", as: "anna")
            #expect(parent.number("reply_count") == 3)
            #expect(try await server.call("GET", path, as: "anna").count("messages") == 1)
            let thread = try await server.call("GET", "/v1/messages/m/replies?limit=2", as: "anna").expect(
                200)
            #expect(thread.string("messages", "0", "id") == "r1" && thread.count("messages") == 2)
            let older = try await server.call("GET", "/v1/messages/m/replies?before=r1", as: "anna")
            #expect(older.string("messages", "0", "id") == "r0" && older.count("messages") == 1)
            try await server.call("GET", "/v1/messages/m/replies?before=m", as: "anna")
                .expect(422, code: "invalid_argument", field: "?before")
            try await server.call("GET", "/v1/messages/m/replies", as: "eve").expect(404)
            try await server.call("DELETE", "/v1/messages/r0", as: "bo").expect(200)
            let counted = try await server.call("GET", "/v1/messages/m", as: "anna")
            #expect(counted.number("reply_count") == 2)
        }
    }

    @Test func `a parent or a quote must be in the same channel and be there`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"])
            try await server.call("POST", "/v1/channels", as: "anna", json: #"{"type":"team","id":"y"}"#)
            try await server.call(
                "POST", "/v1/channels/team:y/messages", as: "anna", json: #"{"id":"other","text":"x"}"#)
            try await send(server, #"{"id":"m","text":"x"}"#)
            try await send(server, #"{"id":"r","text":"x","parent_id":"m"}"#).expect(201)
            try await send(server, #"{"id":"gone","text":"x"}"#)
            try await server.call("DELETE", "/v1/messages/gone", as: "anna").expect(200)
            for id in ["nothing", "other", "gone"] {
                try await send(server, #"{"text":"x","parent_id":"\#(id)"}"#)
                    .expect(422, code: "invalid_argument", field: "/parent_id")
                try await send(server, #"{"text":"x","quoted_message_id":"\#(id)"}"#)
                    .expect(422, code: "invalid_argument", field: "/quoted_message_id")
            }
            try await send(server, #"{"text":"x","parent_id":"r"}"#)
                .expect(422, code: "invalid_argument", field: "/parent_id")
        }
    }

    @Test func `a channel without threads takes no replies`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna"], config: #"{"replies":false}"#)
            try await send(server, #"{"id":"m","text":"x"}"#).expect(201)
            try await send(server, #"{"text":"x","parent_id":"m"}"#).expect(403, code: "forbidden")
        }
    }

    @Test func `a quote carries its location, one level deep`() async throws {
        try await TestServer.run { server in
            try await server.makeChannel(["anna", "bo"])
            try await server.share("anna", id: "m").expect(201)
            try await send(server, #"{"id":"q","text":"where?","quoted_message_id":"m"}"#, as: "bo").expect(
                201)
            let deep = try await send(server, #"{"id":"qq","text":"there","quoted_message_id":"q"}"#)
            #expect(deep.string("quoted_message", "id") == "q")
            #expect(deep["quoted_message", "quoted_message"] == nil)
            let read = try await server.call("GET", "/v1/messages/q", as: "anna")
            #expect(read.number("quoted_message", "shared_location", "latitude") == 60.17)
            #expect(read["quoted_message", "shared_location", "active"] as? Bool == true)
            try await server.call("DELETE", "/v1/messages/m", as: "anna").expect(200)
            let after = try await server.call("GET", "/v1/messages/q", as: "anna")
            #expect(after["quoted_message", "shared_location"] == nil)
            #expect(after.string("quoted_message", "deleted_at") != nil)
        }
    }
}
