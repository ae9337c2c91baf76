import YonderModel

private struct MemberList: Encodable {
    var members: [Member]
}

private struct MemberBody: Decodable {
    var role: MemberRole?
}

/// `/v1/channels/{cid}/members`
func memberRoutes(_ channels: ChannelService) -> [Route] {
    [
        Route("GET", "/v1/channels/{cid}/members") { request in
            let cid = try request.id(ChannelId.self, "cid")
            return .json(MemberList(members: try channels.members(of: cid, for: request.caller)))
        },
        Route("PUT", "/v1/channels/{cid}/members/{user}") { request in
            let body = request.bytes.isEmpty ? nil : try request.body(MemberBody.self)
            let made = try await channels.putMember(
                try request.id(UserId.self, "user"), role: body?.role,
                in: try request.id(ChannelId.self, "cid"), by: request.caller)
            return .json(made.member, status: made.isNew ? 201 : 200)
        },
        Route("DELETE", "/v1/channels/{cid}/members/{user}") { request in
            try await channels.removeMember(
                try request.id(UserId.self, "user"), from: try request.id(ChannelId.self, "cid"),
                by: request.caller)
            return .noContent
        },
    ]
}
