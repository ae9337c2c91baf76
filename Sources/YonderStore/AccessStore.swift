package import YonderGeo
package import YonderModel
package import YonderRules

/// What somebody may come in with, by its SHA-256: the thing itself is kept nowhere.
package typealias SecretHash = [UInt8]

/// An invite into a channel.
package struct Invite: Hashable, Sendable {
    package let id: InviteId
    package let channelId: ChannelId
    package let createdBy: UserId
    package let createdTime: Timestamp
    package let expiresTime: Timestamp
    /// How many may join by it.
    package let uses: Int
    /// How many have.
    package var used = 0

    package init(
        id: InviteId, channelId: ChannelId, createdBy: UserId, createdTime: Timestamp,
        expiresTime: Timestamp, uses: Int
    ) {
        self.id = id
        self.channelId = channelId
        self.createdBy = createdBy
        self.createdTime = createdTime
        self.expiresTime = expiresTime
        self.uses = uses
    }
}

/// Somebody who is known by a secret of the server's making, until some time: a session, or a login code.
package struct Admission: Hashable, Sendable {
    package let user: UserId
    package let role: UserRole
    package let expiresTime: Timestamp

    package init(user: UserId, role: UserRole, expiresTime: Timestamp) {
        self.user = user
        self.role = role
        self.expiresTime = expiresTime
    }
}

/// Questions about the ways in. All throw `StoreError` alone.
package protocol AccessReader {
    /// Up to when a user's tokens are refused: the time of the account's erasure; `nil` = none is.
    func tokensRefusedUntil(of user: UserId) throws -> Timestamp?

    /// A view link by its token, dead or not; `nil` if it is unknown.
    func link(_ hash: SecretHash) throws -> ViewLink?

    /// The links of a share that nothing has ended, oldest first; some may have expired.
    func links(of message: MessageId) throws -> [ViewLink]

    /// The links of all live shares that nothing has ended, as ``links(of:)``.
    func linksOfUnendedShares() throws -> [ViewLink]

    /// An invite by its code, expired and used up or not; `nil` if it is unknown.
    func invite(_ hash: SecretHash) throws -> Invite?

    /// A channel's invites, oldest first.
    func invites(in channel: ChannelId) throws -> [Invite]

    /// Who was made by an invite for a client's key; `nil` = nobody yet.
    func userMade(by invite: InviteId, for key: SecretHash) throws -> UserId?

    /// A browser's session, over or not; `nil` if it is unknown.
    func session(_ hash: SecretHash) throws -> Admission?
}

/// Changes of the ways in. All throw `StoreError` alone.
package protocol AccessTransaction: AccessReader {
    /// Adds a link.
    func insertLink(_ link: ViewLink, _ hash: SecretHash) throws

    /// Ends a link; nothing happens where it has ended.
    func endLink(_ link: LinkId, at time: Timestamp) throws

    /// Ends a share's links.
    ///
    /// - Returns: Those that had not ended.
    func endLinks(of message: MessageId, at time: Timestamp) throws -> [LinkId]

    /// Ends the links of a channel's shares.
    ///
    /// - Returns: Those that had not ended.
    func endLinks(in channel: ChannelId, at time: Timestamp) throws -> [LinkId]

    /// Gives a link another cell.
    func moveLink(_ link: LinkId, to cell: Coordinate) throws

    /// Adds an invite.
    func insertInvite(_ invite: Invite, _ hash: SecretHash) throws

    /// Removes an invite; nothing happens where it is gone.
    func deleteInvite(_ invite: InviteId) throws

    /// Counts a use of an invite; with whom it made for which client's key, if it made somebody.
    func useInvite(_ invite: InviteId, made: (user: UserId, key: SecretHash)?) throws

    /// Adds a browser's session.
    func insertSession(_ session: Admission, _ hash: SecretHash) throws

    /// Removes a session; nothing happens where it is gone.
    func deleteSession(_ hash: SecretHash) throws

    /// Adds a login code.
    func insertLogin(_ login: Admission, _ hash: SecretHash) throws

    /// Takes a login code out: it works once.
    ///
    /// - Returns: Whose it is, expired or not; `nil` if it is unknown.
    func takeLogin(_ hash: SecretHash) throws -> Admission?

    /// Forgets invites, sessions and login codes that expired before now, and links that died before a time.
    func forgetExpired(now: Timestamp, linksDeadBefore time: Timestamp) throws

    /// Refuses a user's tokens from before now and takes away sessions, login codes, invites and devices.
    ///
    /// The user stays, without a name of their own, as the author of tombstones.
    func eraseAccount(_ user: UserId, name: String, at time: Timestamp) throws
}
