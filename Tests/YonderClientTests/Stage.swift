import Foundation
import Synchronization
import YonderModel
import YonderRules

@testable import YonderClient

/// A transport on which the test plays the server: it answers each request, and says what comes over each connection.
final class Stage: ChatTransport {
    typealias Answer = @Sendable (TransportRequest) async throws -> String

    /// One connection, on which the server has said hello.
    final class Link: EventLink {
        let frames: AsyncStream<EventLinkSignal>
        private let continuation: AsyncStream<EventLinkSignal>.Continuation
        private let texts = Mutex<[String]>([])

        init() {
            (frames, continuation) = AsyncStream.makeStream()
            say(Sample.hello())
        }

        /// What the client has sent.
        var sent: [String] { texts.withLock { $0 } }

        func say(_ json: String) { continuation.yield(.text(Array(json.utf8))) }
        func breakOff() { continuation.finish() }
        func send(_ text: [UInt8]) { texts.withLock { $0.append(String(decoding: text, as: UTF8.self)) } }
        func close() async { continuation.finish() }
    }

    private struct State {
        var isReachable = true
        var links: [Link] = []
        var requests: [TransportRequest] = []
    }

    private let state = Mutex(State())
    private let answer: Answer

    /// Makes one; by default of a server that takes everything.
    init(_ answer: @escaping Answer = { request in Stage.plainly(request) }) { self.answer = answer }

    var requests: [TransportRequest] { state.withLock { $0.requests } }
    var link: Link? { state.withLock { $0.links.last } }

    func count(_ method: String, _ path: String) -> Int {
        requests.count { $0.method == method && $0.path.hasPrefix(path) }
    }

    /// Whether the server can be reached; where it cannot, what stood is broken off.
    func setReachable(_ isReachable: Bool) {
        state.withLock { $0.isReachable = isReachable }
        if !isReachable { link?.breakOff() }
    }

    func send(_ request: TransportRequest) async throws(ClientError) -> TransportResponse {
        let isReachable = state.withLock { state in
            if state.isReachable { state.requests.append(request) }
            return state.isReachable
        }
        guard isReachable else { throw ClientError(.cannotConnect, "nobody answers") }
        do {
            return TransportResponse(status: 200, body: Array(try await answer(request).utf8))
        } catch {
            throw error as? ClientError ?? .cancelled
        }
    }

    func openEvents(token: Token) async throws(ClientError) -> any EventLink {
        let link = state.withLock { state -> Link? in
            guard state.isReachable else { return nil }
            state.links.append(Link())
            return state.links.last
        }
        guard let link else { throw ClientError(.cannotConnect, "nobody answers") }
        return link
    }

    func client(
        deviceTime: @escaping @Sendable () -> Timestamp = { .now },
        tokenProvider: (@Sendable (UserId) async throws -> Token)? = nil
    ) -> ChatClient {
        ChatClient(
            config: ChatClientConfig(
                baseURL: URL(string: "http://127.0.0.1:9")!, deviceId: DeviceId("phone"),
                minimumUpdateInterval: .milliseconds(20), tokenProvider: tokenProvider, log: { _ in }),
            transport: self, deviceTime: deviceTime)
    }

    /// The same, and connects it as Anna.
    func connected(deviceTime: @escaping @Sendable () -> Timestamp = { .now }) async throws -> ChatClient {
        let client = client(deviceTime: deviceTime)
        try await client.connectUser(userInfo: UserInfo(id: "anna"), token: Token(Sample.token))
        return client
    }

    /// What a server answers that takes everything and on which nothing is shared.
    static func plainly(_ request: TransportRequest) -> String {
        let json =
            request.body.flatMap { try? JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] }
            ?? [:]
        switch (request.method, request.path) {
        case ("POST", "/v1/devices"):
            return
                #"{"id":"phone","user_id":"anna","created_at":"2026-01-01T00:00:00Z","last_seen_at":"2026-01-01T00:00:00Z"}"#
        case ("GET", "/v1/live-locations"): return #"{"active_live_locations":[]}"#
        case ("GET", "/v1/channels"): return #"{"channels":[\#(Sample.channel)]}"#
        case ("GET", _) where request.path.contains("/messages?"): return #"{"messages":[]}"#
        case ("GET", _) where request.path.hasPrefix("/v1/channels/"): return Sample.channel
        case ("POST", "/v1/live-locations/batch"): return #"{"accepted":1,"applied":1,"rejected":[]}"#
        case ("PUT", "/v1/live-locations"):
            let ids = (json["message_ids"] as? [String] ?? []).map { "\"\($0)\"" }
            return #"{"applied":[\#(ids.joined(separator: ","))],"skipped":[]}"#
        case ("DELETE", _) where request.path.hasPrefix("/v1/devices/"): return ""
        case ("DELETE", _): return Sample.location(active: false)
        default:
            let id = json["id"] as? String ?? "m1"
            let isShare = json["shared_location"] != nil
            return Sample.message(
                id, text: json["text"] as? String ?? "", location: isShare ? Sample.location(id) : nil)
        }
    }
}

/// A door that is shut until the test opens it.
final class Door: Sendable {
    private let isOpen: Mutex<Bool>

    init(isOpen: Bool = false) { self.isOpen = Mutex(isOpen) }

    func open() { isOpen.withLock { $0 = true } }
    func shut() { isOpen.withLock { $0 = false } }

    func pass() async {
        while !isOpen.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(5)) }
    }
}
