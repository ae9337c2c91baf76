import YonderGeo
import YonderModel
import YonderRules
import YonderStore

/// The paths that shares have gone.
struct TrailService: Sendable {
    let store: any Store
    let clock: @Sendable () -> Timestamp

    /// A share's trail, as far as the caller may see it.
    ///
    /// Its owner sees it from the first point on. Members see an exact share's from when they joined.
    ///
    /// - Parameters:
    ///   - id: The share's message.
    ///   - tolerance: Metres that a left-out point may lie off the line; `nil` leaves none out.
    ///   - caller: Who asks.
    /// - Returns: Its points in the order of their times.
    /// - Throws: `WireError` `.notFound` where none is kept, or none for this caller.
    func trail(of id: MessageId, simplifiedBy tolerance: Double?, for caller: Caller) throws -> [TrailPoint] {
        let points = try store.read { reader -> [TrailPoint]? in
            let (message, member) = try reader.visibleMessage(id, to: caller.user)
            guard message.deletedTime == nil, let share = message.sharedLocation else { return nil }
            let isOwner = share.userId == caller.user
            guard isOwner || share.precision == .exact else { return nil }
            return try reader.keptTrail(of: share, at: clock(), since: isOwner ? nil : member.joinedTime)
        }
        guard let points else { throw WireError(.notFound, "no trail is kept of this message") }
        guard let tolerance else { return points }
        return Path.simplified(points.map(\.coordinate), tolerance: tolerance).map { points[$0] }
    }
}

extension StoreReader {
    /// A share's trail, while it is kept: until the share's end, or longer where its owner said so.
    ///
    /// - Parameters:
    ///   - share: The share.
    ///   - now: The server's clock.
    ///   - time: Only points of this time or later; `nil` = all.
    /// - Returns: Its points; of an approximate share one for each stay in a cell. `nil` = none is kept.
    /// - Throws: `StoreError`.
    func keptTrail(
        of share: SharedLocation, at now: Timestamp, since time: Timestamp? = nil
    ) throws -> [TrailPoint]? {
        guard share.keepsTrail || share.lifetime?.isActive(at: now) == true,
            let points = try trail(of: share.messageId, since: time)
        else { return nil }
        guard share.precision == .approximate else { return points }
        return points.enumerated().filter { index, point in
            index == 0 || points[index - 1].coordinate != point.coordinate
        }.map(\.element)
    }
}
