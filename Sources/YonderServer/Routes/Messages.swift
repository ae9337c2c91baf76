import YonderModel

/// Messages as the wire wraps them.
struct MessageList: Encodable {
    var messages: [Message]
}

private struct EditBody: Decodable {
    var text: String
}

extension PageRequest {
    fileprivate init(_ request: RouteRequest) throws {
        self.init(
            limit: try request.queryNumber("limit", in: 1...100, default: 30),
            before: try request.queryId(MessageId.self, "before"),
            after: try request.queryId(MessageId.self, "after"))
    }
}

/// `/v1/channels/{cid}/messages`, `/v1/messages`
func messageRoutes(_ messages: MessageService) -> [Route] {
    [
        Route("POST", "/v1/channels/{cid}/messages", bodyLimit: 262_144) { request in
            let sent = try await messages.send(
                try request.body(MessageBody.self), in: try request.id(ChannelId.self, "cid"),
                by: request.caller)
            return .json(
                sent.message.asSeen(at: messages.clock()), status: sent.isNew ? 201 : 200)
        },
        Route("GET", "/v1/channels/{cid}/messages") { request in
            let page = try messages.page(
                of: try request.id(ChannelId.self, "cid"), try PageRequest(request), for: request.caller)
            return .json(MessageList(messages: page))
        },
        Route("GET", "/v1/messages/{id}", access: .viewers) { request in
            .json(try messages.message(try request.id(MessageId.self, "id"), for: request.principal))
        },
        Route("GET", "/v1/messages/{id}/replies") { request in
            let page = try messages.replies(
                to: try request.id(MessageId.self, "id"), try PageRequest(request), for: request.caller)
            return .json(MessageList(messages: page))
        },
        Route("PATCH", "/v1/messages/{id}", bodyLimit: 262_144) { request in
            .json(
                try await messages.edit(
                    try request.id(MessageId.self, "id"), text: try request.body(EditBody.self).text,
                    by: request.caller))
        },
        Route("DELETE", "/v1/messages/{id}") { request in
            .json(try await messages.delete(try request.id(MessageId.self, "id"), by: request.caller))
        },
    ]
}
