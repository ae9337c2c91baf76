package import YonderModel
package import YonderRules

/// A durable event as it is kept: what happened to whom, never what they looked like then.
///
/// What it tells is looked up when it is replayed, so that what is erased is erased here, too.
package struct StoredEvent: Hashable, Sendable {
    package let name: EventName
    /// Of the events of messages and locations.
    package let message: MessageId?
    /// Of the events of members: who, with which role, since when.
    package let user: UserId?
    package let role: MemberRole?
    package let joinedAt: Timestamp?

    package init(
        _ name: EventName, message: MessageId? = nil, user: UserId? = nil, role: MemberRole? = nil,
        joinedAt: Timestamp? = nil
    ) {
        self.name = name
        self.message = message
        self.user = user
        self.role = role
        self.joinedAt = joinedAt
    }

    /// An event of a member.
    package init(_ name: EventName, _ member: Member) {
        self.init(name, user: member.user.id, role: member.role, joinedAt: member.joinedTime)
    }
}
