import YonderSQLite

/// The database's layout: step n leads from version n to n + 1 and never changes once released.
enum Schema {
    static let steps = [first, images, trailsAndAccess, recentTrailPoints, ingestKeys]

    /// Brings a database up to the newest version, each step in a transaction of its own.
    ///
    /// - Throws: `StoreError` with code `.newerSchema` if the database is ahead of `steps`.
    static func migrate(_ connection: Connection, through steps: [String] = steps) throws {
        let version = try connection.query("PRAGMA user_version") { statement -> Int in
            try statement.step() ? statement.value(0) : 0
        }
        guard version <= steps.count else {
            throw StoreError(
                .newerSchema,
                "the data have version \(version), this program knows up to \(steps.count): use a newer one")
        }
        for (number, step) in steps.enumerated().dropFirst(version) {
            do {
                try connection.execute("BEGIN IMMEDIATE;\(step);PRAGMA user_version = \(number + 1);COMMIT")
            } catch {
                if connection.isInTransaction { try? connection.execute("ROLLBACK") }
                throw error
            }
        }
    }

    /// Users' images, last in every row that holds a user.
    private static let images = """
        ALTER TABLE users ADD COLUMN image TEXT;
        DROP VIEW member_rows;
        CREATE VIEW member_rows AS
            SELECT u.id, u.name, u.role, u.created_at, m.role AS membership, m.joined_at, m.channel_id,
                m.user_id, u.image
            FROM members AS m CROSS JOIN users AS u ON u.id = m.user_id;
        DROP VIEW message_rows;
        CREATE VIEW message_rows AS
            SELECT u.id AS user_id, u.name, u.role, u.created_at AS user_created_at,
                m.id, m.channel_id, m.text, m.created_at, m.updated_at, m.reply_count, m.parent_id,
                m.quoted_id, m.deleted_at, m.number, s.*, u.image
            FROM messages AS m CROSS JOIN users AS u ON u.id = m.user_id
            LEFT JOIN shared_locations AS s ON s.message_id = m.id;
        """

    /// Trails of live shares, and the ways in beside a token: links, invites, sessions, login codes.
    ///
    /// `device_time` is the device's own time of a point: by it a repeat is known. `trail_count` is 0 where no
    /// trail is kept. Tokens and codes are kept as their SHA-256. A link outlives its message, so that it is known as dead.
    private static let trailsAndAccess = """
        ALTER TABLE users ADD COLUMN tokens_from INTEGER;
        ALTER TABLE users ADD COLUMN is_erased INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE shared_locations ADD COLUMN keep_trail INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE shared_locations ADD COLUMN trail_count INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX ended_trails ON shared_locations (keep_trail, ended_at)
            WHERE trail_count > 0 AND ended_at IS NOT NULL;
        CREATE INDEX long_trails ON shared_locations (trail_count) WHERE trail_count > 50000;
        CREATE INDEX shares_by_channel ON shared_locations (channel_id);
        CREATE INDEX all_messages_by_channel ON messages (channel_id);

        CREATE TABLE trail_points (
            message_id TEXT NOT NULL REFERENCES messages (id), recorded_at INTEGER NOT NULL,
            device_time INTEGER, latitude ANY NOT NULL, longitude ANY NOT NULL, altitude ANY,
            PRIMARY KEY (message_id, recorded_at)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX trail_points_by_device_time ON trail_points (message_id, device_time)
            WHERE device_time IS NOT NULL;
        INSERT INTO trail_points
            SELECT message_id, recorded_at, NULL, latitude, longitude, altitude FROM shared_locations
            WHERE end_at IS NOT NULL AND ended_at IS NULL AND latitude IS NOT NULL;
        UPDATE shared_locations SET trail_count = 1 WHERE end_at IS NOT NULL AND ended_at IS NULL;

        CREATE TABLE links (
            id TEXT PRIMARY KEY, message_id TEXT NOT NULL, precision TEXT NOT NULL,
            created_at INTEGER NOT NULL, expires_at INTEGER, ended_at INTEGER,
            latitude ANY, longitude ANY, token_hash BLOB NOT NULL UNIQUE
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX links_by_message ON links (message_id);
        CREATE INDEX expiring_links ON links (expires_at) WHERE ended_at IS NULL AND expires_at IS NOT NULL;
        CREATE INDEX links_by_end ON links (ended_at) WHERE ended_at IS NOT NULL;

        CREATE TABLE invites (
            id TEXT PRIMARY KEY, channel_id TEXT NOT NULL REFERENCES channels,
            created_by TEXT NOT NULL REFERENCES users, created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL, uses INTEGER NOT NULL, used INTEGER NOT NULL,
            code_hash BLOB NOT NULL UNIQUE
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX invites_by_channel ON invites (channel_id, created_by);
        CREATE INDEX invites_by_maker ON invites (created_by);
        CREATE TABLE invite_uses (
            invite_id TEXT NOT NULL REFERENCES invites (id) ON DELETE CASCADE, key_hash BLOB NOT NULL,
            user_id TEXT NOT NULL REFERENCES users, PRIMARY KEY (invite_id, key_hash)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX invite_uses_by_user ON invite_uses (user_id);

        CREATE TABLE admissions (
            kind TEXT NOT NULL, secret_hash BLOB NOT NULL, user_id TEXT NOT NULL REFERENCES users,
            role TEXT NOT NULL, issued_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
            PRIMARY KEY (kind, secret_hash)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX admissions_by_user ON admissions (user_id, kind, issued_at);
        CREATE INDEX admissions_by_end ON admissions (expires_at);
        CREATE INDEX messages_by_user ON messages (user_id, number) WHERE deleted_at IS NULL;
        """

    /// The newest points of all trails together, in the order of their arrival, so that a commit of many
    /// shares' points writes one page and not one or two of each trail; they join `trail_points` in bulk.
    ///
    /// A share's `device_time` is the newest of its trail: a later one is no repeat. `recent_points` says how many
    /// of its points have not joined the others yet.
    private static let recentTrailPoints = """
        ALTER TABLE shared_locations ADD COLUMN device_time INTEGER;
        ALTER TABLE shared_locations ADD COLUMN recent_points INTEGER NOT NULL DEFAULT 0;
        UPDATE shared_locations SET device_time = (
            SELECT max(device_time) FROM trail_points AS p WHERE p.message_id = shared_locations.message_id)
            WHERE trail_count > 0;
        CREATE TABLE recent_trail_points (
            number INTEGER PRIMARY KEY, message_id TEXT NOT NULL, recorded_at INTEGER NOT NULL,
            device_time INTEGER, latitude ANY NOT NULL, longitude ANY NOT NULL, altitude ANY
        ) STRICT;
        """

    /// Keys of phone apps, as their SHA-256, and the passphrases of their own encryption, encrypted. Two letters by
    /// which OwnTracks tells a user's friends apart.
    private static let ingestKeys = """
        CREATE TABLE ingest_keys (
            user_id TEXT NOT NULL, device_id TEXT NOT NULL, key_hash BLOB NOT NULL UNIQUE,
            sealed_passphrase BLOB NOT NULL, created_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, device_id),
            FOREIGN KEY (user_id, device_id) REFERENCES devices (user_id, id) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE VIEW device_rows AS
            SELECT *, EXISTS (SELECT 1 FROM ingest_keys AS k WHERE k.user_id = d.user_id AND k.device_id = d.id)
            FROM devices AS d;
        CREATE TABLE friend_marks (
            user_id TEXT NOT NULL REFERENCES users, friend_id TEXT NOT NULL REFERENCES users, mark TEXT NOT NULL,
            PRIMARY KEY (user_id, friend_id), UNIQUE (user_id, mark)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX friend_marks_by_friend ON friend_marks (friend_id);
        """

    /// Times are milliseconds since 1970. `number` is a message's place in the order of arrival.
    private static let first = """
        CREATE TABLE users (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE devices (
            user_id TEXT NOT NULL REFERENCES users, id TEXT NOT NULL, name TEXT, platform TEXT,
            created_at INTEGER NOT NULL, last_seen_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE channels (
            id TEXT PRIMARY KEY, name TEXT, created_by TEXT NOT NULL REFERENCES users,
            shared_locations INTEGER NOT NULL, max_live_seconds INTEGER NOT NULL,
            replies INTEGER NOT NULL, seq INTEGER NOT NULL,
            created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE members (
            channel_id TEXT NOT NULL REFERENCES channels, user_id TEXT NOT NULL REFERENCES users,
            role TEXT NOT NULL, joined_at INTEGER NOT NULL,
            PRIMARY KEY (channel_id, user_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX members_by_user ON members (user_id);
        CREATE INDEX members_by_joining ON members (channel_id, joined_at);

        CREATE TABLE messages (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
            channel_id TEXT NOT NULL REFERENCES channels, user_id TEXT NOT NULL REFERENCES users,
            text TEXT NOT NULL, parent_id TEXT REFERENCES messages (id), quoted_id TEXT,
            reply_count INTEGER NOT NULL, fingerprint BLOB NOT NULL,
            created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, deleted_at INTEGER
        ) STRICT;
        CREATE INDEX messages_by_channel ON messages (channel_id, number) WHERE parent_id IS NULL;
        CREATE INDEX messages_by_parent ON messages (parent_id, number) WHERE parent_id IS NOT NULL;

        CREATE TABLE shared_locations (
            message_id TEXT PRIMARY KEY REFERENCES messages (id),
            channel_id TEXT NOT NULL REFERENCES channels, user_id TEXT NOT NULL REFERENCES users,
            device_id TEXT, fed_by TEXT,
            -- Doubles all, but a REAL column would drop the sign of -0. Without latitude: erased.
            latitude ANY, longitude ANY, accuracy ANY, altitude ANY,
            altitude_accuracy ANY, heading ANY, speed ANY, battery ANY, next_within ANY,
            precision TEXT NOT NULL, recorded_at INTEGER NOT NULL, created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL, end_at INTEGER, ended_at INTEGER, ended_reason TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX unended_shares ON shared_locations (user_id, channel_id, created_at)
            WHERE end_at IS NOT NULL AND ended_at IS NULL;
        CREATE INDEX kept_positions ON shared_locations (ended_at)
            WHERE ended_at IS NOT NULL AND latitude IS NOT NULL;

        CREATE TABLE events (
            channel_id TEXT NOT NULL REFERENCES channels, seq INTEGER NOT NULL, name TEXT NOT NULL,
            message_id TEXT, user_id TEXT, role TEXT, joined_at INTEGER, at INTEGER NOT NULL,
            PRIMARY KEY (channel_id, seq)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX events_by_time ON events (at);

        CREATE VIEW channel_rows AS
            SELECT *, (SELECT count(*) FROM members WHERE channel_id = channels.id) FROM channels;
        CREATE VIEW member_rows AS
            SELECT u.id, u.name, u.role, u.created_at, m.role AS membership, m.joined_at, m.channel_id,
                m.user_id
            FROM members AS m CROSS JOIN users AS u ON u.id = m.user_id;
        CREATE VIEW message_rows AS
            SELECT u.id AS user_id, u.name, u.role, u.created_at AS user_created_at,
                m.id, m.channel_id, m.text, m.created_at, m.updated_at, m.reply_count, m.parent_id,
                m.quoted_id, m.deleted_at, m.number, s.*
            FROM messages AS m CROSS JOIN users AS u ON u.id = m.user_id
            LEFT JOIN shared_locations AS s ON s.message_id = m.id;
        """
}
