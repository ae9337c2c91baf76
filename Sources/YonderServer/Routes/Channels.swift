import YonderModel

private struct ChannelList: Encodable {
    var channels: [Channel]
}

/// `/v1/channels`
func channelRoutes(_ channels: ChannelService) -> [Route] {
    [
        Route("GET", "/v1/channels") { .json(ChannelList(channels: try channels.channels(of: $0.caller))) },
        Route("POST", "/v1/channels") { request in
            let body = try request.body(ChannelBody.self)
            return .json(try await channels.create(body, by: request.caller), status: 201)
        },
        Route("GET", "/v1/channels/{cid}") { request in
            .json(try channels.channel(try request.id(ChannelId.self, "cid"), for: request.caller))
        },
        Route("PATCH", "/v1/channels/{cid}") { request in
            .json(
                try await channels.change(
                    try request.id(ChannelId.self, "cid"), try request.body(ChannelChangeBody.self),
                    by: request.caller))
        },
        Route("DELETE", "/v1/channels/{cid}") { request in
            try await channels.delete(try request.id(ChannelId.self, "cid"), by: request.caller)
            return .noContent
        },
    ]
}
