import YonderModel

extension ViewLink {
    /// Whether it tells less than a share of some precision.
    func isCoarser(than shared: SharePrecision) -> Bool { precision == .approximate && shared == .exact }

    /// A position of its share as the link shows it.
    ///
    /// - Parameters:
    ///   - position: As the share tells it.
    ///   - shared: How finely that is.
    /// - Returns: The middle of the link's cell where the link is coarser than the share.
    func shown(_ position: Position, precision shared: SharePrecision) -> Position {
        isCoarser(than: shared) ? position.approximated(after: cell) : position
    }

    /// Its share as the link shows it: without devices, and nothing finer than it may tell.
    func shown(_ share: SharedLocation) -> SharedLocation {
        var seen = share
        seen.position = share.position.map { shown($0, precision: share.precision) }
        if precision == .approximate { seen.precision = .approximate }
        (seen.createdByDeviceId, seen.fedByDeviceId, seen.keepsTrail) = (nil, nil, false)
        return seen
    }

    /// Its message as the link shows it: no other message shows through it.
    func shown(_ message: Message) -> Message {
        var seen = message
        (seen.quotedMessage, seen.parentId, seen.replyCount) = (nil, nil, 0)
        seen.sharedLocation = message.sharedLocation.map(shown)
        return seen
    }
}
