import YonderGeo
import YonderModel
import YonderSQLite

// How rows become values. The column numbers are those of the tables and views in Schema.

extension User {
    init(row: borrowing Statement, imageAt column: Int32) throws {
        self.init(
            id: try row.value(0), name: try row.value(1), image: try row.value(column),
            role: try row.value(2), createdTime: try row.value(3))
    }
}

extension Device {
    init(row: borrowing Statement) throws {
        self.init(
            id: try row.value(1), name: try row.value(2), platform: try row.value(3),
            userId: try row.value(0), createdTime: try row.value(4), lastSeenTime: try row.value(5))
        ingestKey = try row.value(6) ? true : nil
    }
}

extension Channel {
    init(row: borrowing Statement) throws {
        self.init(
            cid: try row.value(0), name: try row.value(1), createdBy: try row.value(2),
            memberCount: try row.value(9),
            config: ChannelConfig(
                sharedLocationsEnabled: try row.value(3), maxLiveSeconds: try row.value(4),
                replies: try row.value(5)),
            seq: try row.value(6), createdTime: try row.value(7), updatedTime: try row.value(8))
    }
}

extension Member {
    init(row: borrowing Statement) throws {
        self.init(user: try User(row: row, imageAt: 8), role: try row.value(4), joinedTime: try row.value(5))
    }
}

extension Message {
    init(row: borrowing Statement) throws {
        let shareId: MessageId? = try row.value(14)
        self.init(
            id: try row.value(4), channelId: try row.value(5), user: try User(row: row, imageAt: 39),
            text: try row.value(6), createdTime: try row.value(7), updatedTime: try row.value(8),
            sharedLocation: shareId == nil ? nil : try SharedLocation(row: row, from: 14))
        replyCount = try row.value(9)
        parentId = try row.value(10)
        deletedTime = try row.value(12)
    }
}

extension SharedLocation {
    init(row: borrowing Statement, from column: Int32 = 0) throws {
        self.init(
            messageId: try row.value(column), channelId: try row.value(column + 1),
            userId: try row.value(column + 2), createdByDeviceId: try row.value(column + 3),
            fedByDeviceId: try row.value(column + 4), position: try Position(row: row, from: column + 5),
            recordedTime: try row.value(column + 15), createdTime: try row.value(column + 16),
            updatedTime: try row.value(column + 17), endTime: try row.value(column + 18))
        precision = try row.value(column + 14)
        endedTime = try row.value(column + 19)
        endedReason = try row.value(column + 20)
        keepsTrail = try row.value(column + 21)
        isLiveSharingActive = isLive && endedTime == nil
    }
}

extension Position {
    /// `nil` where it is erased.
    init?(row: borrowing Statement, from column: Int32) throws {
        guard let latitude: Double = try row.value(column) else { return nil }
        guard let coordinate = Coordinate(latitude: latitude, longitude: try row.value(column + 1)) else {
            throw StoreError(.corrupt, "a stored place is out of range")
        }
        self.init(coordinate: coordinate)
        accuracy = try row.value(column + 2)
        altitude = try row.value(column + 3)
        altitudeAccuracy = try row.value(column + 4)
        heading = try row.value(column + 5)
        speed = try row.value(column + 6)
        battery = try row.value(column + 7)
        nextWithin = try row.value(column + 8)
    }
}

extension StoredEvent {
    init(row: borrowing Statement) throws {
        self.init(
            try row.value(1), message: try row.value(2), user: try row.value(3), role: try row.value(4),
            joinedAt: try row.value(5))
    }
}
