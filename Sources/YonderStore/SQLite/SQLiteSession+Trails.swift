import YonderGeo
import YonderModel
import YonderRules
import YonderSQLite

extension SQLiteSession: TrailTransaction {
    func trail(of message: MessageId, since time: Timestamp?) throws -> [TrailPoint]? {
        let sql: StaticString = "SELECT 1 FROM shared_locations WHERE message_id = ? AND trail_count > 0"
        guard try first(sql, message, row: { try $0.value(0) as Int }) != nil else { return nil }
        return try all(
            """
            SELECT latitude, longitude, altitude, recorded_at FROM trail_points
            WHERE message_id = ?1 AND recorded_at >= ?2
            UNION ALL SELECT latitude, longitude, altitude, recorded_at FROM recent_trail_points
            WHERE message_id = ?1 AND recorded_at >= ?2 ORDER BY recorded_at
            """, message, time ?? Timestamp(milliseconds: .min)
        ) { row in
            guard let place = Coordinate(latitude: try row.value(0), longitude: try row.value(1)) else {
                throw StoreError(.corrupt, "a stored place is out of range")
            }
            return TrailPoint(
                coordinate: place, altitude: try row.value(2), recordedTime: try row.value(3))
        }
    }

    /// Adds a point that is newer than all others of its share's trail.
    func appendTrailPoint(
        _ position: Position, to message: MessageId, recordedAt: Timestamp, deviceTime: Timestamp?
    ) throws {
        try write(
            "INSERT INTO recent_trail_points VALUES (NULL, ?, ?, ?, ?, ?, ?)", message, recordedAt,
            deviceTime, position.coordinate.latitude, position.coordinate.longitude, position.altitude)
        // Numbers begin again where there are no rows.
        if lastRow >= 1_000 { try settleTrails() }
    }

    /// Adds a point between others of its share's trail, which is settled.
    ///
    /// - Returns: Whether it is a new one.
    func insertTrailPoint(
        _ position: Position, to message: MessageId, recordedAt: Timestamp, deviceTime: Timestamp?
    ) throws -> Bool {
        let added = try write(
            "INSERT OR IGNORE INTO trail_points VALUES (?, ?, ?, ?, ?, ?)", message, recordedAt, deviceTime,
            position.coordinate.latitude, position.coordinate.longitude, position.altitude)
        guard added > 0 else { return false }
        try write(
            """
            UPDATE shared_locations SET trail_count = trail_count + 1,
                device_time = coalesce(max(device_time, ?2), device_time, ?2)
            WHERE message_id = ?1
            """, message, deviceTime)
        return true
    }

    /// Whether a share's trail, which is settled, has a point of a time of its device's.
    func hasTrailPoint(of message: MessageId, deviceTime: Timestamp) throws -> Bool {
        let sql: StaticString = "SELECT 1 FROM trail_points WHERE message_id = ? AND device_time = ?"
        return try first(sql, message, deviceTime, row: { try $0.value(0) as Int }) != nil
    }

    /// Settles all trails where this one has points that have not joined it.
    func settleTrail(of message: MessageId) throws {
        let recent: Int? = try first(
            "SELECT recent_points FROM shared_locations WHERE message_id = ?", message
        ) { try $0.value(0) }
        if let recent, recent > 0 { try settleTrails() }
    }

    /// Brings the newest points of all trails to the others.
    ///
    /// All at once: to take some rows out of a table, SQLite moves others to other pages, and leaves them where they
    /// were in what it counts as free, which `secure_delete` does not wipe. What is only appended to and emptied
    /// stays clean.
    func settleTrails() throws {
        try write(
            """
            UPDATE shared_locations SET recent_points = 0
            WHERE message_id IN (SELECT message_id FROM recent_trail_points)
            """)
        try write(
            """
            INSERT INTO trail_points
            SELECT message_id, recorded_at, device_time, latitude, longitude, altitude
            FROM recent_trail_points ORDER BY message_id, recorded_at
            """)
        try write("DELETE FROM recent_trail_points")
    }

    @discardableResult
    func eraseTrails(ofKeptEndedBefore time: Timestamp) throws -> Bool {
        let ended: [MessageId] =
            try all(
                """
                SELECT message_id FROM shared_locations
                WHERE trail_count > 0 AND ended_at IS NOT NULL AND keep_trail = 0
                """
            ) { try $0.value(0) }
            + all(
                """
                SELECT message_id FROM shared_locations
                WHERE trail_count > 0 AND ended_at IS NOT NULL AND keep_trail = 1 AND ended_at < ?
                """, time
            ) { try $0.value(0) }
        for message in ended { try eraseTrail(of: message) }
        return !ended.isEmpty
    }

    func eraseTrail(of message: MessageId) throws {
        hasErased = true
        try settleTrail(of: message)
        try write("DELETE FROM trail_points WHERE message_id = ?", message)
        try write("UPDATE shared_locations SET trail_count = 0 WHERE message_id = ?", message)
    }

    func thinLongTrails() throws {
        // The number stands in the index, too: see Schema.
        let long = try all("SELECT message_id FROM shared_locations WHERE trail_count > 50000") {
            try $0.value(0) as MessageId
        }
        for message in long { try thinTrail(of: message) }
    }

    /// Drops every second point of the older half, until no more than the most are left.
    private func thinTrail(of message: MessageId) throws {
        try settleTrail(of: message)
        var count = try trailCount(of: message)
        while count > maxTrailPoints {
            try write(
                """
                DELETE FROM trail_points WHERE message_id = ?1 AND recorded_at IN (
                    SELECT recorded_at FROM (
                        SELECT recorded_at, row_number() OVER (ORDER BY recorded_at) AS number
                        FROM trail_points WHERE message_id = ?1)
                    WHERE number <= ?2 AND number % 2 = 0)
                """, message, count / 2)
            count = try trailCount(of: message)
        }
        try write("UPDATE shared_locations SET trail_count = ?2 WHERE message_id = ?1", message, count)
    }

    private func trailCount(of message: MessageId) throws -> Int {
        try first("SELECT count(*) FROM trail_points WHERE message_id = ?", message) { try $0.value(0) } ?? 0
    }
}
