import YonderModel

private struct LinkList: Encodable {
    let links: [LinkEntry]
}

/// `/v1/messages/{id}/links` and `/audience`
func linkRoutes(_ links: LinkService) -> [Route] {
    [
        Route("POST", "/v1/messages/{id}/links") { request in
            let id = try request.id(MessageId.self, "id")
            let body = request.bytes.isEmpty ? LinkBody() : try request.body(LinkBody.self)
            return .json(try await links.make(for: id, body, by: request.caller), status: 201)
        },
        Route("GET", "/v1/messages/{id}/links") { request in
            let id = try request.id(MessageId.self, "id")
            return .json(LinkList(links: try links.links(of: id, for: request.caller)))
        },
        Route("DELETE", "/v1/messages/{id}/links/{link}") { request in
            try await links.revoke(
                try request.id(LinkId.self, "link"), of: try request.id(MessageId.self, "id"),
                by: request.caller)
            return .noContent
        },
        Route("GET", "/v1/messages/{id}/audience") { request in
            .json(try links.audience(of: try request.id(MessageId.self, "id"), for: request.caller))
        },
    ]
}
