import YonderModel
import YonderRules
import YonderStore

/// The body of a link's creation, as it came.
struct LinkBody: Decodable {
    var expiresAt: Timestamp?
    var precision: SharePrecision?

    enum CodingKeys: String, CodingKey {
        case precision
        case expiresAt = "expires_at"
    }
}

/// A link that was just made, with what it is used by: that is told this once.
struct MadeLink: Encodable {
    let id: LinkId
    let url: String
    let token: String
    let expiresAt: Timestamp

    enum CodingKeys: String, CodingKey {
        case id, url, token
        case expiresAt = "expires_at"
    }
}

/// A link as its maker sees it later.
struct LinkEntry: Encodable {
    let id: LinkId
    let precision: SharePrecision
    let createdAt: Timestamp
    let expiresAt: Timestamp

    enum CodingKeys: String, CodingKey {
        case id, precision
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }
}

/// Who can see a share.
struct Audience: Encodable {
    let members: [User]
    let links: [LinkEntry]
    let count: Int
}

/// Links by which somebody without an account sees one share.
struct LinkService: Sendable {
    /// Seconds that a static location's link is good for where nothing else is said: seven days.
    static let staticSeconds: Int64 = 7 * 86_400
    /// Most links of one share at a time.
    static let maxLinks = 20

    let store: any Store
    let table: ShareTable
    let announcer: Announcer
    let address: PublicAddress
    let clock: @Sendable () -> Timestamp

    /// Makes a link; for the share's owner.
    func make(for id: MessageId, _ body: LinkBody, by caller: Caller) async throws -> MadeLink {
        let now = clock()
        let secret = Secret()
        let made = try await store.commit { change in
            let share = try change.ownShare(id, of: caller.user)
            guard !share.isOver(at: now) else {
                throw WireError(.liveLocationEnded, "the live location has ended")
            }
            if let end = body.expiresAt, end <= now {
                throw WireError(.invalidArgument, "this time has passed", field: "/expires_at")
            }
            guard try change.links(of: id).count(where: { $0.isAlive(at: now) }) < Self.maxLinks else {
                throw WireError(.conflict, "a share has at most \(Self.maxLinks) links: revoke one first")
            }
            let precision = share.precision == .approximate ? .approximate : body.precision ?? .exact
            let link = ViewLink(
                id: LinkId(Secret().text)!, messageId: id, precision: precision, createdTime: now,
                expiresTime: body.expiresAt
                    ?? (share.isLive ? nil : now.advanced(bySeconds: Self.staticSeconds)),
                cell: precision == .approximate ? share.position?.approximated().coordinate : nil)
            try change.insertLink(link, secret.hash)
            return (link: link, share: share)
        } publish: { [table] made in
            table.put(made.link)
        }
        return MadeLink(
            id: made.link.id, url: "\(address.url)/s/\(id)#\(secret.text)", token: secret.text,
            expiresAt: made.link.end(with: made.share))
    }

    /// A share's links that still show something, oldest first; for the share's owner.
    func links(of id: MessageId, for caller: Caller) throws -> [LinkEntry] {
        try store.read { try links(of: try $0.ownShare(id, of: caller.user), $0) }
    }

    private func links(of share: SharedLocation, _ reader: any StoreReader) throws -> [LinkEntry] {
        let now = clock()
        guard !share.isOver(at: now) else { return [] }
        return try reader.links(of: share.messageId).filter { $0.isAlive(at: now) }.map { link in
            LinkEntry(
                id: link.id, precision: link.precision, createdAt: link.createdTime,
                expiresAt: link.end(with: share))
        }
    }

    /// Ends a link; who came by it sees nothing more. For the share's owner.
    func revoke(_ link: LinkId, of id: MessageId, by caller: Caller) async throws {
        let now = clock()
        _ = try await store.commit { change in
            _ = try change.ownShare(id, of: caller.user)
            guard try change.links(of: id).contains(where: { $0.id == link }) else {
                throw WireError(.notFound, "no such link")
            }
            try change.endLink(link, at: now)
        } publish: { [table, announcer] in
            table.removeLink(link, of: id)
            announcer.linksEnded([link])
        }
    }

    /// Ends the links whose own time has come.
    func endExpired() async throws {
        let now = clock()
        _ = try await store.commit { change in
            try change.endExpiredLinks(at: now)
        } publish: { [table, announcer] ended in
            for (link, message) in ended { table.removeLink(link, of: message) }
            announcer.linksEnded(ended.map(\.link))
        }
    }

    /// Who can see a share now: the other members and the links; for its owner.
    func audience(of id: MessageId, for caller: Caller) throws -> Audience {
        try store.read { reader in
            let share = try reader.ownShare(id, of: caller.user)
            let members = try reader.members(of: share.channelId).map(\.user)
                .filter { $0.id != caller.user }
            let links = try links(of: share, reader)
            return Audience(members: members, links: links, count: members.count + links.count)
        }
    }
}

extension ViewLink {
    /// When it ends by itself, as its share stands now.
    fileprivate func end(with share: SharedLocation) -> Timestamp {
        [expiresTime, share.endTime].compactMap(\.self).min() ?? createdTime
    }
}
