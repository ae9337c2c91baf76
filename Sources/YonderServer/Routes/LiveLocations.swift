import YonderModel

private struct ActiveList: Encodable {
    var shares: [ActiveShare]

    enum CodingKeys: String, CodingKey {
        case shares = "active_live_locations"
    }
}

private struct ActiveShare: Encodable {
    var share: SharedLocation
    var audience: Int

    private enum Key: CodingKey {
        case audience
    }

    func encode(to encoder: any Encoder) throws {
        try share.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(audience, forKey: .audience)
    }
}

/// `/v1/live-locations`, and the end of one share
func liveLocationRoutes(_ lives: LiveLocationService) -> [Route] {
    [
        Route("PUT", "/v1/live-locations", rate: .locations) { request in
            let report = try FixReport(json: try request.json())
            return .json(try await lives.apply(report, by: request.caller.user).json())
        },
        Route("POST", "/v1/live-locations/batch", bodyLimit: 1_048_576, rate: .locations) { request in
            let batch = try FixBatch(json: try request.json())
            return .json(try await lives.apply(batch, by: request.caller.user))
        },
        Route("GET", "/v1/live-locations") { request in
            let shares = try lives.activeShares(of: request.caller.user)
            return .json(
                ActiveList(shares: shares.map { ActiveShare(share: $0.share, audience: $0.audience) }))
        },
        Route("DELETE", "/v1/live-locations") { request in
            try await lives.stopAll(of: request.caller.user)
            return .noContent
        },
        Route("PATCH", "/v1/messages/{id}/live-location") { request in
            .json(
                try await lives.change(
                    try request.id(MessageId.self, "id"), try request.body(ShareChangeBody.self),
                    by: request.caller))
        },
        Route("DELETE", "/v1/messages/{id}/live-location") { request in
            .json(try await lives.stop(try request.id(MessageId.self, "id"), by: request.caller))
        },
    ]
}
