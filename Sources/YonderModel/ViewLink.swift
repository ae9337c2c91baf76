public import Foundation
package import YonderGeo

/// A link by which somebody without an account sees one share, as its owner knows it.
public struct ViewLink: Hashable, Sendable {
    public var id: LinkId
    /// The share that it shows.
    public var messageId: MessageId
    /// How finely it shows where the share is; never finer than the share itself.
    public var precision: SharePrecision

    package var createdTime: Timestamp
    /// `nil` = with its share.
    package var expiresTime: Timestamp?
    /// When it was revoked, or its share over; `nil` = neither.
    package var endedTime: Timestamp?
    /// The middle of the cell that it shows; `nil` where it shows the share's own position.
    package var cell: Coordinate?

    /// When it was made, server time.
    public var createdAt: Date { createdTime.date }
    /// When it ends by itself; `nil` = with its share.
    public var expiresAt: Date? { expiresTime?.date }

    package init(
        id: LinkId, messageId: MessageId, precision: SharePrecision, createdTime: Timestamp,
        expiresTime: Timestamp?, cell: Coordinate?
    ) {
        self.id = id
        self.messageId = messageId
        self.precision = precision
        self.createdTime = createdTime
        self.expiresTime = expiresTime
        self.cell = cell
    }

    /// Whether it still shows anything, as far as it alone says.
    package func isAlive(at now: Timestamp) -> Bool {
        endedTime == nil && expiresTime.map { now < $0 } ?? true
    }
}
