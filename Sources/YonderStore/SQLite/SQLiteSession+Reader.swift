import YonderModel
import YonderRules
import YonderSQLite

extension SQLiteSession: StoreReader {
    func user(_ id: UserId) throws -> User? {
        try first("SELECT * FROM users WHERE id = ?", id) { try User(row: $0, imageAt: 4) }
    }

    func device(_ id: DeviceId, of user: UserId) throws -> Device? {
        try first("SELECT * FROM device_rows WHERE user_id = ? AND id = ?", user, id) { try Device(row: $0) }
    }

    func devices(of user: UserId) throws -> [Device] {
        try all("SELECT * FROM device_rows WHERE user_id = ? ORDER BY created_at, id", user) {
            try Device(row: $0)
        }
    }

    func channel(_ id: ChannelId) throws -> Channel? {
        try first("SELECT * FROM channel_rows WHERE id = ?", id) { try Channel(row: $0) }
    }

    func channels(of user: UserId) throws -> [Channel] {
        try all(
            """
            SELECT * FROM channel_rows WHERE id IN (SELECT channel_id FROM members WHERE user_id = ?)
            ORDER BY updated_at DESC, id
            """, user
        ) { try Channel(row: $0) }
    }

    func member(_ user: UserId, in channel: ChannelId) throws -> Member? {
        try first("SELECT * FROM member_rows WHERE channel_id = ? AND user_id = ?", channel, user) {
            try Member(row: $0)
        }
    }

    func members(of channel: ChannelId) throws -> [Member] {
        try all("SELECT * FROM member_rows WHERE channel_id = ? ORDER BY joined_at, user_id", channel) {
            try Member(row: $0)
        }
    }

    func message(_ id: MessageId) throws -> Message? {
        try first("SELECT * FROM message_rows WHERE id = ?", id) { try messageWithQuote($0) }
    }

    /// A message with the one it quotes, which quotes nothing itself.
    private func messageWithQuote(_ row: borrowing Statement) throws -> Message {
        var message = try Message(row: row)
        if let quoted: MessageId = try row.value(11) {
            message.quotedMessage = try first("SELECT * FROM message_rows WHERE id = ?", quoted) {
                try Message(row: $0)
            }
        }
        return message
    }

    func events(
        after sequence: Int64, in channel: ChannelId, limit: Int
    ) throws -> [(seq: Int64, event: StoredEvent)] {
        try all(
            """
            SELECT seq, name, message_id, user_id, role, joined_at FROM events
            WHERE channel_id = ? AND seq > ? ORDER BY seq LIMIT ?
            """, channel, sequence, limit
        ) { (try $0.value(0), try StoredEvent(row: $0)) }
    }

    func replies(
        to parent: MessageId, limit: Int, before: MessageId?, after: MessageId?
    ) throws -> [Message] {
        precondition(limit > 0, "a page holds at least one message")
        let upper = try before.map { try number(of: $0, answering: parent) } ?? .max
        guard let after else {
            return try all(
                """
                SELECT * FROM message_rows WHERE parent_id = ? AND number < ? ORDER BY number DESC LIMIT ?
                """, parent, upper, limit
            ) { try messageWithQuote($0) }.reversed()
        }
        return try all(
            """
            SELECT * FROM message_rows WHERE parent_id = ? AND number > ? AND number < ?
            ORDER BY number LIMIT ?
            """, parent, try number(of: after, answering: parent), upper, limit
        ) { try messageWithQuote($0) }
    }

    private func number(of message: MessageId, answering parent: MessageId) throws -> Int64 {
        let sql: StaticString = "SELECT number FROM messages WHERE id = ? AND parent_id = ?"
        guard let number = try first(sql, message, parent, row: { try $0.value(0) as Int64 }) else {
            throw StoreError(.unknownCursor, "the cursor is no message of the thread")
        }
        return number
    }

    func messageFingerprint(_ id: MessageId) throws -> [UInt8]? {
        try first("SELECT fingerprint FROM messages WHERE id = ?", id) { try $0.value(0) }
    }

    func messages(
        in channel: ChannelId, limit: Int, before: MessageId?, after: MessageId?
    ) throws -> [Message] {
        precondition(limit > 0, "a page holds at least one message")
        let upper = try before.map { try number(of: $0, in: channel) } ?? .max
        guard let after else {
            return try all(
                """
                SELECT * FROM message_rows WHERE channel_id = ? AND parent_id IS NULL AND number < ?
                ORDER BY number DESC LIMIT ?
                """, channel, upper, limit
            ) { try messageWithQuote($0) }.reversed()
        }
        return try all(
            """
            SELECT * FROM message_rows WHERE channel_id = ? AND parent_id IS NULL AND number > ? AND number < ?
            ORDER BY number LIMIT ?
            """, channel, try number(of: after, in: channel), upper, limit
        ) { try messageWithQuote($0) }
    }

    private func number(of message: MessageId, in channel: ChannelId) throws -> Int64 {
        let sql: StaticString = "SELECT number FROM messages WHERE id = ? AND channel_id = ?"
        guard let number = try first(sql, message, channel, row: { try $0.value(0) as Int64 }) else {
            throw StoreError(.unknownCursor, "the cursor is no message of the channel")
        }
        return number
    }

    func messages(by user: UserId, after: MessageId?, limit: Int) throws -> [Message] {
        precondition(limit > 0, "a page holds at least one message")
        return try all(
            """
            SELECT * FROM message_rows WHERE user_id = ?1 AND deleted_at IS NULL
                AND number > coalesce((SELECT number FROM messages WHERE id = ?2), 0)
            ORDER BY number LIMIT ?3
            """, user, after, limit
        ) { try messageWithQuote($0) }
    }

    func unendedShares() throws -> [SharedLocation] {
        try all(
            """
            SELECT * FROM shared_locations WHERE end_at IS NOT NULL AND ended_at IS NULL
            ORDER BY created_at, message_id
            """
        ) { try SharedLocation(row: $0) }
    }

    func unendedShares(in channel: ChannelId) throws -> [SharedLocation] {
        try all(
            """
            SELECT * FROM shared_locations
            WHERE channel_id = ? AND end_at IS NOT NULL AND ended_at IS NULL
            ORDER BY created_at, message_id
            """, channel
        ) { try SharedLocation(row: $0) }
    }

    func unendedShares(of user: UserId) throws -> [SharedLocation] {
        try all(
            """
            SELECT * FROM shared_locations
            WHERE user_id = ? AND end_at IS NOT NULL AND ended_at IS NULL
            ORDER BY created_at, message_id
            """, user
        ) { try SharedLocation(row: $0) }
    }

    func unendedShare(of user: UserId, in channel: ChannelId) throws -> SharedLocation? {
        try first(
            """
            SELECT * FROM shared_locations
            WHERE user_id = ? AND channel_id = ? AND end_at IS NOT NULL AND ended_at IS NULL
            ORDER BY created_at DESC LIMIT 1
            """, user, channel
        ) { try SharedLocation(row: $0) }
    }
}
