import YonderModel
import YonderRules
import YonderStore

private struct InviteList: Encodable {
    let invites: [InviteEntry]
}

/// An invite as those who look after it see it; its code was told once.
private struct InviteEntry: Encodable {
    let id: InviteId
    let createdBy: UserId
    let createdAt: Timestamp
    let expiresAt: Timestamp
    let uses: Int
    let used: Int

    enum CodingKeys: String, CodingKey {
        case id, uses, used
        case createdBy = "created_by"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }

    init(_ invite: Invite) {
        (id, createdBy, uses, used) = (invite.id, invite.createdBy, invite.uses, invite.used)
        (createdAt, expiresAt) = (invite.createdTime, invite.expiresTime)
    }
}

/// `/v1/channels/{cid}/invites`, `/v1/invites/accept`
func inviteRoutes(_ invites: InviteService) -> [Route] {
    [
        Route("POST", "/v1/channels/{cid}/invites") { request in
            let channel = try request.id(ChannelId.self, "cid")
            let body = request.bytes.isEmpty ? InviteBody() : try request.body(InviteBody.self)
            return .json(try await invites.make(for: channel, body, by: request.caller), status: 201)
        },
        Route("GET", "/v1/channels/{cid}/invites") { request in
            let channel = try request.id(ChannelId.self, "cid")
            let list = try invites.invites(in: channel, for: request.caller)
            return .json(InviteList(invites: list.map(InviteEntry.init)))
        },
        Route("DELETE", "/v1/channels/{cid}/invites/{invite}") { request in
            try await invites.revoke(
                try request.id(InviteId.self, "invite"), in: try request.id(ChannelId.self, "cid"),
                by: request.caller)
            return .noContent
        },
        Route("POST", "/v1/invites/accept", access: .everybodyOrUsers) { request in
            let body = try request.body(AcceptanceBody.self)
            let accepted = try await invites.accept(body, by: request.knownPrincipal?.caller)
            return .json(accepted, status: accepted.isNew ? 201 : 200)
        },
    ]
}
