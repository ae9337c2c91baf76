import YonderFanout
import YonderHTTP
import YonderModel
import YonderRules

/// `/v1/events`: the WebSocket
func eventRoutes(
    fanout: Fanout, authenticator: Authenticator, clock: @escaping @Sendable () -> Timestamp
) -> [Route] {
    [
        // For everybody as far as the router goes: a browser's token stands in another header.
        Route("GET", "/v1/events", access: .everybody) { request in
            let now = clock()
            let (principal, subprotocol) = try await authenticator.webSocketPrincipal(
                of: request.request.head)
            guard let loop = fanout.leastBusyLoop else {
                throw WireError(.unavailable, "the server is starting", retryAfter: 1)
            }
            return .webSocket(
                WebSocketAcceptance(
                    subprotocol: subprotocol, context: principal.viewer(admittedAt: now), loop: loop))
        }
    ]
}
