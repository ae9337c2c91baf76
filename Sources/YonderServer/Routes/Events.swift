import YonderFanout
import YonderHTTP
import YonderModel

/// `/v1/events`: the WebSocket
func eventRoutes(fanout: Fanout, authenticator: Authenticator, users: UserService) -> [Route] {
    [
        // For everybody as far as the router goes: a browser's token stands in another header.
        Route("GET", "/v1/events", access: .everybody) { request in
            let (caller, subprotocol) = try await authenticator.webSocketCaller(of: request.request.head)
            guard let loop = fanout.leastBusyLoop else {
                throw WireError(.unavailable, "the server is starting", retryAfter: 1)
            }
            var user = try users.user(of: caller)
            user.image = nil
            let viewer = Viewer(user: user, expiresAt: caller.expiresAt)
            return .webSocket(WebSocketAcceptance(subprotocol: subprotocol, context: viewer, loop: loop))
        }
    ]
}
