import YonderGeo
import YonderModel
import YonderRules
import YonderStore

/// One share's way to another position, or one more point of its trail.
struct ShareStep: Sendable {
    let share: SharedLocation
    /// As finely as the share tells.
    var position: Position
    let recordedAt: Timestamp
    /// The same as the device said it; `nil` where it did not.
    let deviceTime: Timestamp?
    /// The share's links that show another cell than before.
    var movedLinks: [(link: LinkId, cell: Coordinate)] = []
    /// The event for the channel; made before the commit, so that the store's thread need not.
    var json: [UInt8]?
    /// The fix's place in its batch.
    var index = 0

    init(share: SharedLocation, position: Position, recordedAt: Timestamp, deviceTime: Timestamp?) {
        self.share = share
        self.position = position
        self.recordedAt = recordedAt
        self.deviceTime = deviceTime
    }

    /// What its channel is told.
    var update: LocationUpdate {
        LocationUpdate(
            channelId: share.channelId, messageId: share.messageId, userId: share.userId,
            position: position, recordedTime: recordedAt)
    }

    /// Writes it.
    func take(in change: any StoreTransaction, now: Timestamp) throws -> ShareMove {
        let move = try change.moveShare(
            share.messageId, to: position, recordedAt: recordedAt, deviceTime: deviceTime, updatedAt: now)
        if move == .moved {
            for (link, cell) in movedLinks { try change.moveLink(link, to: cell) }
        }
        return move
    }
}

extension [ShareStep] {
    /// The steps, each with nothing finer than its share tells, and with what the share's links then show.
    ///
    /// - Precondition: the steps are in the order of their times.
    func coarsened(links: (MessageId) -> [ViewLink]) -> [ShareStep] {
        var told: [MessageId: Coordinate] = [:]
        return map { step in
            var step = step
            let id = step.share.messageId
            if step.share.precision == .approximate {
                step.position = step.position.approximated(
                    after: told[id] ?? step.share.position?.coordinate)
                told[id] = step.position.coordinate
            }
            for link in links(id) where link.isCoarser(than: step.share.precision) {
                let cell = step.position.approximated(after: link.cell).coordinate
                if cell != link.cell { step.movedLinks.append((link.id, cell)) }
            }
            if step.recordedAt > step.share.recordedTime { step.json = step.update.eventJSON() }
            return step
        }
    }
}
