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
