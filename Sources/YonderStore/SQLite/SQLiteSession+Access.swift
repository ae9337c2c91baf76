import YonderGeo
import YonderModel
import YonderRules
import YonderSQLite

extension SQLiteSession: AccessTransaction {
    func tokensRefusedUntil(of user: UserId) throws -> Timestamp? {
        try first("SELECT tokens_from FROM users WHERE id = ?", user) {
            try $0.value(0) as Timestamp?
        } ?? nil
    }

    func isErased(_ user: UserId) throws -> Bool {
        try first("SELECT is_erased FROM users WHERE id = ?", user) { try $0.value(0) } ?? false
    }

    func link(_ hash: SecretHash) throws -> ViewLink? {
        try first("SELECT * FROM links WHERE token_hash = ?", hash) { try ViewLink(row: $0) }
    }

    func links(of message: MessageId) throws -> [ViewLink] {
        try all(
            "SELECT * FROM links WHERE message_id = ? AND ended_at IS NULL ORDER BY created_at, id", message
        ) { try ViewLink(row: $0) }
    }

    func linksOfUnendedShares() throws -> [ViewLink] {
        try all(
            """
            SELECT links.* FROM links JOIN shared_locations AS s USING (message_id)
            WHERE links.ended_at IS NULL AND s.end_at IS NOT NULL AND s.ended_at IS NULL
            ORDER BY links.created_at, links.id
            """
        ) { try ViewLink(row: $0) }
    }

    func insertLink(_ link: ViewLink, _ hash: SecretHash) throws {
        try write(
            "INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", link.id, link.messageId, link.precision,
            link.createdTime, link.expiresTime, link.endedTime, link.cell?.latitude, link.cell?.longitude,
            hash)
    }

    func endLink(_ link: LinkId, at time: Timestamp) throws {
        let changed = try write(
            """
            UPDATE links SET ended_at = ?2, latitude = NULL, longitude = NULL
            WHERE id = ?1 AND ended_at IS NULL
            """, link, time)
        if changed > 0 { hasErased = true }
    }

    func endLinks(of message: MessageId, at time: Timestamp) throws -> [LinkId] {
        try end(try links(of: message).map(\.id), at: time)
    }

    func endLinks(in channel: ChannelId, at time: Timestamp) throws -> [LinkId] {
        let ids = try all(
            """
            SELECT links.id FROM shared_locations AS s JOIN links USING (message_id)
            WHERE s.channel_id = ? AND links.ended_at IS NULL
            """, channel
        ) { try $0.value(0) as LinkId }
        return try end(ids, at: time)
    }

    func endLinks(of user: UserId, in channel: ChannelId, at time: Timestamp) throws -> [LinkId] {
        let ids = try all(
            """
            SELECT links.id FROM shared_locations AS s JOIN links USING (message_id)
            WHERE s.channel_id = ? AND s.user_id = ? AND links.ended_at IS NULL
            """, channel, user
        ) { try $0.value(0) as LinkId }
        return try end(ids, at: time)
    }

    func endExpiredLinks(at time: Timestamp) throws -> [(link: LinkId, message: MessageId)] {
        let expired = try all(
            """
            SELECT id, message_id, expires_at FROM links
            WHERE ended_at IS NULL AND expires_at IS NOT NULL AND expires_at <= ?
            """, time
        ) { row -> (link: LinkId, message: MessageId, end: Timestamp) in
            (try row.value(0), try row.value(1), try row.value(2))
        }
        for (link, _, end) in expired { try endLink(link, at: end) }
        return expired.map { ($0.link, $0.message) }
    }

    private func end(_ links: [LinkId], at time: Timestamp) throws -> [LinkId] {
        for link in links { try endLink(link, at: time) }
        return links
    }

    func moveLink(_ link: LinkId, to cell: Coordinate) throws {
        try write(
            "UPDATE links SET latitude = ?2, longitude = ?3 WHERE id = ?1 AND ended_at IS NULL", link,
            cell.latitude, cell.longitude)
    }

    func invite(_ hash: SecretHash) throws -> Invite? {
        try first("SELECT * FROM invites WHERE code_hash = ?", hash) { try Invite(row: $0) }
    }

    func invites(in channel: ChannelId) throws -> [Invite] {
        try all("SELECT * FROM invites WHERE channel_id = ? ORDER BY created_at, id", channel) {
            try Invite(row: $0)
        }
    }

    func insertInvite(_ invite: Invite, _ hash: SecretHash) throws {
        try write(
            "INSERT INTO invites VALUES (?, ?, ?, ?, ?, ?, ?, ?)", invite.id, invite.channelId,
            invite.createdBy, invite.createdTime, invite.expiresTime, invite.uses, invite.used, hash)
    }

    func deleteInvite(_ invite: InviteId) throws {
        try write("DELETE FROM invites WHERE id = ?", invite)
    }

    func deleteInvites(to channel: ChannelId, by user: UserId) throws {
        try write("DELETE FROM invites WHERE channel_id = ? AND created_by = ?", channel, user)
    }

    func useInvite(_ invite: InviteId, made: (user: UserId, key: SecretHash)?) throws {
        try write("UPDATE invites SET used = used + 1 WHERE id = ?", invite)
        if let made {
            try write("INSERT INTO invite_uses VALUES (?, ?, ?)", invite, made.key, made.user)
        }
    }

    func userMade(by invite: InviteId, for key: SecretHash) throws -> UserId? {
        try first("SELECT user_id FROM invite_uses WHERE invite_id = ? AND key_hash = ?", invite, key) {
            try $0.value(0)
        }
    }

    func admission(_ kind: Admission.Kind, _ hash: SecretHash) throws -> Admission? {
        try first("SELECT * FROM admissions WHERE kind = ? AND secret_hash = ?", kind, hash) {
            try Admission(row: $0)
        }
    }

    func insertAdmission(
        _ admission: Admission, _ hash: SecretHash, keeping count: Int
    ) throws -> [SecretHash] {
        try write(
            "INSERT INTO admissions VALUES (?, ?, ?, ?, ?, ?)", admission.kind, hash, admission.user,
            admission.role, admission.issuedTime, admission.expiresTime)
        let superfluous = try all(
            """
            SELECT secret_hash FROM admissions WHERE user_id = ? AND kind = ?
            ORDER BY issued_at DESC, secret_hash <> ? LIMIT -1 OFFSET ?
            """, admission.user, admission.kind, hash, count
        ) { try $0.value(0) as SecretHash }
        for hash in superfluous { try deleteAdmission(admission.kind, hash) }
        return superfluous
    }

    func deleteAdmission(_ kind: Admission.Kind, _ hash: SecretHash) throws {
        try write("DELETE FROM admissions WHERE kind = ? AND secret_hash = ?", kind, hash)
    }

    func ingestKey(_ hash: SecretHash) throws -> IngestKey? {
        try first(
            "SELECT user_id, device_id, sealed_passphrase, created_at FROM ingest_keys WHERE key_hash = ?",
            hash
        ) { row in
            IngestKey(
                user: try row.value(0), device: try row.value(1), sealedPassphrase: try row.value(2),
                createdTime: try row.value(3))
        }
    }

    func putIngestKey(_ key: IngestKey, _ hash: SecretHash) throws {
        try write(
            "INSERT OR REPLACE INTO ingest_keys VALUES (?, ?, ?, ?, ?)", key.user, key.device, hash,
            key.sealedPassphrase, key.createdTime)
    }

    func friendMarks(of user: UserId) throws -> [UserId: String] {
        let marks = try all("SELECT friend_id, mark FROM friend_marks WHERE user_id = ?", user) { row in
            (try row.value(0) as UserId, try row.value(1) as String)
        }
        return Dictionary(marks) { $1 }
    }

    func putFriendMark(_ mark: String, for friend: UserId, of user: UserId) throws {
        try write("INSERT INTO friend_marks VALUES (?, ?, ?)", user, friend, mark)
    }

    func deleteFriendMarks(of user: UserId) throws {
        try write("DELETE FROM friend_marks WHERE user_id = ?", user)
    }

    func deleteIngestKey(of device: DeviceId, of user: UserId) throws -> Bool {
        try write("DELETE FROM ingest_keys WHERE user_id = ? AND device_id = ?", user, device) > 0
    }

    func forgetExpired(now: Timestamp, linksEndedBefore time: Timestamp) throws {
        try write("DELETE FROM admissions WHERE expires_at < ?", now)
        try write("DELETE FROM invites WHERE expires_at < ?", now)
        try write("DELETE FROM links WHERE ended_at < ?", time)
    }

    func eraseAccount(_ user: UserId, name: String, at time: Timestamp) throws {
        hasErased = true
        try write("DELETE FROM admissions WHERE user_id = ?", user)
        try write("DELETE FROM invite_uses WHERE user_id = ?", user)
        try write("DELETE FROM invites WHERE created_by = ?", user)
        try write("DELETE FROM devices WHERE user_id = ?", user)
        try write("DELETE FROM friend_marks WHERE user_id = ?1 OR friend_id = ?1", user)
        try write(
            """
            UPDATE users SET name = ?2, image = NULL, role = 'user', tokens_from = ?3, is_erased = 1
            WHERE id = ?1
            """, user, name, time)
    }
}

extension ViewLink {
    init(row: borrowing Statement) throws {
        let latitude: Double? = try row.value(6)
        let longitude: Double? = try row.value(7)
        self.init(
            id: try row.value(0), messageId: try row.value(1), precision: try row.value(2),
            createdTime: try row.value(3), expiresTime: try row.value(4),
            cell: latitude.flatMap { latitude in
                longitude.flatMap { Coordinate(latitude: latitude, longitude: $0) }
            })
        endedTime = try row.value(5)
    }
}

extension Invite {
    init(row: borrowing Statement) throws {
        self.init(
            id: try row.value(0), channelId: try row.value(1), createdBy: try row.value(2),
            createdTime: try row.value(3), expiresTime: try row.value(4), uses: try row.value(5))
        used = try row.value(6)
    }
}

extension Admission {
    init(row: borrowing Statement) throws {
        self.init(
            try row.value(0), user: try row.value(2), role: try row.value(3), issuedTime: try row.value(4),
            expiresTime: try row.value(5))
    }
}
