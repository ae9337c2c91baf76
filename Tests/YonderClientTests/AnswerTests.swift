import Foundation
import Synchronization
import Testing
import YonderModel
import YonderRules

@testable import YonderClient

/// What each answer of the server's does to what waits: a transport that answers as the test says.
struct AnswerTests {
    private enum Answer: Sendable {
        case status(Int, String, retryAfter: Int? = nil)
        case fails(ClientError.Code)
    }

    /// Answers what is asked for of it first, and then as a server that takes everything.
    private final class ScriptedTransport: ChatTransport {
        struct State {
            var answers: [Answer] = []
            var requests: [TransportRequest] = []
            var isOn = true
        }

        let state: Mutex<State>
        let path: String

        /// Makes one; the requests whose path ends with `path` get the answers.
        init(_ answers: [Answer], for path: String) {
            state = Mutex(State(answers: answers))
            self.path = path
        }

        var asked: [TransportRequest] {
            state.withLock { state in state.requests.filter { $0.path.hasSuffix(path) } }
        }

        func send(_ request: TransportRequest) async throws(ClientError) -> TransportResponse {
            let answer = state.withLock { state -> Answer? in
                state.requests.append(request)
                guard request.path.hasSuffix(path), request.method != "GET", !state.answers.isEmpty else {
                    return nil
                }
                return state.answers.removeFirst()
            }
            switch answer {
            case .status(let status, let code, let retryAfter):
                let problem = code.isEmpty ? "<html>" : Self.problem(status, code)
                return TransportResponse(status: status, retryAfter: retryAfter, body: Array(problem.utf8))
            case .fails(let code): throw ClientError(code, "scripted")
            case nil: return TransportResponse(status: 200, body: Array(taken(request).utf8))
            }
        }

        private static func problem(_ status: Int, _ code: String) -> String {
            """
            {"type":"about:blank","title":"t","status":\(status),"detail":"scripted","code":"\(code)",\
            "request_id":"r"}
            """
        }

        private func taken(_ request: TransportRequest) -> String {
            let json =
                request.body.flatMap { try? JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] }
                ?? [:]
            switch (request.method, request.path) {
            case ("POST", "/v1/devices"):
                return
                    #"{"id":"phone","user_id":"anna","created_at":"2026-01-01T00:00:00Z","last_seen_at":"2026-01-01T00:00:00Z"}"#
            case ("GET", "/v1/live-locations"):
                let isOn = state.withLock { $0.isOn }
                return #"{"active_live_locations":[\#(isOn ? Sample.location() : "")]}"#
            case ("GET", _):
                return Sample.message("m1", location: Sample.location(active: state.withLock { $0.isOn }))
            case ("PUT", _):
                let ids = (json["message_ids"] as? [String] ?? []).map { "\"\($0)\"" }
                return #"{"applied":[\#(ids.joined(separator: ","))],"skipped":[]}"#
            case ("POST", "/v1/live-locations/batch"): return #"{"accepted":1,"applied":1,"rejected":[]}"#
            case ("DELETE", _): return Sample.location(active: false)
            default: return Sample.message(json["id"] as? String ?? "m9", text: json["text"] as? String ?? "")
            }
        }

        func openEvents(token: Token) async throws(ClientError) -> any EventLink { QuietLink() }
    }

    /// A connection on which the server has said hello and no more.
    private final class QuietLink: EventLink {
        let frames: AsyncStream<EventLinkSignal>
        private let continuation: AsyncStream<EventLinkSignal>.Continuation

        init() {
            (frames, continuation) = AsyncStream.makeStream()
            continuation.yield(.text(Array(Sample.hello().utf8)))
        }

        func send(_ text: [UInt8]) {}
        func close() async { continuation.finish() }
    }

    private static func client(
        _ transport: ScriptedTransport, tokenProvider: (@Sendable (UserId) async throws -> Token)? = nil
    ) async throws -> ChatClient {
        let client = ChatClient(
            config: ChatClientConfig(
                baseURL: URL(string: "http://127.0.0.1:9")!, deviceId: DeviceId("phone"),
                minimumUpdateInterval: .milliseconds(20), tokenProvider: tokenProvider, log: { _ in }),
            transport: transport)
        try await client.connectUser(userInfo: UserInfo(id: "anna"), token: Token(Sample.token))
        return client
    }

    private static let cid = ChannelId(type: "messaging", id: "berlin")

    @Test(
        arguments: [
            .status(401, "unauthenticated"), .status(401, "token_expired"), .status(401, ""),
        ] as [Answer])
    private func `a token that is not taken is replaced and the message arrives once`(_ answer: Answer)
        async throws
    {
        let transport = ScriptedTransport([answer], for: "/messages")
        let fresh: Token = "e30.eyJzdWIiOiJhbm5hIn0.fresh"
        let client = try await Self.client(transport, tokenProvider: { _ in fresh })
        let message = try await client.channelController(for: Self.cid).sendMessage(text: "hi")
        #expect(message.localState == .sent)
        #expect(transport.asked.map(\.token) == [Token(Sample.token), fresh])
        await client.disconnect()
    }

    @Test(
        arguments: [
            (.status(403, "forbidden"), .forbidden), (.status(404, "not_found"), .notFound),
            (.status(409, "conflict"), .conflict), (.status(413, "payload_too_large"), .payloadTooLarge),
            (.status(422, "invalid_argument"), .invalidArgument),
            (.status(403, "location_sharing_disabled"), .locationSharingDisabled),
        ] as [(Answer, ErrorCode)])
    private func `a message that is refused has failed, says why, and can be sent again`(
        _ answer: Answer, _ code: ErrorCode
    ) async throws {
        let transport = ScriptedTransport([answer], for: "/messages")
        let client = try await Self.client(transport)
        let channel = client.channelController(for: Self.cid)
        let error = await #expect(throws: ClientError.self) { try await channel.sendMessage(text: "hi") }
        #expect(error?.code == .server(code))
        let failed = try #require(channel.messages.last)
        #expect(failed.localState == .failed && failed.localError?.code == .server(code))
        // What stands behind it is not held up.
        #expect(try await channel.sendMessage(text: "next").localState == .sent)
        try client.messageController(cid: Self.cid, messageId: failed.id).resendMessage()
        #expect(await client.sendUnsentActions())
        #expect(channel.messages.allSatisfy { $0.localState == .sent })
        await client.disconnect()
    }

    @Test(
        arguments: [
            .status(429, "rate_limited", retryAfter: 1), .status(500, "internal"), .status(503, ""),
            .status(200, ""), .status(302, ""), .status(403, ""), .status(404, ""), .fails(.timedOut),
            .fails(.cannotConnect),
            .fails(.connectionLost), .fails(.cancelled),
        ] as [Answer])
    private func `what may pass is tried again under the same id until it is sent`(_ answer: Answer)
        async throws
    {
        let transport = ScriptedTransport([answer], for: "/messages")
        let client = try await Self.client(transport)
        let message = try await client.channelController(for: Self.cid).sendMessage(text: "hi")
        #expect(message.localState == .sent)
        let ids = transport.asked.compactMap { request in
            (try? JSONSerialization.jsonObject(with: Data(request.body ?? [])) as? [String: Any])?["id"]
                as? String
        }
        #expect(ids.count == 2 && Set(ids).count == 1)
        await client.disconnect()
    }

    @Test(
        arguments: [
            .status(429, "rate_limited", retryAfter: 1), .status(429, ""), .status(500, "internal"),
            .status(503, "unavailable"), .status(200, ""), .fails(.timedOut), .fails(.connectionLost),
            .status(403, ""), .status(404, ""), .fails(.cancelled),
        ] as [Answer])
    private func `no answer that may pass ends a share`(_ answer: Answer) async throws {
        let transport = ScriptedTransport([answer], for: "/v1/live-locations")
        let client = try await Self.client(transport)
        let me = client.currentUserController()
        try await me.loadActiveLiveLocationMessages()
        try await me.updateLiveLocation(place(7))
        #expect(me.activeLiveLocationMessages.map(\.id) == [MessageId("m1")])
        let sent = transport.asked.filter { $0.method == "PUT" }
        #expect(sent.count == 2)
        await client.disconnect()
    }

    @Test(
        arguments: [
            .status(403, "location_sharing_disabled"), .status(404, "not_found"),
            .status(409, "live_location_ended"),
        ] as [Answer])
    private func `an answer that says that a share is over ends it here`(_ answer: Answer) async throws {
        let transport = ScriptedTransport([answer], for: "/v1/live-locations")
        let client = try await Self.client(transport)
        let me = client.currentUserController()
        try await me.loadActiveLiveLocationMessages()
        transport.state.withLock { $0.isOn = false }
        await #expect(throws: ClientError.self) { try await me.updateLiveLocation(place(7)) }
        try await eventually("it is over") { me.activeLiveLocationMessages == [] }
        let before = transport.asked.count { $0.method == "PUT" }
        for number in 0..<50 { me.updateLiveLocation(place(Double(number)), completion: nil) }
        try await Task.sleep(for: .milliseconds(100))
        #expect(transport.asked.count { $0.method == "PUT" } == before)
        await client.disconnect()
    }

    @Test func `a token that cannot be replaced ends the session and loses nothing`() async throws {
        let transport = ScriptedTransport([.status(401, "unauthenticated")], for: "/messages")
        let client = try await Self.client(transport)
        let channel = client.channelController(for: Self.cid)
        _ = try? await channel.sendMessage(text: "hi")
        #expect(channel.messages.last?.localState != .failed)
        await client.disconnect()
    }

    @Test func `a stop that is refused shows the share as on again`() async throws {
        let transport = ScriptedTransport([.status(403, "forbidden")], for: "/live-location")
        let client = try await Self.client(transport)
        let me = client.currentUserController()
        try await me.loadActiveLiveLocationMessages()
        let controller = client.messageController(cid: Self.cid, messageId: MessageId("m1")!)
        let error = await #expect(throws: ClientError.self) { try await controller.stopLiveLocationSharing() }
        #expect(error?.code == .server(.forbidden))
        #expect(me.activeLiveLocationMessages.map(\.id) == [MessageId("m1")])
        await client.disconnect()
    }

    @Test func `a batch that is too large is sent in halves`() async throws {
        let transport = ScriptedTransport(
            Array(repeating: .status(413, "payload_too_large"), count: 3), for: "/batch")
        var queue = FixQueue()
        for number in 0..<1_000 {
            _ = queue.offer(
                place(Double(number) / 100), recordedAt: Timestamp(milliseconds: Int64(number) * 1_000),
                to: [MessageId("m1")!])
        }
        let client = try await Self.client(transport)
        let replica = client.replica
        let feeder = LiveLocationFeeder(
            api: ServerAPI(
                transport: transport,
                tokens: TokenKeeper(Token(Sample.token), of: UserId("anna")!, provider: nil)),
            replica: replica, deviceId: DeviceId("phone"), interval: .seconds(2), fixes: queue.fixes)
        let work = Task { await feeder.run() }
        let sizes = {
            transport.asked.compactMap { request -> Int? in
                let json = try? JSONSerialization.jsonObject(with: Data(request.body ?? [])) as? [String: Any]
                return (json?["fixes"] as? [Any])?.count
            }
        }
        try await eventually("all is sent") { sizes().dropFirst(3).reduce(0, +) == 1_000 }
        #expect(sizes() == [1_000, 500, 250] + Array(repeating: 125, count: 8))
        work.cancel()
        await client.disconnect()
    }
}
