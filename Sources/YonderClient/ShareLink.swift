public import Foundation
public import YonderModel

/// A link by which people without an account see one share.
public struct ShareLink: Hashable, Sendable, Identifiable {
    public let id: LinkId
    /// What to pass on; told once, when the link is made: `nil` for one that was read from the server.
    public let url: URL?
    /// How finely it shows where the share is.
    public let precision: SharePrecision
    /// When it ends by itself, server time; an ended share ends it, too.
    public let expiresAt: Date
}

/// Who can see a share now.
public struct ShareAudience: Hashable, Sendable {
    /// The channel's members other than the share's owner.
    public let members: [User]
    /// The links that show it.
    public let links: [ShareLink]
    /// How many people and links that are.
    public let count: Int
}
