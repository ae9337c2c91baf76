import YonderGeo
import YonderModel
import YonderRules
import YonderSQLite

extension SQLiteSession: StoreTransaction {
    func putUser(_ user: User) throws {
        try write(
            """
            INSERT INTO users (id, name, image, role, created_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET
                name = excluded.name, image = excluded.image, role = excluded.role, is_erased = 0
            """, user.id, user.name, user.image, user.role, user.createdTime)
    }

    func putDevice(_ device: Device) throws {
        try write(
            """
            INSERT INTO devices VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET
                name = excluded.name, platform = excluded.platform, last_seen_at = excluded.last_seen_at
            """, device.userId, device.id, device.name, device.platform, device.createdTime,
            device.lastSeenTime)
    }

    func sawDevice(_ device: DeviceId, of user: UserId, at time: Timestamp) throws {
        try write(
            """
            UPDATE devices SET last_seen_at = ?3
            WHERE user_id = ?1 AND id = ?2 AND last_seen_at <= ?3 - 60000
            """, user, device, time)
    }

    func insertChannel(_ channel: Channel) throws {
        try write(
            "INSERT INTO channels VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", channel.cid, channel.name,
            channel.createdBy, channel.config.sharedLocationsEnabled, channel.config.maxLiveSeconds,
            channel.config.replies, channel.seq, channel.createdTime, channel.updatedTime)
    }

    func updateChannel(_ channel: Channel) throws {
        let changed = try write(
            """
            UPDATE channels
            SET name = ?2, shared_locations = ?3, max_live_seconds = ?4, replies = ?5, updated_at = ?6
            WHERE id = ?1
            """, channel.cid, channel.name, channel.config.sharedLocationsEnabled,
            channel.config.maxLiveSeconds, channel.config.replies, channel.updatedTime)
        guard changed > 0 else { throw StoreError(.notFound, "there is no such channel") }
    }

    func putMember(_ user: UserId, role: MemberRole, joinedAt: Timestamp, in channel: ChannelId) throws {
        try write(
            """
            INSERT INTO members (channel_id, user_id, role, joined_at) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET role = excluded.role
            """, channel, user, role, joinedAt)
    }

    func removeMember(_ user: UserId, in channel: ChannelId) throws {
        try write("DELETE FROM members WHERE channel_id = ? AND user_id = ?", channel, user)
    }

    func append(
        _ event: StoredEvent, to channel: ChannelId, at time: Timestamp, isActivity: Bool
    ) throws -> Int64 {
        let activity = isActivity ? time : nil
        let changed = try write(
            "UPDATE channels SET seq = seq + 1, updated_at = coalesce(?2, updated_at) WHERE id = ?1",
            channel, activity)
        let sql: StaticString = "SELECT seq FROM channels WHERE id = ?"
        guard changed > 0, let seq = try first(sql, channel, row: { try $0.value(0) as Int64 }) else {
            throw StoreError(.notFound, "there is no such channel")
        }
        try write(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", channel, seq, event.name, event.message,
            event.user, event.role, event.joinedAt, time)
        return seq
    }

    func trimEvents(before time: Timestamp, keeping count: Int64) throws {
        try write("DELETE FROM events WHERE at < ?", time)
        try write(
            """
            DELETE FROM events
            WHERE seq <= (SELECT seq FROM channels WHERE id = events.channel_id) - ?
            """, count)
    }

    func insertMessage(_ message: Message, fingerprint: [UInt8], deviceTime: Timestamp?) throws {
        let share = message.sharedLocation
        precondition(share.map { $0.messageId == message.id } ?? true, "the share of another message")
        try write(
            """
            INSERT INTO messages
                (id, channel_id, user_id, text, parent_id, quoted_id, reply_count, fingerprint,
                created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, message.id, message.channelId, message.user.id, message.text, message.parentId,
            message.quotedMessage?.id, message.replyCount, fingerprint, message.createdTime,
            message.updatedTime)
        if let parent = message.parentId { try count(replies: 1, to: parent) }
        if let share { try insert(share, deviceTime: deviceTime) }
    }

    private func count(replies: Int, to parent: MessageId) throws {
        try write("UPDATE messages SET reply_count = reply_count + ?2 WHERE id = ?1", parent, replies)
    }

    func editMessage(_ message: MessageId, text: String, at time: Timestamp) throws {
        let changed = try write(
            "UPDATE messages SET text = ?2, updated_at = ?3 WHERE id = ?1 AND deleted_at IS NULL", message,
            text, time)
        guard changed > 0 else { throw StoreError(.notFound, "there is no such message") }
    }

    func deleteMessage(_ message: MessageId, at time: Timestamp) throws {
        let sql: StaticString = """
            SELECT parent_id FROM messages WHERE id = ? AND deleted_at IS NULL
            """
        guard let parent = try first(sql, message, row: { try $0.value(0) as MessageId? }) else { return }
        try write(
            """
            UPDATE messages SET text = '', quoted_id = NULL, updated_at = ?2, deleted_at = ?2 WHERE id = ?1
            """, message, time)
        if let parent { try count(replies: -1, to: parent) }
        try erasePosition(of: message)
    }

    func erasePositions(endedBefore time: Timestamp, sentBefore sent: Timestamp?) throws -> Int {
        let count = try write(
            """
            UPDATE shared_locations SET
                latitude = NULL, longitude = NULL, accuracy = NULL, altitude = NULL,
                altitude_accuracy = NULL, heading = NULL, speed = NULL, battery = NULL, next_within = NULL
            WHERE latitude IS NOT NULL
                AND (ended_at < ?1 OR (end_at IS NULL AND created_at < coalesce(?2, -1)))
            """, time, sent)
        let cells = try write(
            """
            UPDATE links SET latitude = NULL, longitude = NULL
            WHERE latitude IS NOT NULL AND EXISTS (
                SELECT 1 FROM shared_locations AS s
                WHERE s.message_id = links.message_id AND s.latitude IS NULL)
            """)
        if count + cells > 0 { hasErased = true }
        try eraseTrails(ofKeptEndedBefore: time)
        return count
    }

    private func erasePosition(of message: MessageId) throws {
        hasErased = true
        try write(
            """
            UPDATE shared_locations SET
                latitude = NULL, longitude = NULL, accuracy = NULL, altitude = NULL,
                altitude_accuracy = NULL, heading = NULL, speed = NULL, battery = NULL, next_within = NULL
            WHERE message_id = ?
            """, message)
        try eraseTrail(of: message)
    }

    func deleteChannel(_ channel: ChannelId) throws {
        hasErased = true
        try write("DELETE FROM events WHERE channel_id = ?", channel)
        for invite in try invites(in: channel) { try deleteInvite(invite.id) }
        try settleTrails()
        try write(
            """
            DELETE FROM trail_points
            WHERE message_id IN (SELECT message_id FROM shared_locations WHERE channel_id = ?)
            """, channel)
        try write("DELETE FROM shared_locations WHERE channel_id = ?", channel)
        try write("UPDATE messages SET parent_id = NULL WHERE channel_id = ?", channel)
        try write("DELETE FROM messages WHERE channel_id = ?", channel)
        try write("DELETE FROM members WHERE channel_id = ?", channel)
        try write("DELETE FROM channels WHERE id = ?", channel)
    }

    func deleteDevice(_ device: DeviceId, of user: UserId, at time: Timestamp) throws {
        try write(
            """
            UPDATE shared_locations SET fed_by = device_id, updated_at = ?3
            WHERE user_id = ?1 AND fed_by = ?2 AND device_id <> ?2 AND ended_at IS NULL
            """, user, device, time)
        guard try write("DELETE FROM devices WHERE user_id = ? AND id = ?", user, device) > 0 else {
            throw StoreError(.notFound, "there is no such device")
        }
    }

    private func insert(_ share: SharedLocation, deviceTime: Timestamp?) throws {
        guard let position = share.position else { preconditionFailure("a share begins with a position") }
        try write(
            """
            INSERT INTO shared_locations
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, share.messageId, share.channelId, share.userId, share.createdByDeviceId,
            share.fedByDeviceId, position.coordinate.latitude, position.coordinate.longitude,
            position.accuracy, position.altitude, position.altitudeAccuracy, position.heading,
            position.speed, position.battery, position.nextWithin, share.precision, share.recordedTime,
            share.createdTime, share.updatedTime, share.endTime, share.endedTime, share.endedReason,
            share.keepsTrail, share.isLive, deviceTime, share.isLive)
        if share.isLive {
            try appendTrailPoint(
                position, to: share.messageId, recordedAt: share.recordedTime, deviceTime: deviceTime)
        }
    }

    func moveShare(
        _ message: MessageId, to position: Position, recordedAt: Timestamp, deviceTime: Timestamp?,
        updatedAt: Timestamp
    ) throws -> ShareMove {
        func moveForward(isNewForCertain: Bool) throws -> Bool {
            let changed = try write(
                """
                UPDATE shared_locations SET
                    latitude = ?2, longitude = ?3, accuracy = ?4, altitude = ?5, altitude_accuracy = ?6,
                    heading = ?7, speed = ?8, battery = ?9, next_within = ?10, recorded_at = ?11,
                    updated_at = ?12, trail_count = trail_count + 1, recent_points = recent_points + 1,
                    device_time = coalesce(max(device_time, ?13), device_time, ?13)
                WHERE message_id = ?1 AND end_at IS NOT NULL AND ended_at IS NULL AND recorded_at < ?11
                    AND (?14 OR ?13 IS NULL OR device_time IS NULL OR device_time < ?13)
                """, message, position.coordinate.latitude, position.coordinate.longitude,
                position.accuracy, position.altitude, position.altitudeAccuracy, position.heading,
                position.speed, position.battery, position.nextWithin, recordedAt, updatedAt, deviceTime,
                isNewForCertain)
            guard changed > 0 else { return false }
            try appendTrailPoint(position, to: message, recordedAt: recordedAt, deviceTime: deviceTime)
            return true
        }
        if try moveForward(isNewForCertain: false) { return .moved }
        guard let there = try recordedTime(ofUnended: message) else { return .ended }
        try settleTrail(of: message)
        if let deviceTime, try hasTrailPoint(of: message, deviceTime: deviceTime) { return .duplicate }
        if try moveForward(isNewForCertain: true) { return .moved }
        guard there != recordedAt,
            try insertTrailPoint(position, to: message, recordedAt: recordedAt, deviceTime: deviceTime)
        else { return .duplicate }
        return .older
    }

    private func recordedTime(ofUnended message: MessageId) throws -> Timestamp? {
        let sql: StaticString = """
            SELECT recorded_at FROM shared_locations
            WHERE message_id = ? AND end_at IS NOT NULL AND ended_at IS NULL
            """
        return try first(sql, message) { try $0.value(0) }
    }

    func endShare(
        _ message: MessageId, at time: Timestamp, reason: EndedReason, updatedAt: Timestamp
    ) throws {
        let changed = try write(
            """
            UPDATE shared_locations SET ended_at = ?2, ended_reason = ?3, updated_at = ?4
            WHERE message_id = ?1 AND end_at IS NOT NULL AND ended_at IS NULL
            """, message, time, reason, updatedAt)
        try requireLive(changed)
    }

    func changeShare(
        _ message: MessageId, endAt: Timestamp?, fedBy: DeviceId?, updatedAt: Timestamp
    ) throws {
        let changed = try write(
            """
            UPDATE shared_locations SET
                end_at = coalesce(?2, end_at), fed_by = coalesce(?3, fed_by), updated_at = ?4
            WHERE message_id = ?1 AND end_at IS NOT NULL AND ended_at IS NULL
            """, message, endAt, fedBy, updatedAt)
        try requireLive(changed)
    }

    private func requireLive(_ changedRows: Int) throws {
        guard changedRows > 0 else {
            throw StoreError(.notLive, "the message has no live share, or it has ended")
        }
    }
}
