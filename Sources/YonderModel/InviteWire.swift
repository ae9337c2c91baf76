/// What an invite is asked for with: the body of `POST /v1/channels/{cid}/invites`.
package struct InviteBody: Codable, Sendable {
    /// How many may join by it; `nil` = one.
    package var uses: Int?
    /// For how long it is good; `nil` = seven days.
    package var expiresInSeconds: Int64?

    enum CodingKeys: String, CodingKey {
        case uses
        case expiresInSeconds = "expires_in_seconds"
    }

    package init(uses: Int? = nil, expiresInSeconds: Int64? = nil) {
        self.uses = uses
        self.expiresInSeconds = expiresInSeconds
    }
}

/// An invite that was just made, with what it is used by: that is told this once.
package struct MadeInvite: Codable, Sendable {
    package let id: InviteId
    package let url: String
    package let code: String
    package let expiresAt: Timestamp
    package let uses: Int

    enum CodingKeys: String, CodingKey {
        case id, url, code, uses
        case expiresAt = "expires_at"
    }

    package init(id: InviteId, url: String, code: String, expiresAt: Timestamp, uses: Int) {
        self.id = id
        self.url = url
        self.code = code
        self.expiresAt = expiresAt
        self.uses = uses
    }
}
