public import Foundation
public import YonderModel

/// A link by which others join a channel; it is told this once.
public struct ChannelInvite: Hashable, Sendable {
    public let id: InviteId
    /// Whoever opens it may join.
    public let url: URL
    /// What the link's fragment holds.
    public let code: String
    /// When it ends, server time.
    public let expiresAt: Date
    /// How many may join by it.
    public let uses: Int
}

/// An invite as the server answers it.
struct InviteAnswer: Decodable {
    let id: InviteId
    let url: String
    let code: String
    let expiresAt: Timestamp
    let uses: Int

    enum CodingKeys: String, CodingKey {
        case id, url, code, uses
        case expiresAt = "expires_at"
    }
}

/// What an invite is asked for with.
struct InviteBody: Encodable {
    let uses: Int
    let expiresInSeconds: Int64

    enum CodingKeys: String, CodingKey {
        case uses
        case expiresInSeconds = "expires_in_seconds"
    }
}
