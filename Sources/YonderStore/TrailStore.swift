package import YonderModel
package import YonderRules

/// Questions about the paths of live shares.
package protocol TrailReader {
    /// The points of a share's trail in the order of their times.
    ///
    /// - Parameters:
    ///   - message: The share's message.
    ///   - time: Only points measured at this time or later; `nil` = all.
    /// - Returns: The points; `nil` where no trail is kept, or never was.
    /// - Throws: `StoreError`.
    func trail(of message: MessageId, since time: Timestamp?) throws -> [TrailPoint]?
}

/// Most points of one trail that stay.
package let maxTrailPoints = 50_000

/// Changes of the paths of live shares; a path grows as its share is moved, see ``StoreTransaction/moveShare``.
package protocol TrailTransaction: TrailReader {
    /// Erases the trails of shares that have ended: those that were not to be kept, and of the others
    /// those of shares that ended before a moment.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    func eraseTrails(ofKeptEndedBefore time: Timestamp) throws -> Bool

    /// Brings trails of more than ``maxTrailPoints`` points back to that: of their older half every second
    /// one goes.
    func thinLongTrails() throws
}
