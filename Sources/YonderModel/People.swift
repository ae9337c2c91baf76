public import Foundation

/// What somebody may do on the whole server; the raw value is the wire's word.
public enum UserRole: String, Hashable, Sendable, Codable {
    case user, admin
}

/// Somebody who uses the server.
public struct User: Hashable, Sendable, Codable {
    public var id: UserId
    /// 1 to 200 Unicode scalars.
    public var name: String
    /// A small `data:` URL, see ``UserImage``; `nil` = none.
    public var image: String?
    public var role: UserRole
    package var createdTime: Timestamp

    /// When the user was made, server time.
    public var createdAt: Date { createdTime.date }

    enum CodingKeys: String, CodingKey {
        case id, name, image, role
        case createdTime = "created_at"
    }

    package init(
        id: UserId, name: String, image: String? = nil, role: UserRole, createdTime: Timestamp
    ) {
        self.id = id
        self.name = name
        self.image = image
        self.role = role
        self.createdTime = createdTime
    }
}

/// What a device runs; the raw value is the wire's word.
public enum Platform: String, Hashable, Sendable, Codable {
    case ios, android, web, linux, other
}

/// One device of one user.
public struct Device: Hashable, Sendable, Codable {
    public var id: DeviceId
    /// 1 to 200 Unicode scalars; `nil` = unnamed.
    public var name: String?
    public var platform: Platform?
    public var userId: UserId
    package var createdTime: Timestamp
    package var lastSeenTime: Timestamp
    /// True where a phone app may speak for it, by an ingest key; else absent.
    package var ingestKey: Bool?

    /// Whether a phone app may speak for it, by an ingest key.
    public var hasIngestKey: Bool { ingestKey == true }
    /// When the device was made known, server time.
    public var createdAt: Date { createdTime.date }
    /// When it last spoke, server time.
    public var lastSeenAt: Date { lastSeenTime.date }

    enum CodingKeys: String, CodingKey {
        case id, name, platform
        case userId = "user_id"
        case createdTime = "created_at"
        case lastSeenTime = "last_seen_at"
        case ingestKey = "has_ingest_key"
    }

    package init(
        id: DeviceId, name: String?, platform: Platform?, userId: UserId, createdTime: Timestamp,
        lastSeenTime: Timestamp
    ) {
        self.id = id
        self.name = name
        self.platform = platform
        self.userId = userId
        self.createdTime = createdTime
        self.lastSeenTime = lastSeenTime
    }
}

/// What a member may do in a channel; the raw value is the wire's word.
public enum MemberRole: String, Hashable, Sendable, Codable {
    case owner, moderator, member

    /// Whether they may delete messages and stop shares of others.
    package var isModerating: Bool { self != .member }
}

/// Somebody in a channel.
public struct Member: Hashable, Sendable, Codable {
    public var user: User
    public var role: MemberRole
    package var joinedTime: Timestamp

    /// When they joined, server time.
    public var joinedAt: Date { joinedTime.date }

    enum CodingKeys: String, CodingKey {
        case user, role
        case joinedTime = "joined_at"
    }

    package init(user: User, role: MemberRole, joinedTime: Timestamp) {
        self.user = user
        self.role = role
        self.joinedTime = joinedTime
    }
}
